// SPDX-License-Identifier: MIT
#include "hqe/predictions/digest.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "hqe/predictions/truth.h"

namespace hqe {

Digest::Digest(std::vector<DigestPart> parts) : parts_(std::move(parts)) {
  std::uint64_t end = 0;
  for (const DigestPart& part : parts_) ends_.push_back(end += part.shape().sample_count);
}

Digest::Row Digest::find(std::uint64_t row) const {
  if (parts_.size() == 1) return {parts_.data(), row};
  const auto found = std::ranges::upper_bound(ends_, row);
  const DigestPart& part = parts_[static_cast<std::size_t>(found - ends_.begin())];
  return {&part, row - (*found - part.shape().sample_count)};
}

Pool pool_of_digests(DigestedPool digested) {
  Pool pool = std::move(digested.pool);
  std::vector<LabelledRows> truth;
  pool.sample_count = 0;
  for (const DigestPart& part : digested.parts) {
    pool.sample_count += part.shape().sample_count;
    truth.push_back({&part.columns().truth, part.file()});
  }
  const auto rows = static_cast<std::int64_t>(pool.sample_count);
  pool.truth =
      pool.kind == Kind::correctness ? all_of_class(1, rows) : copy_truth(truth, pool.class_count);
  for (std::size_t column = 0; column < pool.models.size(); ++column) {
    Model& model = pool.models[column];
    model.column = column;
    model.predictions.rank = has_scores(pool.kind) ? 2 : 1;
    model.predictions.shape = {rows, has_scores(pool.kind) ? pool.class_count : 1};
  }
  pool.digest = std::make_shared<const Digest>(std::move(digested.parts));
  return pool;
}

}  // namespace hqe
