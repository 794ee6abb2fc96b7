// SPDX-License-Identifier: MIT
/// Where the verbs that prune look for teams: options settled, pools read.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/predictions/samples.h"
#include "hqe/search/counted_pool.h"
#include "hqe/search/scorer.h"
#include "hqe/search/search.h"
#include "hqe/search/settings.h"
#include "hqe/study/match_pools.h"
#include "hqe/study/study.h"

namespace hqe {

/// The teams of a pool under settled options: scored, counted there and perhaps on a test pool, and
/// held against the entire ensemble. What was asked for never changes; counts of teams are learned.
class SearchSpace {
 public:
  /// Whether many teams will be asked for on the test pool, or only what is chosen.
  enum class TestTeams { many, few };

  /// Reads both pools. Throws UsageError, InputError.
  SearchSpace(Pool pool, std::optional<Pool> test, const PruneOptions& asked, const Run& run,
              TestTeams test_teams = TestTeams::many);
  /// Parts of the selection pool of `whole` under `asked`: one to choose on and, unless it is
  /// empty, one to judge on. Reads no more of them again than it has to. Throws UsageError,
  /// InputError.
  SearchSpace(const SearchSpace& whole, const SampleSplit& split, const PruneOptions& asked,
              const Run& run, TestTeams test_teams = TestTeams::many);
  SearchSpace(const SearchSpace&) = delete;
  SearchSpace& operator=(const SearchSpace&) = delete;

  [[nodiscard]] const Run& run() const { return run_; }
  /// With the ids and weights of the models that both pools have.
  [[nodiscard]] const PruneOptions& options() const { return options_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const Eligibility& eligibility() const {
    return settings_.hierarchical.eligibility;
  }
  [[nodiscard]] const std::vector<Message>& warnings() const { return warnings_; }

  /// The pool that teams are chosen on.
  [[nodiscard]] const CountedPool& selection() const { return selection_; }
  /// Null without a test pool.
  [[nodiscard]] const CountedPool* test() const { return test_ ? &*test_ : nullptr; }
  [[nodiscard]] int model_count() const { return selection_.pool().model_count(); }
  /// The entire ensemble.
  [[nodiscard]] const TeamFigures& reference() const { return reference_; }

  [[nodiscard]] Scorer& scorer() { return scorer_; }
  [[nodiscard]] const Scorer& scorer() const { return scorer_; }

  /// Learns the teams' counts on both pools. Requires: team order.
  void learn(const std::shared_ptr<const TeamList>& teams);
  void learn(const TeamList& teams) { learn(std::make_shared<const TeamList>(teams)); }
  void learn_on_selection(const std::shared_ptr<const TeamList>& teams) { selection_.learn(teams); }
  [[nodiscard]] Counters counters() const;
  /// A team with its counts on both pools.
  [[nodiscard]] TeamFigures figures(const Team& team) const;

  /// Both pools' files are still what they were. Throws InputError.
  void check_unchanged() const;

 private:
  /// What is known of the two pools where they are parts of one that was read.
  struct Parts {
    std::optional<RecordedPart> selection, test;
  };
  SearchSpace(MatchedPools matched, const Run& run, TestTeams test_teams, Parts parts);

  Run run_;
  PruneOptions options_;
  Settings settings_;
  std::vector<Message> warnings_;
  CountedPool selection_;
  std::optional<CountedPool> test_;
  Scorer scorer_;
  TeamFigures reference_;
};

}  // namespace hqe
