// SPDX-License-Identifier: MIT
#include "hqe/scan/sample_scores.h"

#include "hqe/predictions/copied_rows.h"
#include "hqe/scan/digest_scan.h"

namespace hqe {

void scores_of_models(const Pool& pool, std::uint64_t sample, std::span<const std::int32_t> classes,
                      double* out, std::vector<double>& row) {
  if (pool.digest) return digest_scores_of_models(pool, sample, classes, out);
  const std::size_t models = pool.models.size();
  for (std::size_t m = 0; m < models; ++m) {
    scores_of_classes(pool, static_cast<ModelId>(m), sample, classes, out + m, models, row);
  }
}

void scores_of_truth(const Pool& pool, TeamView team, std::uint64_t sample, std::span<double> out,
                     std::vector<double>& row) {
  if (pool.digest) return digest_scores_of_truth(pool, team, sample, out);
  const std::int32_t truth[] = {pool.true_label(sample)};
  for (std::size_t m = 0; m < team.size(); ++m) {
    scores_of_classes(pool, team[m], sample, truth, &out[m], 1, row);
  }
}

void fetch_scores_after(const Block& block, int i) {
  constexpr int ahead = 2;
  const int next = i + ahead;
  const Pool& pool = *block.pool;
  if (next >= block.count || pool.digest || pool.kind != Kind::probabilities) return;
  const auto rivals = block.rivals.subspan(block.rival_begin[next],
                                           block.rival_begin[next + 1] - block.rival_begin[next]);
  const auto row = static_cast<std::int64_t>(block.first) + next;
  for (const Model& model : pool.models) {
    const Array& array = model.predictions;
    const std::byte* const values = array.data + array.stored_row(row) * array.strides[0];
    __builtin_prefetch(values + block.truth[next] * array.strides[1]);
    for (const std::int32_t label : rivals) __builtin_prefetch(values + label * array.strides[1]);
  }
}

void fetch_class_scores(const Pool& pool, TeamView team, std::uint64_t sample) {
  constexpr std::int64_t line = 64;
  if (pool.digest) return;
  for (const ModelId model : team) {
    const Array& array = pool.models[model].predictions;
    const auto item = static_cast<std::int64_t>(size_of(array.dtype));
    if (array.strides[1] != item || lender_of_rows(array) != nullptr) continue;
    const std::int64_t row = array.stored_row(static_cast<std::int64_t>(sample));
    const std::byte* const values = array.data + row * array.strides[0];
    for (std::int64_t at = 0; at < item * array.columns(); at += line)
      __builtin_prefetch(values + at);
  }
}

}  // namespace hqe
