// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "hqe/base/elementary.h"
#include "hqe/evaluation/contest_data.h"

namespace hqe {
namespace {

constexpr double width = 0.1;
constexpr double most_votes_ahead = 2;
constexpr double whole = 1 << 20;
/// Leads are rounded to so many a whole vote: finer ones tell nothing.
constexpr int steps = 1024;

using Logistic = std::array<std::uint32_t, 2 * steps + 1>;

Logistic make_logistic() {
  Logistic table{};
  for (int step = -steps; step <= steps; ++step) {
    const double lead = static_cast<double>(step) / steps;
    table[static_cast<std::size_t>(step + steps)] =
        static_cast<std::uint32_t>(std::floor(whole / (1 + exact_exp(-lead / width)) + 0.5));
  }
  return table;
}

}  // namespace

std::vector<std::uint32_t> Contests::sureness(TeamView team) const {
  static const Logistic logistic = make_logistic();
  std::vector<double> leads(data_->pattern_count());
  data_->judge->write_leads(team, leads);
  const bool by_labels = rule().vote == Vote::plurality || rule().vote == Vote::majority;
  const double most =
      by_labels ? std::min(1.0, most_votes_ahead / static_cast<double>(team.size())) : 1.0;
  std::vector<std::uint32_t> result(leads.size());
  for (std::size_t pattern = 0; pattern < leads.size(); ++pattern) {
    const double lead = std::clamp(leads[pattern], -most, most);
    result[pattern] = logistic[static_cast<std::size_t>((lead + 1) * steps + 0.5)];
  }
  return result;
}

}  // namespace hqe
