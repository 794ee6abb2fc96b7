// SPDX-License-Identifier: MIT
#include "hqe/formats/digest_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/formats/digest_about.h"
#include "hqe/formats/format.h"
#include "hqe/formats/safetensors.h"
#include "hqe/predictions/limits.h"
#include "hqe/text/natural_order.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

namespace fs = std::filesystem;

/// The array of a digest that has this name; null: it has none.
Array* column_of(DigestColumns& columns, std::string_view name) {
  const std::pair<std::string_view, Array*> known[] = {{"truth", &columns.truth},
                                                       {"labels", &columns.labels},
                                                       {"kept", &columns.kept},
                                                       {"own", &columns.own},
                                                       {"classes", &columns.classes},
                                                       {"values", &columns.values},
                                                       {"sums", &columns.sums},
                                                       {"extra_counts", &columns.extra_counts},
                                                       {"extra_classes", &columns.extra_classes},
                                                       {"extra_values", &columns.extra_values},
                                                       {"rounded", &columns.rounded}};
  const auto found = std::ranges::find(known, name, &std::pair<std::string_view, Array*>::first);
  return found == std::end(known) ? nullptr : found->second;
}

DigestAbout about_of(const FileBytes& bytes, const std::vector<Member>& members) {
  const auto about = std::ranges::find(members, "about", &Member::name);
  const Message advice = message("Digests are made by `{}`", command("digest"));
  if (about == members.end()) {
    throw InputError(bytes.file, "", "is no digest: it has no tensor called about", advice);
  }
  const Array text = about->read();
  if (text.dtype != DType::uint8 || text.rank != 1) {
    throw InputError(bytes.file, "tensor about", "is no vector of bytes", advice);
  }
  return read_digest_about(
      {reinterpret_cast<const char*>(text.data), static_cast<std::size_t>(text.rows())},
      bytes.file);
}

/// In what two digests of one pool must not differ, and do.
struct Difference {
  std::string reason;
  Message advice;
};

Message advice_on_kinds(Kind first, Kind other) {
  if (!has_scores(first) || !has_scores(other)) {
    return message("Where they are rows of one pool, make them again with its kind declared ({})",
                   option("kind"));
  }
  return message(
      "Where they are rows of one pool, some of which lie in [0,1], make those again "
      "with {}, or declare it in pool.toml",
      option("kind", "logits"));
}

std::string difference_of_models(const Pool& first, const Pool& other) {
  const auto [mine, theirs] =
      std::ranges::mismatch(other.models, first.models, {}, &Model::name, &Model::name);
  if (mine == other.models.end()) return "lacks the model " + printable(theirs->name);
  return fmt::format(
      "has the model {} where {}", printable(mine->name),
      theirs == first.models.end() ? "there is none" : printable(theirs->name) + " is expected");
}

std::string some_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 3); ++i) {
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  }
  return names.size() > 3 ? text + ", ..." : text;
}

bool has_same_costs(const ModelCosts& one, const ModelCosts& other) {
  return one.values == other.values && one.lipschitz == other.lipschitz &&
         one.lipschitz_radius == other.lipschitz_radius &&
         one.lipschitz_estimated == other.lipschitz_estimated;
}

/// What labels mean may depend on which of them a part shows.
std::optional<Difference> difference_of_classes(const Pool& first, const Pool& other) {
  if (first.class_names.empty() != other.class_names.empty() && has_scores(first.kind)) {
    const Pool& named = first.class_names.empty() ? other : first;
    return Difference{
        fmt::format("{} the {} classes ({})", &named == &other ? "names" : "does not name",
                    named.class_count, some_names(named.class_names)),
        "Where these are rows of one pool, their true labels may show that they do not count from "
        "0 in some parts alone: name the classes in the pool.toml of each, by their numbers if "
        "labels are these (classes = [1, 2, 3]), and make the digests again"};
  }
  if (first.class_names == other.class_names &&
      (!has_scores(first.kind) || first.class_count == other.class_count)) {
    return std::nullopt;
  }
  return Difference{
      fmt::format("has other classes: {}, not {}, or others of these names", other.class_count,
                  first.class_count),
      "Where the rows of one pool do not all show every class, name the classes in the pool.toml "
      "of each, by their numbers if labels are these (classes = [1, 2, 3])"};
}

std::optional<Difference> difference(const Pool& first, const Pool& other) {
  if (first.kind != other.kind) {
    return Difference{fmt::format("holds {}, not {}", to_string(other.kind), to_string(first.kind)),
                      advice_on_kinds(first.kind, other.kind)};
  }
  if (!std::ranges::equal(first.models, other.models, {}, &Model::name, &Model::name)) {
    return Difference{difference_of_models(first, other),
                      "A model is added by making every digest again, from the predictions of all "
                      "models"};
  }
  if (auto found = difference_of_classes(first, other)) return found;
  for (std::size_t m = 0; m < first.models.size(); ++m) {
    const Model& mine = other.models[m];
    const Model& theirs = first.models[m];
    if (has_scores(first.kind) && mine.predictions.dtype != theirs.predictions.dtype) {
      return Difference{fmt::format("has {} of model {}, not {}", to_string(mine.predictions.dtype),
                                    printable(mine.name), to_string(theirs.predictions.dtype)),
                        "Save all rows of a model alike"};
    }
    if (!has_same_costs(mine.costs, theirs.costs)) {
      return Difference{"has other costs of model " + printable(mine.name),
                        "Make the digests again with one pool.toml"};
    }
  }
  return std::nullopt;
}

std::string rows_text(std::uint64_t begin, std::uint64_t end) {
  return end - begin == 1 ? fmt::format("row {} is", begin)
                          : fmt::format("rows {} to {} are", begin, end - 1);
}

