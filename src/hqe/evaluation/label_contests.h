// SPDX-License-Identifier: MIT
/// The contests of votes of labels: who votes with whom. Private to evaluation/.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hqe/evaluation/contest_data.h"

namespace hqe {

/// Who votes for what in one sample, a character a model: not_voting, voting_right, or a rival.
/// Rivals are numbered as they first appear, so samples that differ only in names of classes share
/// their votes; an odd rival is a class above the true one, which wins ties against it.
using LabelVotes = std::u16string;

/// Collects the distinct votes during a scan; the models' correct counts, which break ties and may
/// be weights, are known only afterwards.
class LabelCollector {
 public:
  /// Requires: vote is plurality, majority or weighted.
  LabelCollector(const Pool& pool, Vote vote, int worker_count);
  void collect(const Block& block, int worker);
  [[nodiscard]] std::shared_ptr<const Contests::Data> finish(VoteRule rule, int threads);

 private:
  struct Seen {
    std::uint64_t first = 0;  ///< The lowest sample with these votes.
    std::uint32_t samples = 0;
  };
  struct Worker {
    std::unordered_map<LabelVotes, Seen> seen;
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
