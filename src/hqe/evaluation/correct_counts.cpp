// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "hqe/agreement/plurality.h"
#include "hqe/bits/target.h"
#include "hqe/evaluation/contests.h"
#include "hqe/evaluation/list_kernel.h"
#include "hqe/evaluation/open_lists.h"

namespace hqe {
namespace {

// Half of a common second-level cache, for the margins of all models over one range of groups.
constexpr std::size_t range_bytes = std::size_t{256} << 10;

std::vector<GroupRange> split_groups(const Contests::Data& data, std::size_t margin_bytes) {
  const std::size_t row_bytes =
      group_size * margin_bytes * static_cast<std::size_t>(data.model_count);
  const std::size_t most_rows = std::max<std::size_t>(1, range_bytes / row_bytes);
  std::vector<GroupRange> ranges;
  for (std::size_t first = 0; first < data.groups.size();) {
    std::size_t last = first + 1;
    while (last < data.groups.size() && last - first < GroupRange::most_groups &&
           GroupRange{first, last + 1}.rows(data) <= most_rows) {
      ++last;
    }
    ranges.push_back({first, last});
    first = last;
  }
  return ranges;
}

/// The sums of some members over one range of groups, kept for the next ones.
template <class T>
class PrefixSums {
 public:
  PrefixSums(const Contests::Data& data, const MarginTable<T>& table, GroupRange range,
             int team_size)
      : data_(data),
        table_(table),
        range_(range),
        level_size_(range.rows(data) * group_size),
        sums_(static_cast<std::size_t>(team_size - 1) * level_size_) {}

  /// The sums of these members, one less than a team has.
  const T* of(TeamView prefix) {
    const auto shared = std::ranges::mismatch(prefix, members_).in1 - prefix.begin();
    members_.resize(static_cast<std::size_t>(shared));
    while (members_.size() < prefix.size()) {
      const T* before = level(members_.size());
      members_.push_back(prefix[members_.size()]);
      add_member(data_, table_, range_, members_.back(), before,
                 sums_.data() + (members_.size() - 1) * level_size_);
    }
    return level(prefix.size());
  }

 private:
  [[nodiscard]] const T* level(std::size_t members) const {
    return members == 0 ? table_.starts.data() + range_.row(data_) * group_size
                        : sums_.data() + (members - 1) * level_size_;
  }

  const Contests::Data& data_;
  const MarginTable<T>& table_;
  GroupRange range_;
  std::size_t level_size_;
  CacheLineVector<T> sums_;
  std::vector<ModelId> members_;
};

/// Teams that differ in one member only, side by side in a list.
struct TeamRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<ModelId> shared;
};

/// Which member differs: the last one, as in long lists in team order, or any, as where a team
/// tries one more member after another.
enum class Differing { last, any };

/// The teams [begin, end) of a list as runs, found once for all ranges of groups.
class TeamRuns {
 public:
  TeamRuns(const TeamList& teams, std::size_t begin, std::size_t end, Differing differing)
      : teams_(teams), first_(begin) {
    for (std::size_t team = begin; team < end; ++team) {
      const bool has_next = differing == Differing::any && team + 1 < end;
      if (runs_.empty() || !joins(team, differing)) start(team, has_next);
      runs_.back().end = team + 1;
    }
  }

  [[nodiscard]] const std::vector<TeamRun>& runs() const { return runs_; }
  /// What each team of a run has beside the shared members.
  [[nodiscard]] std::span<const ModelId> others(const TeamRun& run) const {
    return std::span(others_).subspan(run.begin - first_, run.end - run.begin);
  }

 private:
  [[nodiscard]] TeamView prefix(std::size_t team) const {
    return teams_[team].first(static_cast<std::size_t>(teams_.team_size() - 1));
  }

  bool joins(std::size_t team, Differing differing) {
    const std::vector<ModelId>& shared = runs_.back().shared;
    if (differing == Differing::last) {
      if (!std::ranges::equal(prefix(team), shared)) return false;
      others_.push_back(teams_[team].back());
      return true;
    }
    const TeamView members = teams_[team];
    const auto [at, in_shared] = std::ranges::mismatch(members, shared);
    if (!std::equal(at + 1, members.end(), in_shared, shared.end())) return false;
    others_.push_back(*at);
    return true;
  }

  void start(std::size_t team, bool has_next) {
    TeamRun& run = runs_.emplace_back(TeamRun{.begin = team, .end = team, .shared = {}});
    if (has_next) {
      std::ranges::set_intersection(teams_[team], teams_[team + 1], std::back_inserter(run.shared));
    }
    if (run.shared.size() != prefix(team).size()) {
      run.shared.assign(prefix(team).begin(), prefix(team).end());
    }
    joins(team, Differing::any);
  }