/// Parts of a pool that grew say different ends: the last one counts.
void check_end(const std::vector<DigestFile>& files, std::uint64_t end) {
  const DigestFile& last = *std::ranges::max_element(
      files, {}, [](const DigestFile& file) { return file.pool_rows.value_or(0); });
  if (last.pool_rows.value_or(0) <= end) return;
  throw InputError(last.part.file(), "",
                   fmt::format("is of {} rows, and {} in no digest", *last.pool_rows,
                               rows_text(end, *last.pool_rows)),
                   "Add the digest of those rows");
}

void check_rows(const std::vector<DigestFile>& files, bool is_whole) {
  std::uint64_t next = files.size() == 1 && !is_whole ? files.front().first_row : 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const DigestFile& file = files[i];
    if (file.first_row > next) {
      throw InputError(file.part.file(), "",
                       fmt::format("begins at row {}, and {} in no digest", file.first_row,
                                   rows_text(next, file.first_row)),
                       "Add the digest of those rows");
    }
    if (file.first_row < next) {
      throw InputError(
          file.part.file(), "",
          fmt::format("{} in {}, too", rows_text(file.first_row, std::min(next, file.end_row())),
                      files[i - 1].part.file()),
          "Keep one of the two");
    }
    next = file.end_row();
  }
  if (files.size() > 1 || is_whole) check_end(files, next);
  if (next > static_cast<std::uint64_t>(max_sample_count)) {
    throw InputError(files.back().part.file(), "", fmt::format("the digests have {} rows", next),
                     "At most 2^31 are possible");
  }
}

/// The same names may be of labels that are these numbers, and of labels that count from 0.
void check_meaning(const DigestFile& first, const DigestFile& other) {
  const auto& mine = other.names_are_labels;
  if (!mine || mine == first.names_are_labels) return;
  throw InputError(other.part.file(), "",
                   fmt::format("beside {}: its labels {} the classes {}", first.part.file(),
                               *mine ? "were the numbers that name" : "counted from 0",
                               some_names(other.pool.class_names)),
                   "Make the digests again with one pool.toml: classes = [1, 2, 3], as numbers, "
                   "where labels are these");
}

}  // namespace

bool names_a_digest(const fs::path& path) { return path.extension() == ".digest"; }

std::vector<fs::path> digests_in(const fs::path& folder) {
  std::vector<fs::path> digests;
  std::optional<fs::path> other;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    if (names_a_digest(name)) {
      digests.push_back(entry.path());
    } else if (format_of(name)) {
      other = other ? std::min(*other, entry.path()) : entry.path();
    }
  }
  std::ranges::sort(digests, [](const fs::path& left, const fs::path& right) {
    return natural_less(left.filename().string(), right.filename().string());
  });
  if (!digests.empty() && other) {
    throw InputError(folder.string(), "",
                     fmt::format("holds digests ({}) and predictions ({})",
                                 digests.front().filename().string(), other->filename().string()),
                     "Give digests a folder of their own");
  }
  return digests;
}

DigestFile read_digest(const FileBytes& bytes) {
  return read_unchanged(bytes, [&] {
    const std::vector<Member> members =
        read_safetensors(bytes, message("Make it again with `{}`", command("digest")));
    DigestAbout about = about_of(bytes, members);
    DigestColumns columns;
    for (const Member& member : members) {
      if (member.name == "about") continue;
      Array* const column = column_of(columns, member.name);
      if (column == nullptr) {
        throw InputError(bytes.file, "tensor " + printable(member.name), "belongs to no digest",
                         "Make the digest again");
      }
      *column = member.read();
    }
    return DigestFile{.pool = std::move(about.pool),
                      .first_row = about.first_row,
                      .pool_rows = about.pool_rows,
                      .names_are_labels = about.names_are_labels,
                      .part = DigestPart(bytes.file, about.shape, std::move(columns))};
  });
}

Pool join_digests(std::vector<DigestFile> files, bool is_whole) {
  std::ranges::stable_sort(files, {}, &DigestFile::first_row);
  DigestedPool whole{.pool = files.front().pool, .parts = {}};
  const DigestFile* meaning = nullptr;  // The first that says what its labels were.
  for (const DigestFile& file : files) {
    if (const auto found = difference(whole.pool, file.pool)) {
      throw InputError(file.part.file(), "",
                       fmt::format("beside {}: {}", files.front().part.file(), found->reason),
                       found->advice);
    }
    if (meaning == nullptr && file.names_are_labels) meaning = &file;
    if (meaning != nullptr) check_meaning(*meaning, file);
    whole.pool.class_count = std::max(whole.pool.class_count, file.pool.class_count);
    // Parts that did not show it were told what the others showed.
    whole.pool.kind_detected = whole.pool.kind_detected || file.pool.kind_detected;
    for (const Message& note : file.pool.notes) {
      const auto is_note = [&](const Message& other) { return other.text() == note.text(); };
      if (std::ranges::none_of(whole.pool.notes, is_note)) whole.pool.notes.push_back(note);
    }
  }
  check_rows(files, is_whole);
  for (DigestFile& file : files) {
    whole.pool.files.push_back(file.part.file());
    whole.parts.push_back(std::move(file.part));
  }
  return pool_of_digests(std::move(whole));
}

Pool open_digests(const std::vector<fs::path>& paths, bool is_whole) {
  std::vector<DigestFile> files;
  for (const fs::path& path : paths) files.push_back(read_digest(map_file(path, "a digest")));
  return join_digests(std::move(files), is_whole);
}

}  // namespace hqe
