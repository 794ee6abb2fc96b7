// SPDX-License-Identifier: MIT
/// The options of prune; sweep, explain and score share some of them.

#pragma once

#include <cstdint>
#include <optional>

#include "hqe/study/options.h"
#include "options/option.h"
#include "options/vote_options.h"

namespace hqe::options {

struct PruneWords {
  PruneOptions options;
  VoteWords vote;
  std::optional<std::uint64_t> seed;
  bool seeds_more = false;  ///< The seed has a meaning without a sample.

  /// The options, once all words are known. Throws UsageError.
  [[nodiscard]] PruneOptions settled() const;
};

/// Adds size and beta, single values or auto. Here and below, what is filled must outlive the list.
void add_size_and_beta(OptionList& list, PruneWords& prune);

/// Adds every other option that prune, sweep and explain share.
void add_prune_options(OptionList& list, PruneWords& prune);

/// Adds what says how far the answer can be trusted: holdout, folds, stability, margin; and merit.
/// The seed then speaks of them too.
void add_trust_options(OptionList& list, PruneWords& prune);

/// Adds sample and seed.
void add_sample_options(OptionList& list, std::optional<SampleOptions>& sample,
                        std::optional<std::uint64_t>& seed);

/// Joins what sample and seed said. Throws UsageError.
[[nodiscard]] std::optional<SampleOptions> settled_sample(std::optional<SampleOptions> sample,
                                                          std::optional<std::uint64_t> seed);

/// Adds metrics; `for_pruning` says which are allowed.
void add_metrics_option(OptionList& list, std::vector<Metric>& metrics, bool for_pruning);

/// Adds weights.
void add_weights_option(OptionList& list, Weights& weights);

/// Adds budget.
void add_budget_option(OptionList& list, std::vector<Budget>& budget);

/// What prune is asked, or where not `own` what sweep and explain are. Throws UsageError,
/// UnknownOption.
[[nodiscard]] PruneOptions read_prune_options(const Words& words, bool own);

}  // namespace hqe::options
