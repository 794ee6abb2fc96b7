// SPDX-License-Identifier: MIT
#include "hqe/evaluation/contests.h"

#include <cstdlib>
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
  std::vector<std::uint64_t> result((data_->pattern_count() + 63) / 64, 0);
  const CacheLineVector<std::int32_t> smallest = data_->smallest_sums(team);
  for (std::size_t pattern = 0; pattern < smallest.size(); ++pattern) {
    const bool right = std::abs(smallest[pattern]) <= data_->table.doubt
                           ? data_->literal->is_right(pattern, team)
                           : smallest[pattern] > 0;
    result[pattern / 64] |= std::uint64_t{right} << (pattern % 64);
  }
  return result;
}

}  // namespace hqe
