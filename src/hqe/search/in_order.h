// SPDX-License-Identifier: MIT
/// Lists of millions of teams put in the order in which a study tells them.

#pragma once

#include <memory>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/search/kept_teams.h"
#include "hqe/study/study.h"

namespace hqe {

/// Teams of one size to be put in order, by places in a list.
struct ListedTeams {
  std::shared_ptr<const TeamList> list;
  const TeamValues* values = nullptr;  ///< Of the list; not null.
  KeptTeams::OfSearch kept;
  std::vector<int> votes;  ///< One a place; empty where nobody voted.
};

/// All teams of several sizes, ordered by votes, then score as compared (rounded), then team order.
/// Memory: of one size 4 bytes a team beside what is given and returned. The same for any number of
/// threads.
[[nodiscard]] SelectedTeams in_order(std::vector<ListedTeams> sizes,
                                     const Run& run = {.threads = 1});

}  // namespace hqe
