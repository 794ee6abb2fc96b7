// SPDX-License-Identifier: MIT
/// One pool after its scan, and what its teams are worth.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "hqe/base/run.h"
#include "hqe/search/counted_teams.h"
#include "hqe/search/measure.h"
#include "hqe/search/merits.h"

namespace hqe {

/// Thread safety: const members may be called from several threads.
class CountedPool {
 public:
  /// `selection_samples`: of the pool that teams are chosen on. Requires: `measured` has contests.
  CountedPool(Measured measured, Merit merit, std::uint64_t selection_samples, const Run& run);

  [[nodiscard]] const Measured& measured() const { return measured_; }
  [[nodiscard]] const Pool& pool() const { return measured_.pool; }
  [[nodiscard]] const Contests& contests() const { return correct_.contests(); }
  [[nodiscard]] const CountedTeams& correct() const { return correct_; }
  /// Nothing where merit is accuracy.
  [[nodiscard]] const std::optional<Merits>& merits() const { return merits_; }

  /// Learns the teams' correct counts. Requires: team order.
  void learn(const std::shared_ptr<const TeamList>& teams) { correct_.learn(teams); }
  /// Of every team of every size. Requires: at most most_models_for_every_team models.
  void learn_every_team() { correct_.learn_every_team(); }

 private:
  Measured measured_;
  CountedTeams correct_;
  std::optional<Merits> merits_;
};

}  // namespace hqe
