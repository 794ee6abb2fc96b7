// SPDX-License-Identifier: MIT
/// What every model says of some classes of one sample, read at once.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// scores_of_classes() of every model: what model m says of classes[i] at out[i * M + m]; `row` is
/// memory to reuse. Requires: has_scores(kind).
void scores_of_models(const Pool& pool, std::uint64_t sample, std::span<const std::int32_t> classes,
                      double* out, std::vector<double>& row);

/// What each member of a team says of the true class of a sample. Requires: has_scores(kind),
/// out.size() == team.size().
void scores_of_truth(const Pool& pool, TeamView team, std::uint64_t sample, std::span<double> out,
                     std::vector<double>& row);

/// Has the memory fetch what scores_of_models() will read of the true class and the rivals soon
/// after sample `i` of the block: the rows of a block lie in a cache that is slow to answer.
void fetch_scores_after(const Block& block, int i);

/// Has the memory fetch what class_scores() of these models will read of a sample: samples that lie
/// far apart, no hardware guesses.
void fetch_class_scores(const Pool& pool, TeamView team, std::uint64_t sample);

}  // namespace hqe
