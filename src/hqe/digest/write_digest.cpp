// SPDX-License-Identifier: MIT
#include "hqe/digest/write_digest.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/digest/encoder.h"
#include "hqe/digest/sample_encoder.h"
#include "hqe/predictions/digest_part.h"
#include "hqe/predictions/limits.h"
#include "hqe/predictions/scan.h"
#include "hqe/text/json_parser.h"

namespace hqe {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson about_model(const Model& model) {
  OrderedJson about{{"name", model.name},
                    {"dtype", std::string(to_string(model.predictions.dtype))}};
  for (const Cost cost : all_costs) {
    if (model.costs[cost]) about[std::string(to_string(cost))] = *model.costs[cost];
  }
  if (model.costs.lipschitz) about["lipschitz"] = *model.costs.lipschitz;
  if (model.costs.lipschitz_radius) about["lipschitz_radius"] = *model.costs.lipschitz_radius;
  if (model.costs.lipschitz_estimated) about["lipschitz_estimated"] = true;
  return about;
}

/// `notes` are the pool's before it was scanned: the scan makes the others again.
std::string about_pool(const Pool& pool, const DigestSummary& summary,
                       const std::vector<Message>& notes, bool complements) {
  OrderedJson about{{"format", "hqe.digest"},
                    {"version", 1},
                    {"name", pool.name},
                    {"kind", std::string(to_string(pool.kind))},
                    {"kind_detected", pool.kind_detected},
                    {"first_row", summary.first_row},
                    {"sample_count", summary.rows.end - summary.rows.begin},
                    {"class_count", pool.class_count},
                    {"class_names", pool.class_names},
                    {"has_names", pool.has_names},
                    {"about", pool.about},
                    {"licence", pool.licence},
                    {"source", pool.source},
                    {"notes", OrderedJson::array()},
                    {"models", OrderedJson::array()}};
  if (complements) about["complements"] = true;
  for (const Message& note : notes) about["notes"].push_back(note.text());
  for (const Model& model : pool.models) about["models"].push_back(about_model(model));
  return about.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Pool with_rows(Pool pool, const RowRange& rows) {
  if (rows.begin >= rows.end || rows.end > pool.sample_count) {
    throw UsageError(
        message("there are no rows {}:{} ({}): the pool has {}, counted from 0, and "
                "A:B are the rows A to B - 1",
                rows.begin, rows.end, option("rows"), pool.sample_count));
  }
  if (rows.begin == 0 && rows.end == pool.sample_count) return pool;
  std::vector<std::uint64_t> samples(rows.end - rows.begin);
  std::iota(samples.begin(), samples.end(), rows.begin);
  return samples_of(pool, samples);
}

std::uint64_t bytes_of_predictions(const Pool& pool) {
  std::uint64_t bytes = 0;
  for (const Model& model : pool.models) {
    bytes += size_of(model.predictions.dtype) *
             static_cast<std::uint64_t>(model.predictions.columns()) * pool.sample_count;
  }
  return bytes;
}

void encode(Pool& pool, DigestEncoder& encoder, const Run& run) {
  BlockConsumer* const consumers[] = {&encoder};
  scan(pool, consumers, run);
}

std::uint64_t bytes_of_all(const Pool& pool, bool complements) {
  const auto classes = static_cast<std::uint64_t>(complements ? 1 : pool.class_count);
  return pool.sample_count * classes * row_width(pool);
}

/// Whether what each model gives the first of two classes follows from what it gives the second, as
/// where files have P(class 1) alone. Numbers are probabilities for certain: no logits are like
/// that.
bool has_complements(const Pool& pool, const Run& run) {
  if (pool.kind != Kind::probabilities || pool.class_count != 2) return false;
  const auto is_wide = [](const Model& model) {
    return model.predictions.dtype == DType::float32 || model.predictions.dtype == DType::float64;
  };
  if (!std::ranges::all_of(pool.models, is_wide)) return false;
  constexpr std::uint64_t grain = 1 << 16;
  std::atomic<bool> has_all = true;
  parallel_for(run, "comparing both classes", pool.sample_count, grain,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 double row[2];
                 for (const Model& model : pool.models) {
                   const Array& array = model.predictions;
                   for (std::uint64_t i = begin; has_all && i < end; ++i) {
                     read_row(array, static_cast<std::int64_t>(i), row);
                     const bool is_one = row[1] >= 0 && row[1] <= 1;
                     if (!is_one || row[0] != complement_of(row[1], array.dtype)) has_all = false;
                   }
                 }
               });
  return has_all;
}

}  // namespace

DigestSummary write_digest(Pool pool, const std::filesystem::path& path,
                           const DigestOptions& options, const Run& run, WriteCheck check) {
  if (pool.digest) {
    throw UsageError(fmt::format("{} is a digest already. Give the predictions", pool.name));
  }
  check_labels(pool);
  const RowRange range = options.rows.value_or(RowRange{0, pool.sample_count});
  const std::uint64_t first_row = options.first_row.value_or(range.begin);
  pool = with_rows(std::move(pool), range);
  if (first_row > static_cast<std::uint64_t>(max_sample_count) - pool.sample_count) {
    throw UsageError(message("rows {} and on ({}) are too many: a pool has at most 2^31", first_row,
                             option("first_row")));
  }
  const std::vector<Message> notes = pool.notes;
  const bool complements = has_complements(pool, run);
  DigestEncoder encoder(path.string(), false, complements);
  encode(pool, encoder, run);
  DigestSummary summary{.file = path.string(),
                        .pool = pool.name,
                        .kind = pool.kind,
                        .rows = range,
                        .first_row = first_row,
                        .model_count = pool.model_count(),
                        .class_count = pool.class_count,
                        .contested = std::nullopt,
                        .prediction_bytes = bytes_of_predictions(pool)};
  const std::string about = about_pool(pool, summary, notes, complements);
  if (!has_scores(pool.kind)) {
    summary.bytes = encoder.tensors().write(path, about, std::move(check));
  } else {
    summary.contested = encoder.contested();
    Tensors& tensors = encoder.tensors();
    if (tensors.size() - tensors.size(DigestTensor::truth) <= bytes_of_all(pool, complements)) {
      summary.bytes = tensors.write(path, about, std::move(check));
    } else {
      DigestEncoder all(path.string(), true, complements);
      Pool again = pool;
      encode(again, all, run);
      summary.bytes = all.tensors().write(path, about, std::move(check));
    }
  }
  summary.warnings = pool.notes;
  return summary;
}

}  // namespace hqe
