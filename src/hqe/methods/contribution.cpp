// SPDX-License-Identifier: MIT
#include "hqe/methods/contribution.h"

#include <algorithm>
#include <utility>

#include "hqe/scan/scan.h"

namespace hqe {
namespace {

/// One sample's votes.
struct Votes {
  std::vector<std::pair<std::int32_t, std::int64_t>> labels;  ///< Label and its votes, ascending.

  void count(const Block& block, int sample, int models) {
    labels.clear();
    for (int model = 0; model < models; ++model) {
      const std::int32_t label = block.predicted[model * block.count + sample];
      if (label < 0) continue;
      auto place = std::ranges::lower_bound(labels, label, {}, &Votes::label_of);
      if (place == labels.end() || place->first != label) place = labels.insert(place, {label, 0});
      ++place->second;
    }
  }
  [[nodiscard]] std::int64_t of(std::int32_t label) const {
    const auto place = std::ranges::lower_bound(labels, label, {}, &Votes::label_of);
    return place == labels.end() || place->first != label ? 0 : place->second;
  }

 private:
  static std::int32_t label_of(const std::pair<std::int32_t, std::int64_t>& entry) {
    return entry.first;
  }
};

class Contributions : public BlockConsumer {
 public:
  void start(const Pool& pool, int worker_count) override {
    models_ = pool.model_count();
    sums_.assign(static_cast<std::size_t>(worker_count),
                 std::vector<std::int64_t>(static_cast<std::size_t>(models_), 0));
  }

  void consume(const Block& block, int worker) override {
    Votes votes;
    for (int sample = 0; sample < block.count; ++sample) {
      votes.count(block, sample, models_);
      std::int32_t leader = -1;
      std::int64_t most = 0;
      std::int64_t second = 0;
      for (const auto& [label, count] : votes.labels) {
        if (count > most) {
          second = std::exchange(most, count);
          leader = label;
        } else {
          second = std::max(second, count);
        }
      }
      const std::int32_t truth = block.truth[sample];
      for (int model = 0; model < models_; ++model) {
        const std::int32_t label = block.predicted[model * block.count + sample];
        std::int64_t& sum = sums_[worker][model];
        if (label != truth) {
          sum += votes.of(truth) - votes.of(label) - most;
        } else if (label == leader) {
          sum += second;
        } else {
          sum += 2 * most - votes.of(label);
        }
      }
    }
  }

  void finish() override {}

  [[nodiscard]] std::vector<std::int64_t> sums() const {
    std::vector<std::int64_t> total(static_cast<std::size_t>(models_), 0);
    for (const auto& worker : sums_) {
      for (std::size_t model = 0; model < total.size(); ++model) total[model] += worker[model];
    }
    return total;
  }

 private:
  int models_ = 0;
  std::vector<std::vector<std::int64_t>> sums_;  ///< [worker][model].
};

}  // namespace

std::vector<std::int64_t> individual_contributions(Pool pool, const Run& run) {
  Contributions contributions;
  BlockConsumer* const consumers[] = {&contributions};
  scan(pool, consumers, run);
  return contributions.sums();
}

}  // namespace hqe
