// SPDX-License-Identifier: MIT
/// The options of prune; sweep, explain and score share some of them.

#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/vote_arguments.h"
#include "hqe/study/options.h"

namespace hqe::cli {

struct PruneArguments {
  PruneOptions options;
  VoteArguments vote;
  std::optional<std::uint64_t> seed;
  bool seeds_more = false;  ///< --seed has a meaning without --sample.

  /// The options, once all words are known. Throws UsageError.
  [[nodiscard]] PruneOptions settled() const;
};

/// Adds --size and --beta, single values or auto.
void add_size_and_beta(Command& command, PruneArguments& prune);

/// Adds every other option of prune. `prune` must outlive the command.
void add_prune_arguments(Command& command, PruneArguments& prune);

/// Adds what says how far the answer can be trusted: --holdout, --folds, --stability, --margin; and
/// --merit. --seed then speaks of them too.
void add_trust_arguments(Command& command, PruneArguments& prune);

/// Adds --sample and --seed.
void add_sample_arguments(Command& command, std::optional<SampleOptions>& sample,
                          std::optional<std::uint64_t>& seed);

/// Joins what --sample and --seed said. Throws UsageError.
[[nodiscard]] std::optional<SampleOptions> settled_sample(std::optional<SampleOptions> sample,
                                                          std::optional<std::uint64_t> seed);

/// One metric by name, any case. Throws UsageError naming the metrics that are allowed.
[[nodiscard]] Metric parse_metric_word(const std::string& word, bool for_pruning);

/// Adds --metric; `for_pruning` says which are allowed.
void add_metric_argument(Command& command, std::vector<Metric>& metrics, bool for_pruning);

/// Adds --weights.
void add_weights_argument(Command& command, Weights& weights);

}  // namespace hqe::cli
