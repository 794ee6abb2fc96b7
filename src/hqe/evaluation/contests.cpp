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
  TeamTable teams;
  teams.push_back(team);
  return right_patterns(teams, {.threads = 1});
}

std::vector<std::uint64_t> Contests::right_patterns(const TeamTable& teams, const Run& run) const {
  const std::size_t patterns = data_->pattern_count();
  const std::size_t words = (patterns + 63) / 64;
  std::vector<std::uint64_t> result(words * teams.size(), 0);
  if (result.empty()) return result;
  // Ranges whose margins stay in a cache while all teams are asked, and that share no word.
  constexpr std::size_t range_groups = 64;
  static_assert(range_groups * group_size % 64 == 0);
  parallel_for(run, "judging teams", data_->groups.size(), range_groups,
               [&](std::uint64_t first, std::uint64_t last, int) {
                 std::vector<Doubt> doubts;
                 for (std::size_t i = 0; i < teams.size(); ++i) {
                   const std::span row = std::span(result).subspan(i * words, words);
                   doubts.clear();
                   find_right(*data_, {first, last}, teams[i], row, doubts);
                   for (const auto& [_, pattern] : doubts) {
                     if (pattern >= patterns || !data_->literal->is_right(pattern, teams[i])) {
                       continue;
                     }
                     row[pattern / 64] |= std::uint64_t{1} << (pattern % 64);
                   }
                 }
               });
  // What fills the last group is right, and nobody's.
  if (patterns % 64 != 0) {
    for (std::size_t last = words - 1; last < result.size(); last += words) {
      result[last] &= (std::uint64_t{1} << (patterns % 64)) - 1;
    }
  }
  return result;
}

}  // namespace hqe