  const TeamList& teams_;
  std::size_t first_;
  std::vector<TeamRun> runs_;
  std::vector<ModelId> others_;
};

template <class T>
void count_teams(const Contests::Data& data, const MarginTable<T>& table, GroupRange range,
                 const TeamList& teams, const TeamRuns& runs, std::span<std::uint64_t> right) {
  PrefixSums<T> prefixes(data, table, range, teams.team_size());
  std::vector<Doubt> doubts;
  for (const TeamRun& run : runs.runs()) {
    count_right(data, table, range, prefixes.of(run.shared), runs.others(run),
                right.subspan(run.begin, run.end - run.begin), doubts);
    for (const Doubt& open : doubts) {
      const std::size_t team = run.begin + open.team;
      if (data.literal->is_right(open.pattern, teams[team])) {
        right[team] += data.weights[open.pattern];
      }
    }
    doubts.clear();
  }
}

template <class T>
void count_list(const Contests::Data& data, const MarginTable<T>& table, const TeamList& teams,
                Differing differing, const Run& run, std::span<std::uint64_t> right) {
  const std::vector<GroupRange> ranges = split_groups(data, sizeof(T));
  // Long ranges of teams share more members, but every thread wants several.
  const std::size_t shares = static_cast<std::size_t>(run.thread_count()) * 8;
  const std::size_t fewest = run.thread_count() == 1 ? 64 : 1;
  const std::size_t grain = std::clamp<std::size_t>(teams.size() / shares, fewest, 1 << 16);
  parallel_for(run, "counting correct answers", teams.size(), grain,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 const TeamRuns runs(teams, begin, end, differing);
                 for (const GroupRange range : ranges) {
                   count_teams(data, table, range, teams, runs, right);
                 }
               });
}

// Tables made for the list at hand must be worth it.
bool is_long(const TeamList& teams, const Contests::Data& data) {
  return teams.size() >= 64 * static_cast<std::size_t>(data.model_count);
}

// 16-bit margins are too coarse for large teams: the literal vote would be asked too often. So it
// would where exact margins hold weights, of which equal sums are common.
bool prefers_narrow(const TeamList& teams, const Contests::Data& data) {
  const bool weighs_exactly = data.leads && data.table.doubt < 0 && data.vote_value == 0;
  return !weighs_exactly && teams.team_size() <= 12 && is_long(teams, data);
}

// A row of 16-bit margins, 32 a vector, is loaded, added and compared.
double narrow_cost(const Contests::Data& data) {
  return 3.0 / 32 * static_cast<double>(data.table.starts.size());
}

// Agreement counts whole words of samples at once, but knows only equal votes and small teams.
bool count_by_agreement(const Contests::Data& data, const TeamList& teams, const Run& run,
                        std::span<std::uint64_t> right) {
  if (data.rule.vote != Vote::plurality || !data.votes.complete || !is_long(teams, data)) {
    return false;
  }
  const std::vector<std::uint64_t> no_ties(data.rule.correct.size(), 0);
  const PluralityVotes pool{
      .model_count = data.model_count,
      .table = data.votes,
      .weights = std::span(data.weights).first(data.pattern_count()),
      .correct = data.rule.ties == Ties::accuracy ? data.rule.correct : no_ties,
      .one_rival = data.groups.empty() || data.groups.front().rivals <= 1};
  if (plurality_cost(pool, teams.team_size()) > narrow_cost(data)) return false;
  add_plurality_counts(pool, teams, run, right);
  return true;
}

}  // namespace

std::vector<std::uint64_t> Contests::correct_counts(const TeamList& teams, const Run& run) const {
  apply_target_from_environment();
  std::vector<std::uint64_t> right(teams.size(), data_->summary.always_right);
  if (count_by_agreement(*data_, teams, run, right)) return right;
  if (prefers_narrow(teams, *data_)) {
    if (const auto runs = open_runs(*data_, teams); !runs.empty()) {
      add_open_counts(*data_, teams, runs, run, right);
      return right;
    }
    count_list(*data_, narrow_margins(*data_, teams.team_size(), run), teams, Differing::last, run,
               right);
  } else {
    const Differing differing = is_long(teams, *data_) ? Differing::last : Differing::any;
    count_list(*data_, data_->table, teams, differing, run, right);
  }
  return right;
}

}  // namespace hqe
