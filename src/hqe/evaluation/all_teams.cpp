// SPDX-License-Identifier: MIT
#include <cassert>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contest_data.h"

namespace hqe {

std::vector<std::uint32_t> Contests::correct_counts_of_all_teams(const Run& run) const {
  assert(model_count() <= 24);
  std::vector<std::uint32_t> counts(std::size_t{1} << model_count(), 0);
  for (int size = 1; size <= model_count(); ++size) {
    const TeamList teams = EnsSet(model_count(), size).list();
    const auto right = correct_counts(teams, run);
    for (std::size_t i = 0; i < teams.size(); ++i) {
      std::size_t mask = 0;
      for (const ModelId model : teams[i]) mask |= std::size_t{1} << model;
      counts[mask] = static_cast<std::uint32_t>(right[i]);
    }
  }
  return counts;
}

}  // namespace hqe
