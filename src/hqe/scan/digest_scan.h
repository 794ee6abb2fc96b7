// SPDX-License-Identifier: MIT
/// What the scan and those after it read where predictions are digests. Private to scan/.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hqe/ensemble/team.h"
#include "hqe/predictions/detect.h"
#include "hqe/predictions/digest.h"

namespace hqe {

/// Whom a block of digested samples is read for.
struct DigestBlock {
  std::uint64_t first = 0;
  std::span<const std::int32_t> truth;
  std::span<std::int32_t> predicted;  ///< predicted[model * count + i].
  std::vector<std::uint32_t>& rival_begin;
  std::vector<std::int32_t>& rivals;
  std::vector<std::uint32_t>& rounded;  ///< model * count + i of rows that were rounded.
  std::function<void(int model, std::uint64_t row, RowFault)> report;
};

/// Predicted labels and rivals as the scan finds them (scan.h), of what digests keep: of the rivals
/// those that another one does not make idle, which contests would drop. Faults are reported.
void read_digest_block(const Pool& pool, const DigestBlock& block);

/// Of label and correctness pools: a model's labels of consecutive samples.
void read_digest_labels(const Pool& pool, ModelId model, std::uint64_t first,
                        std::span<std::int32_t> out);

/// class_scores() and scores_of_classes() of scan.h; a class that is not kept has 0.
void digest_class_scores(const Pool& pool, ModelId model, std::uint64_t sample,
                         std::span<double> out);
void digest_scores_of(const Pool& pool, ModelId model, std::uint64_t sample,
                      std::span<const std::int32_t> classes, double* out, std::size_t step);

/// scores_of_models() of sample_scores.h.
void digest_scores_of_models(const Pool& pool, std::uint64_t sample,
                             std::span<const std::int32_t> classes, double* out);

/// scores_of_truth() of sample_scores.h.
void digest_scores_of_truth(const Pool& pool, TeamView team, std::uint64_t sample,
                            std::span<double> out);

/// predicted_label() of scan.h, of any kind.
[[nodiscard]] std::int64_t digest_label(const Pool& pool, ModelId model, std::uint64_t sample);

/// The file that a sample's predictions are in.
[[nodiscard]] const std::string& digest_file(const Pool& pool, std::uint64_t sample);

}  // namespace hqe
