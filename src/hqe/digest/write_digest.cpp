// SPDX-License-Identifier: MIT
#include "hqe/digest/write_digest.h"

#include <fmt/core.h>

#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/digest/encoder.h"
#include "hqe/digest/layout.h"
#include "hqe/digest/sample_encoder.h"
#include "hqe/ensemble/costs.h"
#include "hqe/predictions/digest_part.h"
#include "hqe/predictions/limits.h"
#include "hqe/scan/scan.h"
#include "hqe/text/json_parser.h"

namespace hqe {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson about_model(const Model& model, const StoredNumbers* stored) {
  OrderedJson about{{"name", model.name},
                    {"dtype", std::string(to_string(model.predictions.dtype))}};
  if (stored != nullptr) {
    about["stored"] = std::string(to_string(stored->dtype));
    if (stored->alone) about["alone"] = true;
  }
  for (const Cost cost : all_costs) {
    if (model.costs[cost]) about[std::string(to_string(cost))] = *model.costs[cost];
  }
  if (model.costs.lipschitz) about["lipschitz"] = *model.costs.lipschitz;
  if (model.costs.lipschitz_radius) about["lipschitz_radius"] = *model.costs.lipschitz_radius;
  if (model.costs.lipschitz_estimated) about["lipschitz_estimated"] = true;
  return about;
}

/// What reads version 1 reads most digests, and refuses the others.
int version_of(const Pool& pool, const DigestLayout& layout) {
  return layout.is_told(pool) ? 2 : 1;
}

OrderedJson about_named(const OptionName& option) {
  OrderedJson about{{"option", option.name}};
  if (option.value) about["value"] = *option.value;
  return about;
}

OrderedJson about_named(const CommandName& command) {
  OrderedJson about{{"command", command.name}};
  if (command.is_saved) about["saved"] = true;
  if (command.with_option) about["option"] = *command.with_option;
  return about;
}

/// Beside the texts, which every reader knows: where they name options and commands.
void add_notes(const std::vector<Message>& notes, OrderedJson& about) {
  OrderedJson pieces = OrderedJson::array();
  bool has_names = false;
  for (const Message& note : notes) {
    about["notes"].push_back(note.text());
    OrderedJson told = OrderedJson::array();
    for (const Message::Piece& piece : note.pieces()) {
      if (!piece.named) {
        told.push_back(piece.text);
        continue;
      }
      has_names = true;
      told.push_back(
          std::visit([](const auto& named) { return about_named(named); }, *piece.named));
    }
    pieces.push_back(std::move(told));
  }
  if (has_names) about["note_pieces"] = std::move(pieces);
}

/// `notes` are the pool's before it was scanned: the scan makes the others again.
std::string about_pool(const Pool& pool, const DigestSummary& summary,
                       const std::vector<Message>& notes, const DigestLayout& layout,
                       std::optional<std::uint64_t> pool_rows) {
  OrderedJson about{{"format", "hqe.digest"},
                    {"version", version_of(pool, layout)},
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
  if (layout.complements) about["complements"] = true;
  if (pool_rows) about["pool_rows"] = *pool_rows;
  if (!pool.class_names.empty()) about["names_are_labels"] = pool.names_are_labels;
  add_notes(notes, about);
  for (std::size_t m = 0; m < pool.models.size(); ++m) {
    about["models"].push_back(
        about_model(pool.models[m], layout.is_told(pool) ? &layout.numbers[m] : nullptr));
  }
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

std::uint64_t bytes_of_all(const Pool& pool, const DigestLayout& layout) {
  if (layout.complements) return pool.sample_count * layout.width();
  return pool.sample_count * static_cast<std::uint64_t>(pool.class_count) * row_width(pool);
}

/// What was encoded, and how.
struct Encoded {
  DigestLayout layout;
  std::unique_ptr<DigestEncoder> encoder;
};

Encoded encoded(Pool& pool, const std::string& name, bool keeps_all, DigestLayout layout,
                const Run& run) {
  auto encoder = std::make_unique<DigestEncoder>(name, keeps_all, layout);
  BlockConsumer* const consumers[] = {encoder.get()};
  scan(pool, consumers, run);
  return {std::move(layout), std::move(encoder)};
}

/// The smaller of what teams can depend on and all there is.
Encoded smallest(Pool& pool, const std::string& name, const Run& run) {
  DigestLayout layout = layout_of(pool, run);
  if (!has_scores(pool.kind)) return encoded(pool, name, false, std::move(layout), run);
  // Where each class 1 says all, a count of classes a sample would come on top.
  if (layout.is_all_alone()) return encoded(pool, name, true, std::move(layout), run);
  const Kind kind = pool.kind;
  Encoded some = encoded(pool, name, false, {}, run);
  if (pool.kind != kind) layout = layout_of(pool, run);
  const Tensors& tensors = some.encoder->tensors();
  if (tensors.size() - tensors.size(DigestTensor::truth) <= bytes_of_all(pool, layout)) {
    return some;
  }
  Pool again = pool;
  return encoded(again, name, true, std::move(layout), run);
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
  std::optional<std::uint64_t> pool_rows = options.pool_rows;
  if (!pool_rows && !options.first_row) pool_rows = pool.sample_count;
  pool = with_rows(std::move(pool), range);
  if (first_row > static_cast<std::uint64_t>(max_sample_count) - pool.sample_count) {
    throw UsageError(message("rows {} and on ({}) are too many: a pool has at most 2^31", first_row,
                             option("first_row")));
  }
  if (pool_rows && *pool_rows < first_row + pool.sample_count) {
    throw UsageError(fmt::format("{} rows in all digests, and these end at {}", *pool_rows,
                                 first_row + pool.sample_count));
  }
  const std::vector<Message> notes = pool.notes;
  const auto [layout, encoder] = smallest(pool, path.string(), run);
  DigestSummary summary{.file = path.string(),
                        .pool = pool.name,
                        .kind = pool.kind,
                        .rows = range,
                        .first_row = first_row,
                        .model_count = pool.model_count(),
                        .class_count = pool.class_count,
                        .contested = std::nullopt,
                        .prediction_bytes = bytes_as_given(pool) * pool.sample_count};
  if (has_scores(pool.kind)) summary.contested = encoder->contested();
  // Types were chosen of what lay there before it was encoded.
  check_unchanged(pool);
  summary.bytes = encoder->tensors().write(path, version_of(pool, layout),
                                           about_pool(pool, summary, notes, layout, pool_rows),
                                           std::move(check));
  summary.warnings = pool.notes;
  return summary;
}

}  // namespace hqe
