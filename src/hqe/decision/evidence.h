// SPDX-License-Identifier: MIT
/// What teams are worth on each cell of the samples.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/decision/cells.h"
#include "hqe/ensemble/team_table.h"

namespace hqe {

/// Teams with what each is worth on each cell. All of it is sums, so that halves can be compared.
struct Evidence {
  TeamTable teams;
  PerCell<double> samples{};           ///< What a team that is always right is worth.
  std::vector<PerCell<double>> worth;  ///< By team: right answers, or another merit's sum.
  /// By team: how surely it is right (Contests::sureness), of those that were asked for. Empty:
  /// worth alone decides.
  std::vector<PerCell<std::uint64_t>> sureness;
};

/// Some of the samples, and what a right answer to one of them is worth.
struct EvidencePart {
  Contests contests;
  double worth = 1;
};

/// The worth of teams is counted part by part, `seed` deals the samples of each part.
class EvidenceSource {
 public:
  EvidenceSource(std::vector<EvidencePart> parts, std::uint64_t seed);

  /// Adds teams with their worth to `evidence`.
  void add(Evidence& evidence, const TeamTable& teams, const Run& run) const;
  /// Only of all samples as one part is it known how sure teams are.
  [[nodiscard]] bool has_sureness() const { return parts_.size() == 1; }
  /// Fills in how sure these teams are.
  void add_sureness(Evidence& evidence, std::span<const std::size_t> places, const Run& run) const;

 private:
  std::vector<EvidencePart> parts_;
  std::vector<Cells> cells_;
};

}  // namespace hqe
