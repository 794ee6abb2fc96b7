// SPDX-License-Identifier: MIT
#include "hqe/evaluation/contests.h"

#include <utility>

#include "hqe/evaluation/contest_data.h"
#include "hqe/evaluation/list_kernel.h"

namespace hqe {

Contests::Contests(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

const ContestSummary& Contests::summary() const { return data_->summary; }

int Contests::model_count() const { return data_->model_count; }

const VoteRule& Contests::rule() const { return data_->rule; }

std::span<const std::uint32_t> Contests::weights() const {
  return std::span(data_->weights).first(data_->pattern_count());
}

std::uint64_t Contests::correct_count(TeamView team) const {
  TeamList teams(static_cast<int>(team.size()));
  teams.push_back(team);
  return correct_counts(teams, {.threads = 1}).front();
}

CacheLineVector<std::int32_t> Contests::Data::smallest_sums(TeamView team) const {
  CacheLineVector<std::int32_t> smallest(groups.size() * group_size);
  find_smallest_sums(*this, team, smallest);
  smallest.resize(pattern_count());
  return smallest;
}

std::vector<std::uint64_t> Contests::right_patterns(TeamView team) const {
  const std::size_t patterns = data_->pattern_count();
  std::vector<std::uint64_t> result((patterns + 63) / 64, 0);
  std::vector<Doubt> doubts;
  find_right(*data_, team, result, doubts);
  for (const auto& [_, pattern] : doubts) {
    if (pattern >= patterns || !data_->literal->is_right(pattern, team)) continue;
    result[pattern / 64] |= std::uint64_t{1} << (pattern % 64);
  }
  // What fills the last group is right, and nobody's.
  if (patterns % 64 != 0) result.back() &= (std::uint64_t{1} << (patterns % 64)) - 1;
  return result;
}

}  // namespace hqe
