// SPDX-License-Identifier: MIT
#include "hqe/evaluation/open_lists.h"

#include <algorithm>
#include <array>
#include <limits>

#include "hqe/evaluation/open_list_kernel.h"

namespace hqe {
namespace {

/// Members of a team that a run leaves free. With fewer, runs are too short to pack rows for; with
/// more, too much is open.
constexpr int free_members = 3;

// Half of a common second-level cache, for the margins of the models that may follow.
constexpr std::size_t block_bytes = std::size_t{256} << 10;

// Tables of all models are made for so many groups at a time: they take some bytes a model and row.
constexpr std::size_t most_groups = std::size_t{1} << 11;

constexpr std::int16_t never_right = std::numeric_limits<std::int16_t>::min();

bool is_ascending(TeamView team) {
  return std::ranges::adjacent_find(team, std::ranges::greater_equal{}) == team.end();
}

/// What the last members of a run can add to every row, at most and at least: the largest margin
/// once and the second largest for the others, and so for the smallest.
class RunReach {
 public:
  RunReach(const Contests::Data& data, GroupRange range)
      : rows_(range.rows(data) * group_size),
        high_(static_cast<std::size_t>(data.model_count) * rows_),
        low_(high_.size()) {
    constexpr std::int32_t none = largest_sum / free_members;
    std::vector<std::int32_t> most(rows_, -none), second_most(most);
    std::vector<std::int32_t> least(rows_, none), second_least(least);
    for (auto model = static_cast<std::size_t>(data.model_count); model-- > 0;) {
      std::int32_t* const high = high_.data() + model * rows_;
      std::int32_t* const low = low_.data() + model * rows_;
      for (std::size_t row = 0; row < rows_; ++row) {
        high[row] = most[row] + (free_members - 1) * second_most[row];
        low[row] = least[row] + (free_members - 1) * second_least[row];
        const std::int32_t margin = data.table.margins_of(
            data.groups[range.first + row / group_size], model)[row % group_size];
        second_most[row] = std::max(second_most[row], std::min(most[row], margin));
        most[row] = std::max(most[row], margin);
        second_least[row] = std::min(second_least[row], std::max(least[row], margin));
        least[row] = std::min(least[row], margin);
      }
    }
  }

  /// Of the models after this one.
  [[nodiscard]] const std::int32_t* high(ModelId model) const {
    return high_.data() + model * rows_;
  }
  [[nodiscard]] const std::int32_t* low(ModelId model) const { return low_.data() + model * rows_; }

 private:
  std::size_t rows_;
  std::vector<std::int32_t> high_, low_;
};

/// The 16-bit margins, model by model, where rows are picked from.
struct NarrowColumns {
  NarrowColumns(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                GroupRange range)
      : rows(range.rows(data) * group_size),
        doubt(table.doubt),
        starts(table.starts.data() + range.row(data) * group_size) {
    margins.reserve(table.model_count * rows);
    for (std::size_t model = 0; model < table.model_count; ++model) {
      for (std::size_t index = range.first; index < range.last; ++index) {
        const std::int16_t* const from = table.margins_of(data.groups[index], model);
        margins.insert(margins.end(), from, from + group_size);
      }
    }
  }

  [[nodiscard]] const std::int16_t* of(std::size_t model) const {
    return margins.data() + model * rows;
  }

  std::size_t rows;
  std::int32_t doubt;
  const std::int16_t* starts;
  std::vector<std::int16_t> margins;
};

/// What all workers look at.
struct OpenSource {
  const Contests::Data& data;
  const TeamList& teams;
  GroupRange range;
  NarrowColumns narrow;
  RunReach reach;

  /// From the exact margins: most rows that 16 bits leave in doubt are none. `team` is of `teams`.
  [[nodiscard]] bool is_right(std::size_t pattern, TeamView team) const {
    const Group& group = data.groups[pattern / group_size];
    std::int32_t sum = data.table.starts_of(group)[pattern % group_size];
    for (const ModelId model : team) {
      sum += data.table.margins_of(group, model)[pattern % group_size];
    }
    const std::int32_t doubt = data.table.doubt;
    if (sum > std::max(doubt, 0)) return true;
    if (sum < -doubt) return false;
    return data.literal->is_right(pattern, team);
  }
};

/// Counts one run after another; its memory is kept for the next.
class RunCounter {
 public:
  explicit RunCounter(const OpenSource& source)
      : source_(source),
        shared_(static_cast<std::size_t>(source.teams.team_size() - free_members)) {}

