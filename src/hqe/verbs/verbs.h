// SPDX-License-Identifier: MIT
/// The verbs: each takes a pool and options and returns plain data. Implemented in files of their
/// names, apply in a header of its own: cascade.cpp, evaluate.cpp, explain.cpp, inspect.cpp,
/// order.cpp, prune.cpp, score.cpp, sweep.cpp and team_of.cpp.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/predictions/pool.h"
#include "hqe/serving/cascade.h"
#include "hqe/study/options.h"
#include "hqe/study/study.h"
#include "hqe/study/team_file.h"
#include "hqe/verbs/apply.h"

namespace hqe {

/// Prunes a pool and judges the result; with `test`, teams and baselines are chosen on `pool` and
/// counted on both. Models of `pool` that `test` lacks are dropped from both, with a warning.
/// Throws UsageError, InputError.
[[nodiscard]] Study prune(Pool pool, const PruneOptions& options, const Run& run = {},
                          std::optional<Pool> test = std::nullopt);

struct Sweep {
  PoolSummary pool;
  PruneOptions options;
  Vote vote = Vote::plurality;
  TeamFigures reference;
  std::vector<SweepRow> rows;
  std::vector<Message> warnings;
};
/// Each pair of size and beta; the work is shared between settings.
[[nodiscard]] Sweep sweep(Pool pool, const std::vector<int>& sizes,
                          const std::vector<double>& betas, const PruneOptions& options,
                          const Run& run = {});

/// What sweep() answers, made of the rows that others found, who had some of the betas each. Throws
/// what sweep() throws, and InputError where rows of a setting are missing, there twice, or of
/// other metrics.
[[nodiscard]] Sweep sweep_of_rows(Pool pool, const std::vector<int>& sizes,
                                  const std::vector<double>& betas, const PruneOptions& options,
                                  std::vector<SweepRow> rows, const Run& run = {});

/// Why a team was kept, pruned or cut, by each metric.
struct Explanation {
  enum class Fate { kept, pruned, cut, not_eligible, larger, single };
  struct Opinion {
    std::string metric;
    Fate fate = Fate::kept;
    /// Cut, or larger than wanted: the pruned sub-team, the first by tier, then team order (empty
    /// where a larger team has none); pruned or kept: the team itself.
    Team culprit;
    int tier = 0;                  ///< The size of `culprit`.
    double score = 0;              ///< Of `culprit`.
    std::uint64_t rank = 0;        ///< Of `culprit` among its tier's candidates, 1 = best.
    std::uint64_t candidates = 0;  ///< In that tier.
    std::string why;
  };
  Team team;
  std::uint64_t correct = 0;
  std::vector<Opinion> opinions;
  std::string why;
};
struct Explanations {
  PoolSummary pool;
  PruneOptions options;
  Vote vote = Vote::plurality;
  int desired_size = 0;
  TeamFigures reference;
  std::vector<Explanation> teams;
  std::vector<Message> warnings;
};
[[nodiscard]] Explanations explain(Pool pool, const std::vector<Team>& teams,
                                   const PruneOptions& options, const Run& run = {});

struct ScoreOptions {
  int size_min = 2, size_max = 2;
  std::vector<Metric> metrics;  ///< Empty: all that can prune.
  bool focal = false;           ///< Also the unscaled q_f.
  Weights weights = Weights::rank;
  std::optional<SampleOptions> sample;
  std::uint64_t max_candidates = PruneOptions{}.max_candidates;
};
struct Scores {
  struct Column {
    Metric metric = Metric::gd;
    std::vector<double> scores;  ///< One a team.
    std::vector<double>
        focal;  ///< q_f, team after team, member after member; NaN where f never fails.
  };
  PoolSummary pool;
  ScoreOptions options;
  TeamTable teams;  ///< In size, then team order.
  std::vector<Column> columns;
  std::vector<Message> warnings;
};
[[nodiscard]] Scores score(Pool pool, const ScoreOptions& options, const Run& run = {});

struct EvaluateOptions {
  std::optional<int> size_min, size_max;
  std::vector<Team> teams;  ///< Neither sizes nor teams: every team, of few models.
  VoteOptions vote;
  std::uint64_t max_candidates = PruneOptions{}.max_candidates;
};
struct Evaluation {
  PoolSummary pool;
  EvaluateOptions options;
  Vote vote = Vote::plurality;
  TeamTable teams;
  std::vector<std::uint64_t> correct;
  std::vector<Message> warnings;
};
[[nodiscard]] Evaluation evaluate(Pool pool, const EvaluateOptions& options, const Run& run = {});

struct Inspection {
  struct ModelNotes {
    std::uint64_t abstentions = 0;
    std::vector<std::string> notes;
  };
  PoolSummary pool;
  std::vector<ModelNotes> models;
  std::uint64_t correct_min = 0, correct_max = 0;
  double accuracy_mean = 0;
  std::vector<std::uint64_t> co_failures;  ///< a_ij, M x M.
  std::vector<Message> warnings;
};
[[nodiscard]] Inspection inspect(Pool pool, const Run& run = {});

struct OrderOptions {
  VoteOptions vote;
  std::uint64_t seed = PruneOptions{}.seed;  ///< Of the halves that judge the order.
};
/// A team's early exit, on every sample.
struct Ordering {
  PoolSummary pool;
  Vote vote = Vote::plurality;
  TeamFigures figures;
  EarlyExit exit;
  std::vector<Message> warnings;
};
/// The order of the team's members that costs least, where they run until the vote is decided. With
/// `test` it is judged there; every member must be in it by name. Neither pool needs true labels,
/// unless ties or weights go by correct counts that the options lack; without them `correct` means
/// nothing. Throws UsageError, InputError.
[[nodiscard]] Ordering order(Pool pool, const Team& team, const OrderOptions& options,
                             const Run& run = {}, const std::optional<Pool>& test = std::nullopt);

/// A team's cascades: not exact, but for the first of them.
struct Cascading {
  PoolSummary pool;
  OrderOptions options;
  Vote vote = Vote::plurality;
  TeamFigures figures;          ///< The full vote, on all samples.
  bool is_recommended = false;  ///< No team was named: it is what prune() recommends.
  CascadeFront front;
  std::optional<std::string> test;  ///< The test pool's name.
  std::vector<Message> warnings;
};
/// The front of accuracy against expected cost of stopping early where members agree or are sure
/// enough, chosen on some samples and judged on others. No team: the one that prune() recommends
/// for the pool. Throws UsageError, InputError.
[[nodiscard]] Cascading cascade(Pool pool, const std::optional<Team>& team,
                                const OrderOptions& options, const Run& run = {},
                                const std::optional<Pool>& test = std::nullopt);

/// Any team of a pool as one to hand on: its temperature and early exit come from every sample, and
/// what to expect of it is what it did on them (HeldOut::nothing). Throws UsageError, InputError.
[[nodiscard]] TeamFile team_of(Pool pool, const Team& team, const OrderOptions& options,
                               const Run& run = {});

}  // namespace hqe
