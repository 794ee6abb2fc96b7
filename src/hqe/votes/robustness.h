// SPDX-License-Identifier: MIT
/// How far an input may move before a team's answer can change, where bounds on the members'
/// gradients are known (spec section 6).

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// The certified radii of one team.
struct CertifiedRadii {
  std::vector<double> radii;       ///< Of the samples that the team gets right, ascending.
  std::uint64_t sample_count = 0;  ///< Of the pool.
  bool estimated = false;          ///< Whether a member's bound is an estimate.

  /// Over the samples that the team gets right; 0 when there is none.
  [[nodiscard]] double median() const;
  /// The share of all samples that are right and stay so within `radius`.
  [[nodiscard]] double share(double radius) const;
};

/// The smallest bound over all other classes, for each sample that the team's soft vote gets right;
/// a lower bound of the paper's R_avg. No radius is above the smallest lipschitz_radius of a
/// member: further out its bound says nothing. Nothing where the pool has no scores or fewer than
/// two classes, or where a member has no positive Lipschitz bound. Reads the members' scores again.
/// The same bits for any number of threads.
[[nodiscard]] std::optional<CertifiedRadii> certified_radii(const Pool& pool, TeamView team,
                                                            const Run& run);

}  // namespace hqe