  void count(const OpenRun& run, std::span<std::uint64_t> right) {
    const TeamView shared = source_.teams[run.begin].first(shared_);
    const std::uint64_t won = find_open(shared);
    for (std::size_t team = run.begin; team < run.end; ++team) right[team] += won;
    last_members_.clear();
    for (std::size_t team = run.begin; team < run.end; ++team) {
      last_members_.push_back(source_.teams[team].back());
    }
    const std::size_t models = static_cast<std::size_t>(source_.data.model_count) - shared.back();
    const std::size_t most_rows = std::max(
        group_size, block_bytes / (sizeof(std::int16_t) * models) / group_size * group_size);
    for (std::size_t begin = 0; begin < open_.size(); begin += most_rows) {
      const std::size_t end = std::min(open_.size(), begin + most_rows);
      pack(shared, std::span(open_).subspan(begin, end - begin));
      count_block(run, right);
    }
  }

 private:
  /// Finds the rows that the teams' last members decide; how many are won whoever follows.
  std::uint64_t find_open(TeamView shared) {
    const Contests::Data& data = source_.data;
    const std::int32_t sure = std::max(data.table.doubt, 0);
    const std::int32_t lost = data.table.doubt < 0 ? 0 : -data.table.doubt - 1;
    const std::int32_t* const high = source_.reach.high(shared.back());
    const std::int32_t* const low = source_.reach.low(shared.back());
    std::uint64_t won = 0;
    std::size_t open = 0;
    const GroupRange range = source_.range;
    open_.resize(source_.narrow.rows);
    for (std::size_t index = range.first; index < range.last; ++index) {
      const Group& group = data.groups[index];
      std::array<std::int32_t, group_size> sums;
      std::copy_n(data.table.starts_of(group), group_size, sums.begin());
      for (const ModelId model : shared) {
        const std::int32_t* const margins = data.table.margins_of(group, model);
        for (std::size_t lane = 0; lane < group_size; ++lane) sums[lane] += margins[lane];
      }
      const std::size_t first = (index - range.first) * group_size;
      const std::size_t lanes = std::min(group_size, data.pattern_count() - index * group_size);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const bool can_win = sums[lane] + high[first + lane] > lost;
        const bool is_won = sums[lane] + low[first + lane] > sure;
        won += is_won ? 1 : 0;
        open_[open] = static_cast<std::uint32_t>(first + lane);
        open += can_win && !is_won ? 1 : 0;
      }
    }
    open_.resize(open);
    return won;
  }

  void pack(TeamView shared, std::span<const std::uint32_t> open) {
    const NarrowColumns& narrow = source_.narrow;
    block_ = open;
    const std::size_t rows = (open.size() + group_size - 1) / group_size * group_size;
    const auto first = static_cast<std::size_t>(shared.back()) + 1;
    const auto models = static_cast<std::size_t>(source_.data.model_count);
    for (auto* sums : {&shared_sums_, &third_sums_, &fourth_sums_}) sums->resize(rows);
    margins_.resize((models - first) * rows);
    const auto pick = [&](const std::int16_t* from, std::int16_t* to, std::int16_t rest) {
      for (std::size_t i = 0; i < open.size(); ++i) to[i] = from[open[i]];
      std::fill(to + open.size(), to + rows, rest);
    };
    pick(narrow.starts, shared_sums_.data(), never_right);
    for (const ModelId model : shared) {
      pick(narrow.of(model), third_sums_.data(), 0);
      add_open_margins(shared_sums_.data(), third_sums_.data(), rows, shared_sums_.data());
    }
    for (std::size_t model = first; model < models; ++model) {
      pick(narrow.of(model), margins_.data() + (model - first) * rows, 0);
    }
    margins_of_ = {.margins = margins_.data(),
                   .rows = rows,
                   .first_model = static_cast<ModelId>(first),
                   .doubt = narrow.doubt};
  }

