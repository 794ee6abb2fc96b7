// SPDX-License-Identifier: MIT
/// The next tier's candidates from the survivors of the last, without looking at any other team.
///
/// Teams are handled without the required members ("free parts"): these are in every team, so they
/// neither distinguish teams nor change their order.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/pruning/eligibility.h"

namespace hqe {

/// Called with the number of candidates before any is stored; may throw to refuse them.
using CountCheck = std::function<void(std::uint64_t count)>;

/// The free parts one member larger all of whose parts (one member fewer) are among the survivors,
/// and which, with the required members, are within budget; given back as whole teams, in team
/// order. A part P + {a, b} is found where the survivors P + {a} and P + {b} share all but their
/// last member; its other parts P - {p} + {a, b} are looked up for P and a at once.
///
/// Thread safety: const members may be called from several threads.
class JoinedSurvivors {
 public:
  /// Requires: `survivors` in team order; `eligibility` outlives this. What `check` throws passes
  /// through. Memory: the survivors.
  JoinedSurvivors(TeamList survivors, const Eligibility& eligibility, const CountCheck& check,
                  const Run& run);
  ~JoinedSurvivors();
  JoinedSurvivors(const JoinedSurvivors&) = delete;
  JoinedSurvivors& operator=(const JoinedSurvivors&) = delete;

  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] int team_size() const;
  [[nodiscard]] TeamList list(const Run& run) const;

  /// Shows all of them, about a thousand at a time: `some` begins with candidate `first`. Calls as
  /// parallel_for() does.
  using Visit = std::function<void(const TeamList& some, std::uint64_t first, int worker)>;
  void for_each_some(const Run& run, std::string_view stage, const Visit& visit) const;

  class Groups;  // What candidates.cpp works with.
  class Join;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace hqe
