// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "hqe/base/elementary.h"
#include "hqe/evaluation/contest_data.h"
#include "hqe/evaluation/contests.h"

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
        static_cast<std::uint32_t>(std::floor(whole / (1 + portable_exp(-lead / width)) + 0.5));
  }
  return table;
}

/// The leads of class scores: sums of margins as a share of all that the members have to give.
std::vector<double> score_leads(const Contests::Data& data, TeamView team) {
  double whole_vote = 0;
  for (const ModelId model : team) {
    whole_vote += data.rule.weights.empty() ? 1.0 : data.rule.weights[model];
  }
  const double unit = whole_vote > 0 ? 1 / (data.score_scale * whole_vote) : 0;
  const std::vector<std::int32_t> sums = data.smallest_sums(team);
  std::vector<double> leads(sums.size());
  for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
    leads[pattern] = unit * sums[pattern];
  }
  return leads;
}

/// The leads of labels, no further than two votes.
std::vector<double> label_leads(const Contests::Data& data, TeamView team) {
  std::vector<double> leads(data.pattern_count());
  data.leads->write_leads(team, leads);
  const double most = std::min(1.0, most_votes_ahead / static_cast<double>(team.size()));
  for (double& lead : leads) lead = std::clamp(lead, -most, most);
  return leads;
}

}  // namespace

std::vector<std::uint32_t> Contests::sureness(TeamView team) const {
  static const Logistic logistic = make_logistic();
  const std::vector<double> leads =
      data_->leads ? label_leads(*data_, team) : score_leads(*data_, team);
  std::vector<std::uint32_t> result(leads.size());
  for (std::size_t pattern = 0; pattern < leads.size(); ++pattern) {
    const double lead = std::clamp(leads[pattern], -1.0, 1.0);
    result[pattern] = logistic[static_cast<std::size_t>(std::floor((lead + 1) * steps + 0.5))];
  }
  return result;
}

}  // namespace hqe