  void count_block(const OpenRun& run, std::span<std::uint64_t> right) {
    const TeamList& teams = source_.teams;
    const auto add = [&](const auto& before, ModelId model, auto& sums) {
      add_open_margins(before.data(), margins_of_.of(model), margins_of_.rows, sums.data());
    };
    for (std::size_t begin = run.begin; begin < run.end;) {
      const TeamView team = teams[begin];
      const bool has_third = begin > run.begin && teams[begin - 1][shared_] == team[shared_];
      if (!has_third) add(shared_sums_, team[shared_], third_sums_);
      add(third_sums_, team[shared_ + 1], fourth_sums_);
      std::size_t end = begin + 1;
      while (end < run.end &&
             std::ranges::equal(teams[end].subspan(shared_, 2), team.subspan(shared_, 2))) {
        ++end;
      }
      count_open_rows(margins_of_, fourth_sums_.data(),
                      std::span(last_members_).subspan(begin - run.begin, end - begin),
                      right.subspan(begin, end - begin), doubts_);
      for (const Doubt& doubt : doubts_) {
        const std::size_t place = begin + doubt.team;
        const std::size_t pattern = source_.range.first * group_size + block_[doubt.pattern];
        right[place] += source_.is_right(pattern, teams[place]) ? 1 : 0;
      }
      doubts_.clear();
      begin = end;
    }
  }

  const OpenSource& source_;
  std::size_t shared_;
  std::vector<std::uint32_t> open_;       ///< As places in the range.
  std::span<const std::uint32_t> block_;  ///< Those that are packed.
  std::vector<ModelId> last_members_;     ///< Of the teams of the run.
  CacheLineVector<std::int16_t> margins_, shared_sums_, third_sums_, fourth_sums_;
  OpenMargins margins_of_;
  std::vector<Doubt> doubts_;
};

}  // namespace

std::vector<OpenRun> open_runs(const Contests::Data& data, const TeamList& teams) {
  // Label votes tie often, and their margins say little of who is right.
  if (data.leads || teams.team_size() <= free_members || data.groups.empty() ||
      data.groups.front().rivals > 1 || data.summary.contested != data.pattern_count()) {
    return {};
  }
  // Packing the margins of a run costs about as much as counting two teams a model.
  const std::size_t most_runs = teams.size() / (4 * static_cast<std::size_t>(data.model_count));
  const auto size = static_cast<std::size_t>(teams.team_size());
  const ModelId* team = teams.flat().data();
  std::vector<OpenRun> runs;
  for (std::size_t i = 0; i < teams.size(); ++i, team += size) {
    if (i > 0 && std::equal(team, team + size - free_members, team - size)) continue;
    if (runs.size() == most_runs) return {};
    if (i > 0) runs.back().end = i;
    runs.push_back({i, teams.size()});
  }
  for (std::size_t i = 0; i < teams.size(); ++i) {
    if (!is_ascending(teams[i])) return {};
  }
  return runs;
}

void add_open_counts(const Contests::Data& data, const TeamList& teams,
                     const std::vector<OpenRun>& runs, const Run& run,
                     std::span<std::uint64_t> right) {
  const MarginTable<std::int16_t> table = narrow_margins(data, teams.team_size(), run);
  const std::size_t shares = static_cast<std::size_t>(run.thread_count()) * 32;
  const std::size_t grain = std::max<std::size_t>(1, runs.size() / shares);
  for (std::size_t first = 0; first < data.groups.size(); first += most_groups) {
    const GroupRange range{first, std::min(data.groups.size(), first + most_groups)};
    const OpenSource source{.data = data,
                            .teams = teams,
                            .range = range,
                            .narrow = {data, table, range},
                            .reach = {data, range}};
    parallel_for(run, "counting correct answers", runs.size(), grain,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                   RunCounter counter(source);
                   for (std::uint64_t i = begin; i < end; ++i) counter.count(runs[i], right);
                 });
  }
}

}  // namespace hqe
