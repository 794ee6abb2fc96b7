// SPDX-License-Identifier: MIT
#include "hqe/pruning/candidates.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hqe {
namespace {

constexpr std::string_view stage = "growing teams";
constexpr std::uint64_t chunk_size = 1024;

/// Survivors that share all but their last member lie side by side; a group is such a run.
class Groups {
 public:
  explicit Groups(const TeamList& teams) : teams_(teams) {
    for (std::size_t i = 0; i < teams.size(); ++i) {
      if (i == 0 || !std::ranges::equal(prefix(i - 1), prefix(i))) begin_.push_back(i);
    }
    begin_.push_back(teams.size());
  }

  [[nodiscard]] TeamView prefix(std::size_t team) const {
    return teams_[team].first(static_cast<std::size_t>(teams_.team_size() - 1));
  }
  [[nodiscard]] ModelId last(std::size_t team) const { return teams_[team].back(); }

  /// The group that a team belongs to.
  [[nodiscard]] std::size_t group_of(std::size_t team) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begin_, team) - begin_.begin()) - 1;
  }
  [[nodiscard]] std::size_t end(std::size_t group) const { return begin_[group + 1]; }

  /// The teams of the group with this prefix; an empty range when there is none.
  [[nodiscard]] std::pair<std::size_t, std::size_t> find(TeamView wanted) const {
    const auto first = begin_.begin();
    const auto found =
        std::lower_bound(first, begin_.end() - 1, wanted, [&](std::size_t team, TeamView key) {
          return std::ranges::lexicographical_compare(prefix(team), key);
        });
    if (found == begin_.end() - 1 || !std::ranges::equal(prefix(*found), wanted)) return {0, 0};
    return {*found, *(found + 1)};
  }

 private:
  const TeamList& teams_;
  std::vector<std::size_t> begin_;  ///< First team of each group, then the number of teams.
};

/// What one worker needs again and again.
struct Scratch {
  std::vector<ModelId> extensions, prefix, team;
  std::vector<std::uint32_t> marks = std::vector<std::uint32_t>(max_model_count);
  std::uint32_t last_mark = 0;
};

class Join {
 public:
  Join(const TeamList& survivors, const Eligibility& eligibility)
      : survivors_(survivors), groups_(survivors), eligibility_(eligibility) {}

  /// Calls `visit(team)` for the candidates that extend the survivors [begin, end), in team order.
  template <typename Visit>
  void for_each(std::size_t begin, std::size_t end, Scratch& scratch, const Visit& visit) const {
    std::size_t group = groups_.group_of(begin);
    for (std::size_t i = begin; i < end; ++i) {
      if (i == groups_.end(group)) ++group;
      find_extensions(i, groups_.end(group), scratch);
      if (scratch.extensions.empty()) continue;
      fill_team(survivors_[i], scratch.extensions.front(), scratch.team);
      for (const ModelId extension : scratch.extensions) {
        if (eligibility_.required.empty()) {
          scratch.team.back() = extension;
        } else {
          fill_team(survivors_[i], extension, scratch.team);
        }
        if (eligibility_.within_budget && !eligibility_.within_budget(scratch.team)) continue;
        visit(TeamView(scratch.team));
      }
    }
  }

 private:
  /// The models that may follow survivor `i`, whose group ends at `group_end`.
  void find_extensions(std::size_t i, std::size_t group_end, Scratch& scratch) const {
    std::vector<ModelId>& extensions = scratch.extensions;
    extensions.clear();
    for (std::size_t j = i + 1; j < group_end; ++j) extensions.push_back(groups_.last(j));
    const TeamView part = survivors_[i];
    // Leaving out one member of the prefix and keeping a, the part's last member, gives another
    // prefix; b may follow only where it follows each of these.
    for (std::size_t left_out = 0; left_out + 1 < part.size() && !extensions.empty(); ++left_out) {
      scratch.prefix.assign(part.begin(), part.end());
      scratch.prefix.erase(scratch.prefix.begin() + static_cast<std::ptrdiff_t>(left_out));
      keep_common(scratch, groups_.find(scratch.prefix));
    }
  }

  /// Keeps the extensions that are the last member of a team in the range. Marking and looking up
  /// takes more steps than walking both lists, but none that a branch predictor could get wrong.
  void keep_common(Scratch& scratch, std::pair<std::size_t, std::size_t> range) const {
    const std::uint32_t mark = ++scratch.last_mark;
    for (std::size_t team = range.first; team < range.second; ++team) {
      scratch.marks[groups_.last(team)] = mark;
    }
    std::size_t kept = 0;
    for (const ModelId extension : scratch.extensions) {
      scratch.extensions[kept] = extension;
      kept += scratch.marks[extension] == mark ? 1 : 0;
    }
    scratch.extensions.resize(kept);
  }

  void fill_team(TeamView part, ModelId extension, std::vector<ModelId>& team) const {
    team.assign(part.begin(), part.end());
    team.push_back(extension);
    if (eligibility_.required.empty()) return;
    team = with_required(team, eligibility_.required);
  }

  const TeamList& survivors_;
  Groups groups_;
  const Eligibility& eligibility_;
};

}  // namespace

TeamList join_survivors(const TeamList& survivors, const Eligibility& eligibility,
                        const CountCheck& check, const Run& run) {
  const int team_size = survivors.team_size() + 1 + eligibility.required.size();
  if (survivors.empty()) {
    check(0);
    return TeamList(team_size);
  }
  const Join join(survivors, eligibility);
  std::vector<Scratch> scratch(static_cast<std::size_t>(run.thread_count()));

  // Counting first costs as much as finding, but lets an explosion be refused with its number, and
  // tells every chunk where its candidates go.
  std::vector<std::uint64_t> place((survivors.size() + chunk_size - 1) / chunk_size + 1);
  parallel_for(run, stage, survivors.size(), chunk_size,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 std::uint64_t count = 0;
                 join.for_each(begin, end, scratch[static_cast<std::size_t>(worker)],
                               [&](TeamView) { ++count; });
                 place[begin / chunk_size + 1] = count;
               });
  for (std::size_t chunk = 1; chunk < place.size(); ++chunk) place[chunk] += place[chunk - 1];
  check(place.back());

  std::vector<ModelId> flat(place.back() * static_cast<std::uint64_t>(team_size));
  parallel_for(run, stage, survivors.size(), chunk_size,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 ModelId* out = flat.data() +
                                place[begin / chunk_size] * static_cast<std::uint64_t>(team_size);
                 join.for_each(begin, end, scratch[static_cast<std::size_t>(worker)],
                               [&](TeamView team) { out = std::ranges::copy(team, out).out; });
               });
  return TeamList(team_size, std::move(flat));
}

}  // namespace hqe
