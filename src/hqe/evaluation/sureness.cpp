// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "hqe/base/elementary.h"
#include "hqe/evaluation/contest_data.h"
#include "hqe/evaluation/contests.h"
#include "hqe/evaluation/lead_kernel.h"

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
  const CacheLineVector<std::int32_t> sums = data.smallest_sums(team);
  std::vector<double> leads(sums.size());
  for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
    leads[pattern] = unit * sums[pattern];
  }
  return leads;
}

/// No further than two votes of a team of `size`.
double cut_off(double lead, std::size_t size) {
  const double most = std::min(1.0, most_votes_ahead / static_cast<double>(size));
  return std::clamp(lead, -most, most);
}

/// The leads of weighted labels.
std::vector<double> label_leads(const Contests::Data& data, TeamView team) {
  std::vector<double> leads(data.pattern_count());
  data.leads->write_leads(team, leads);
  for (double& lead : leads) lead = cut_off(lead, team.size());
  return leads;
}

std::uint32_t at(double lead) {
  static const Logistic logistic = make_logistic();
  // Never negative, so that cutting off the fraction is rounding down, without a call.
  const double step = (std::clamp(lead, -1.0, 1.0) + 1) * steps + 0.5;
  return logistic[static_cast<std::size_t>(static_cast<std::int64_t>(step))];
}

/// Whole votes have few leads, so each is looked up once.
std::vector<std::uint32_t> sureness_of_votes(const Contests::Data& data, TeamView team) {
  CacheLineVector<std::int16_t> leads(data.votes.stride);
  count_leads(data.votes, team, data.rule.vote == Vote::majority, leads);
  const auto size = static_cast<int>(team.size());
  std::vector<std::uint32_t> by_lead;
  for (int lead = -size; lead <= size; ++lead) {
    by_lead.push_back(at(cut_off(static_cast<double>(lead) / size, team.size())));
  }
  std::vector<std::uint32_t> result(data.pattern_count());
  for (std::size_t pattern = 0; pattern < result.size(); ++pattern) {
    result[pattern] = by_lead[static_cast<std::size_t>(leads[pattern] + size)];
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> Contests::sureness(TeamView team) const {
  if (data_->votes.stride > 0) return sureness_of_votes(*data_, team);
  const std::vector<double> leads =
      data_->leads ? label_leads(*data_, team) : score_leads(*data_, team);
  std::vector<std::uint32_t> result(leads.size());
  std::ranges::transform(leads, result.begin(), at);
  return result;
}

}  // namespace hqe
