// SPDX-License-Identifier: MIT
/// What the verbs that prune have in common before they part: options settled, pools read.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/study/correct_counts.h"
#include "hqe/study/measure.h"
#include "hqe/study/merits.h"
#include "hqe/study/scorer.h"
#include "hqe/study/search.h"
#include "hqe/study/settings.h"
#include "hqe/study/study.h"

namespace hqe {

/// A pool (and perhaps a test pool) after reading, with the means to score and judge its teams.
struct Prepared {
  /// Whether many teams will be asked for on the test pool, or only what is chosen.
  enum class TestTeams { many, few };

  /// Throws UsageError, InputError.
  Prepared(Pool pool, std::optional<Pool> test, const PruneOptions& asked, const Run& run_as,
           TestTeams test_teams = TestTeams::many);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  Run run;
  PruneOptions options;  ///< With the ids and weights of the models that both pools have.
  Settings settings;
  std::vector<std::string> warnings;
  Measured measured;
  std::optional<Measured> test;
  Scorer scorer;
  CorrectCounts correct;
  std::optional<CorrectCounts> test_correct;
  std::optional<Merits> merits, test_merits;  ///< Where merit is not accuracy.
  TeamFigures reference;                      ///< The entire ensemble.

  [[nodiscard]] int model_count() const { return measured.pool.model_count(); }
  [[nodiscard]] const Eligibility& eligibility() const { return settings.hierarchical.eligibility; }

  /// Learns the teams' counts on both pools.
  void learn(const TeamList& teams);
  [[nodiscard]] Counters counters() const {
    return {&correct, test_correct ? &*test_correct : nullptr, merits ? &*merits : nullptr,
            test_merits ? &*test_merits : nullptr};
  }
  /// A team with its counts on both pools.
  [[nodiscard]] TeamFigures figures(const Team& team) const;
  /// Both pools' files are still what they were. Throws InputError.
  void check_unchanged() const;

 private:
  Prepared(MatchedPools matched, const Run& run_as, TestTeams test_teams);
};

}  // namespace hqe
