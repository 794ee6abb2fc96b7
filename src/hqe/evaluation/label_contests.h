// SPDX-License-Identifier: MIT
/// The contests of votes of labels: who votes with whom. Private to evaluation/.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hqe/evaluation/contest_data.h"
#include "hqe/predictions/pool.h"
#include "hqe/votes/label_votes.h"

namespace hqe {

/// Collects the distinct votes during a scan; the models' correct counts, which break ties and may
/// be weights, are known only afterwards.
class LabelCollector {
 public:
  /// Requires: vote is plurality, majority or weighted.
  LabelCollector(const Pool& pool, Vote vote, int worker_count);
  void collect(const Block& block, int worker);
  [[nodiscard]] std::shared_ptr<const Contests::Data> finish(VoteRule rule, int threads);

 private:
  struct Worker {
    SeenVotes seen;
    LabelCodes codes;
    std::uint64_t always_right = 0;
    std::uint64_t samples = 0;
  };
  /// What all workers saw, as the rule's weights leave it.
  [[nodiscard]] Worker merged(const VoteRule& rule);

  int model_count_;
  Vote vote_;
  std::vector<Worker> workers_;
};

}  // namespace hqe
