// SPDX-License-Identifier: MIT
#include "hqe/predictions/pool.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/base/words.h"
#include "hqe/predictions/columns.h"
#include "hqe/predictions/detect.h"
#include "hqe/predictions/digest.h"
#include "hqe/predictions/label_meaning.h"
#include "hqe/predictions/limits.h"
#include "hqe/predictions/truth.h"

namespace hqe {
namespace {

constexpr std::array kind_words{Word{Kind::probabilities, "probabilities"},
                                Word{Kind::logits, "logits"}, Word{Kind::labels, "labels"},
                                Word{Kind::correctness, "correctness"}};
static_assert(have_words(all_kinds, kind_words));

/// A column of integers, however many dimensions its file gave it.
bool is_column(const Array& array) { return array.rank == 1 || array.columns() == 1; }

std::string shape_of(const Array& array) {
  if (array.rank == 1) return fmt::format("{} x {}", array.rows(), to_string(array.dtype));
  return fmt::format("{} x {} of {}", array.rows(), array.columns(), to_string(array.dtype));
}

void check_names(const std::vector<Model>& models, const std::string& pool) {
  if (models.empty()) {
    throw InputError("", "", "the pool has no models", "Give one file of predictions a model");
  }
  if (models.size() > static_cast<std::size_t>(max_model_count)) {
    throw InputError(pool, "",
                     fmt::format("the pool has {} models, and at most {} are possible",
                                 models.size(), max_model_count),
                     "Leave some out");
  }
  std::unordered_map<std::string_view, const Model*> seen;
  for (const Model& model : models) {
    if (model.name.empty()) {
      throw InputError(model.file, "", "a model has no name", "Give every model a name");
    }
    const auto [first, is_new] = seen.emplace(model.name, &model);
    if (is_new) continue;
    throw InputError(file_of(model), "",
                     fmt::format("the model name \"{}\" is already taken by {}", model.name,
                                 file_of(*first->second)),
                     "Rename one of the two");
  }
}

/// What a file can hold by its shape alone; probabilities stand for both score kinds.
Kind kind_of_shape(const Model& model) {
  const Array& array = model.predictions;
  if (is_float(array.dtype) && array.rank == 2) return Kind::probabilities;
  if (!is_float(array.dtype) && is_column(array)) return Kind::labels;
  if (is_float(array.dtype)) {
    throw InputError(
        file_of(model), "",
        fmt::format("is a vector of {}: neither labels, which are whole numbers, nor scores,"
                    " which have one column a class, nor, with two classes, probabilities of the "
                    "second",
                    to_string(array.dtype)),
        "Save predicted labels as integers, e.g. with .astype(\"int32\"); save scores "
        "as a matrix of samples x classes; where true labels show one of two classes alone, name "
        "both in pool.toml");
  }
  throw InputError(file_of(model), "",
                   fmt::format("is a matrix of integers ({}): scores must be floats, labels one "
                               "column",
                               shape_of(array)),
                   "Save scores as float32, e.g. with .astype(\"float32\"), or the predicted label "
                   "alone");
}

std::string describe(Kind shape) {
  return shape == Kind::labels ? "labels (one integer a sample)"
                               : "scores (one float a sample and class)";
}

/// Checks each file's shape against the declared kind, or all against the first one's.
Kind settle_shapes(const PoolParts& parts) {
  const Kind first = kind_of_shape(parts.models.front());
  const Kind wanted =
      parts.kind ? (has_scores(*parts.kind) ? Kind::probabilities : Kind::labels) : first;
  for (const Model& model : parts.models) {
    const Kind shape = kind_of_shape(model);
    if (shape == wanted) continue;
    if (parts.kind) {
      throw InputError(file_of(model), "",
                       fmt::format("holds {}, but the pool is declared to be of kind \"{}\"",
                                   describe(shape), to_string(*parts.kind)),
                       "Correct `kind`, or the file");
    }
    throw InputError(file_of(model), "",
                     fmt::format("holds {}, but {} holds {}", describe(shape),
                                 file_of(parts.models.front()), describe(first)),
                     "A pool is of one kind: convert the files to one");
  }
  return wanted;
}

/// The number of samples, after checking that every file has as many rows.
std::int64_t settle_rows(const PoolParts& parts) {
  const bool labelled = parts.labels.has_value();
  const std::int64_t rows =
      labelled ? parts.labels->rows() : parts.models.front().predictions.rows();
  const std::string origin = labelled ? parts.labels_file : file_of(parts.models.front());
  if (rows == 0) {
    throw InputError(origin, "", "has no samples", "Give at least one row");
  }
  if (rows > max_sample_count) {
    throw InputError(origin, "", fmt::format("has {} samples", rows), "At most 2^31 are possible");
  }
  for (const Model& model : parts.models) {
    if (model.predictions.rows() == rows) continue;
    throw InputError(
        file_of(model), "",
        fmt::format("has {} rows, but {} has {}", model.predictions.rows(), origin, rows),
        model.predictions.columns() == rows
            ? "It looks transposed: save one row a sample (predictions.T)"
            : "Every file must have one row a sample, the same samples in the same order");
  }
  return rows;
}

int settle_columns(const PoolParts& parts) {
  const Model& first = parts.models.front();
  const std::int64_t columns = first.predictions.columns();
  if (columns < 2) {
    throw InputError(file_of(first), "", fmt::format("has {} columns", columns),
                     "Scores need one column a class, at least two; for two classes these are "
                     "1 - p and p");
  }
  if (columns > max_class_count) {
    throw InputError(file_of(first), "", fmt::format("has {} columns", columns),
                     fmt::format("At most {} classes are possible", max_class_count));
  }
  for (const Model& model : parts.models) {
    if (model.predictions.columns() == columns) continue;
    throw InputError(file_of(model), "",
                     fmt::format("has {} columns, but {} has {}", model.predictions.columns(),
                                 file_of(first), columns),
                     "Every model must score the same classes in the same order");
  }
  return static_cast<int>(columns);
}

/// Length of `classes`, else the largest label or prediction + 1.
int count_classes(const PoolParts& parts) {
  if (!parts.class_names.empty()) return static_cast<int>(parts.class_names.size());
  std::int64_t largest = parts.labels ? largest_integer(*parts.labels) : -1;
  std::string file = parts.labels_file;
  for (const Model& model : parts.models) {
    const std::int64_t here = largest_integer(model.predictions);
    if (here <= largest) continue;
    largest = here;
    file = file_of(model);
  }
  if (largest >= max_class_count) {
    throw InputError(file, "", fmt::format("holds the label {}", largest),
                     fmt::format("Labels count from 0 and at most {} classes are possible; an "
                                 "abstention is -1",
                                 max_class_count));
  }
  return static_cast<int>(std::max<std::int64_t>(largest, 0)) + 1;
}

void check_truth(const PoolParts& parts) {
  if (is_float(parts.labels->dtype) || !is_column(*parts.labels)) {
    throw InputError(
        parts.labels_file, "",
        fmt::format("true labels must be one integer a sample, found {}", shape_of(*parts.labels)),
        "Save them as a vector of integers, e.g. with .astype(\"int32\")");
  }
}

void settle_classes(PoolParts& parts, Kind shape, Pool& pool) {
  if (pool.kind == Kind::correctness) {
    pool.class_count = 2;
    pool.truth = all_of_class(1, static_cast<std::int64_t>(pool.sample_count));
    return;
  }
  pool.class_count = shape == Kind::labels ? count_classes(parts) : settle_columns(parts);
  if (!parts.class_names.empty() &&
      parts.class_names.size() != static_cast<std::size_t>(pool.class_count)) {
    throw InputError(file_of(parts.models.front()), "",
                     fmt::format("has {} columns, but `classes` has {} names", pool.class_count,
                                 parts.class_names.size()),
                     "Give every class one name");
  }
  pool.class_names = std::move(parts.class_names);
  pool.names_are_labels = parts.names_are_labels;
  pool.has_labels = parts.labels.has_value();
  if (!pool.has_labels) {
    pool.truth = all_of_class(0, static_cast<std::int64_t>(pool.sample_count));
    return;
  }
  const LabelledRows truth[] = {{&*parts.labels, parts.labels_file}};
  pool.truth = copy_truth(truth, pool.class_count);
}

/// What make_pool() does, but for what changed meanwhile.
Pool put_together(PoolParts parts) {
  check_names(parts.models, parts.name);
  if (parts.labels && parts.labels_file.empty()) parts.labels_file = "labels";
  settle_labels(parts);
  const Kind shape = settle_shapes(parts);
  if (parts.labels && parts.kind != Kind::correctness) check_truth(parts);

  Pool pool;
  pool.name = parts.name;
  pool.kind_detected = !parts.kind;
  pool.kind = parts.kind.value_or(shape);
  pool.sample_count = static_cast<std::uint64_t>(settle_rows(parts));
  settle_classes(parts, shape, pool);
  if (pool.kind_detected && shape == Kind::probabilities) {
    pool.kind = detect_score_kind(parts.models, false, {.threads = 1});
  }
  pool.models = std::move(parts.models);
  pool.has_names = parts.has_names;
  pool.files = std::move(parts.files);
  pool.notes = std::move(parts.notes);
  pool.about = std::move(parts.about);
  pool.licence = std::move(parts.licence);
  pool.source = std::move(parts.source);
  pool.labels_file = std::move(parts.labels_file);
  return pool;
}

using Witnesses = std::vector<std::shared_ptr<const Witness>>;

Witnesses witnesses_of(const PoolParts& parts) {
  Witnesses witnesses;
  if (parts.labels) witnesses.push_back(parts.labels->witness);
  for (const Model& model : parts.models) witnesses.push_back(model.predictions.witness);
  std::erase(witnesses, nullptr);
  return witnesses;
}

void ask(const Witnesses& witnesses) {
  for (const auto& witness : witnesses) witness->check();
}

}  // namespace

std::string_view to_string(Kind kind) { return word_of(kind_words, kind); }

std::optional<Kind> parse_kind(std::string_view word) { return value_of(kind_words, word); }

std::int32_t Pool::true_label(std::uint64_t sample) const {
  return static_cast<std::int32_t>(read_integer(truth, static_cast<std::int64_t>(sample)));
}

std::string Pool::class_name(int label) const {
  if (kind == Kind::correctness) return label == 1 ? "right" : "wrong";
  if (label >= 0 && static_cast<std::size_t>(label) < class_names.size()) {
    return class_names[static_cast<std::size_t>(label)];
  }
  return std::to_string(label);
}

Pool make_pool(PoolParts parts) {
  const Witnesses witnesses = witnesses_of(parts);
  try {
    Pool pool = put_together(std::move(parts));
    ask(witnesses);
    return pool;
  } catch (const InputError&) {
    ask(witnesses);
    throw;
  }
}

void check_labels(const Pool& pool) {
  if (pool.has_labels) return;
  throw InputError(pool.labels_file, "", "there are no true labels",
                   message("Add labels.npy to the folder, give {} or, of a table, {}; files of 0/1 "
                           "correctness need none when kind = \"correctness\" is declared",
                           option("labels"), option("label_column")));
}

void check_every_score(const Pool& pool, std::string_view what) {
  if (pool.has_every_score()) return;
  throw UsageError(
      fmt::format("{} the scores of every class, and {} is a digest, which keeps those that decide "
                  "votes. Give the predictions",
                  what, pool.name));
}

void check_unchanged(const Pool& pool) {
  for (const Model& model : pool.models) {
    if (model.predictions.witness) model.predictions.witness->check();
  }
  if (!pool.digest) return;
  for (const DigestPart& part : pool.digest->parts()) {
    if (part.witness()) part.witness()->check();
  }
}

Pool pool_of(const Pool& pool, TeamView models) {
  Pool part = pool;
  part.models.clear();
  for (const ModelId model : models) {
    assert(model < pool.models.size());
    part.models.push_back(pool.models[model]);
  }
  return part;
}

}  // namespace hqe
