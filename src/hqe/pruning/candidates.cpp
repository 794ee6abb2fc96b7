// SPDX-License-Identifier: MIT
#include "hqe/pruning/candidates.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "hqe/pruning/shown_candidates.h"

namespace hqe {
namespace {

constexpr std::string_view stage = "growing teams";
constexpr std::uint64_t survivors_at_once = 1024;

/// Sets of models, a bit each.
using Words = std::span<const std::uint64_t>;
constexpr std::size_t most_set_bytes = std::size_t{64} << 20;

/// What one worker needs again and again.
struct CandidateScratch {
  std::vector<std::uint64_t> extensions, room;
  std::vector<ModelId> prefix, team;
  std::vector<std::size_t> groups;  ///< Where the search for each other prefix stands.
};

}  // namespace

/// Survivors that share all but their last member lie side by side; a group is such a run.
class JoinedSurvivors::Groups {
 public:
  explicit Groups(const TeamList& teams) : teams_(teams) {
    ModelId highest = 0;
    for (std::size_t i = 0; i < teams.size(); ++i) {
      if (i == 0 || !std::ranges::equal(prefix(i - 1), prefix(i))) begin_.push_back(i);
      highest = std::max(highest, last(i));
    }
    begin_.push_back(teams.size());
    words_ = highest / 64 + 1u;
    if (size() * words_ * sizeof(std::uint64_t) > most_set_bytes) return;
    sets_.resize(size() * words_);
    for (std::size_t group = 0; group < size(); ++group) fill(group, &sets_[group * words_]);
  }

  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] TeamView prefix(std::size_t team) const {
    return teams_[team].first(static_cast<std::size_t>(teams_.team_size() - 1));
  }
  [[nodiscard]] ModelId last(std::size_t team) const { return teams_[team].back(); }

  /// The group that a team belongs to.
  [[nodiscard]] std::size_t group_of(std::size_t team) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begin_, team) - begin_.begin()) - 1;
  }
  [[nodiscard]] std::size_t end(std::size_t group) const { return begin_[group + 1]; }

  /// The first group whose prefix is not before this one.
  [[nodiscard]] std::size_t lower_bound(TeamView wanted) const {
    const auto found = std::lower_bound(
        begin_.begin(), begin_.end() - 1, wanted, [&](std::size_t team, TeamView key) {
          return std::ranges::lexicographical_compare(prefix(team), key);
        });
    return static_cast<std::size_t>(found - begin_.begin());
  }
  /// Moves `at` on to the first group whose prefix is not before this one; whether it is this one.
  [[nodiscard]] bool advance(std::size_t& at, TeamView wanted) const {
    while (at < size() && std::ranges::lexicographical_compare(prefix(begin_[at]), wanted)) ++at;
    return at < size() && std::ranges::equal(prefix(begin_[at]), wanted);
  }

  /// The last members of a group; in `room` where they are too many to be held.
  [[nodiscard]] Words last_members(std::size_t group, std::vector<std::uint64_t>& room) const {
    if (!sets_.empty()) return Words(sets_).subspan(group * words_, words_);
    room.assign(words_, 0);
    fill(group, room.data());
    return room;
  }

 private:
  void fill(std::size_t group, std::uint64_t* set) const {
    for (std::size_t team = begin_[group]; team < end(group); ++team) {
      set[last(team) / 64] |= std::uint64_t{1} << last(team) % 64;
    }
  }

  const TeamList& teams_;
  std::vector<std::size_t> begin_;  ///< First team of each group, then the number of teams.
  std::size_t words_ = 0;
  std::vector<std::uint64_t> sets_;  ///< The last members of each group; empty where too many.
};

class JoinedSurvivors::Join {
 public:
  Join(const TeamList& survivors, const Eligibility& eligibility)
      : survivors_(survivors), groups_(survivors), eligibility_(eligibility) {}

  /// How many candidates extend the survivors [begin, end).
  std::uint64_t count(std::size_t begin, std::size_t end, CandidateScratch& scratch) const {
    std::uint64_t count = 0;
    if (eligibility_.within_budget) {
      for_each(begin, end, scratch, [&](TeamView) { ++count; });
      return count;
    }
    for_each_survivor(begin, end, scratch, [&](std::size_t) {
      for (const std::uint64_t word : scratch.extensions) count += std::popcount(word);
    });
    return count;
  }

  /// Whether candidates are a survivor and one more model each, whatever that is.
  [[nodiscard]] bool is_plain() const {
    return eligibility_.required.empty() && !eligibility_.within_budget;
  }

  /// The same as for_each() where candidates are plain; `visit(survivor, model)`.
  template <typename Visit>
  void for_each_extension(std::size_t begin, std::size_t end, CandidateScratch& scratch,
                          const Visit& visit) const {
    for_each_survivor(begin, end, scratch, [&](std::size_t i) {
      for (std::size_t word = 0; word < scratch.extensions.size(); ++word) {
        for (std::uint64_t left = scratch.extensions[word]; left != 0; left &= left - 1) {
          visit(survivors_[i], static_cast<ModelId>(word * 64 + std::countr_zero(left)));
        }
      }
    });
  }

  /// Calls `visit(team)` for the candidates that extend the survivors [begin, end), in team order.
  template <typename Visit>
  void for_each(std::size_t begin, std::size_t end, CandidateScratch& scratch,
                const Visit& visit) const {
    for_each_survivor(begin, end, scratch, [&](std::size_t i) {
      fill_team(survivors_[i], 0, scratch.team);
      for (std::size_t word = 0; word < scratch.extensions.size(); ++word) {
        for (std::uint64_t left = scratch.extensions[word]; left != 0; left &= left - 1) {
          const auto extension = static_cast<ModelId>(word * 64 + std::countr_zero(left));
          if (eligibility_.required.empty()) {
            scratch.team.back() = extension;
          } else {
            fill_team(survivors_[i], extension, scratch.team);
          }
          if (eligibility_.within_budget && !eligibility_.within_budget(scratch.team)) continue;
          visit(TeamView(scratch.team));
        }
      }
    });
  }

 private:
  /// Calls `visit(survivor)` with the models that may follow it in scratch.extensions.
  template <typename Visit>
  void for_each_survivor(std::size_t begin, std::size_t end, CandidateScratch& scratch,
                         const Visit& visit) const {
    std::size_t group = groups_.group_of(begin);
    scratch.groups.clear();
    for (std::size_t i = begin; i < end; ++i) {
      if (i == groups_.end(group)) {
        ++group;
        scratch.groups.clear();
      }
      if (i + 1 == groups_.end(group)) continue;  // Nobody follows the last.
      find_extensions(i, group, scratch);
      visit(i);
    }
  }

  /// The models that may follow survivor `i` of a group.
  void find_extensions(std::size_t i, std::size_t group, CandidateScratch& scratch) const {
    const Words own = groups_.last_members(group, scratch.room);
    std::vector<std::uint64_t>& extensions = scratch.extensions;
    extensions.assign(own.begin(), own.end());
    const std::size_t word = groups_.last(i) / 64;
    std::fill_n(extensions.begin(), word, 0);
    extensions[word] &= ~std::uint64_t{1} << groups_.last(i) % 64;
    const TeamView part = survivors_[i];
    // Leaving out one member of the prefix and keeping a, the part's last member, gives another
    // prefix; b may follow only where it follows each of these. As a grows within a group, so do
    // these prefixes, and none is looked for twice.
    const bool is_first = scratch.groups.empty();
    scratch.groups.resize(part.size());
    scratch.prefix.assign(part.begin() + 1, part.end());
    bool is_possible = true;
    for (std::size_t left_out = 0; left_out + 1 < part.size(); ++left_out) {
      if (left_out > 0) scratch.prefix[left_out - 1] = part[left_out - 1];
      std::size_t& at = scratch.groups[left_out];
      if (is_first) at = groups_.lower_bound(scratch.prefix);
      is_possible = is_possible && groups_.advance(at, scratch.prefix);
      if (!is_possible) continue;
      const Words followers = groups_.last_members(at, scratch.room);
      for (std::size_t w = word; w < extensions.size(); ++w) extensions[w] &= followers[w];
    }
    if (!is_possible) std::ranges::fill(extensions, 0);
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

struct JoinedSurvivors::State {
  State(TeamList list, const Eligibility& eligibility)
      : survivors(std::move(list)),
        team_size(survivors.team_size() + 1 + eligibility.required.size()),
        place((survivors.size() + survivors_at_once - 1) / survivors_at_once + 1) {
    if (!survivors.empty()) join.emplace(survivors, eligibility);
  }

  TeamList survivors;
  int team_size;
  std::optional<Join> join;          ///< Nothing where nobody survived.
  std::vector<std::uint64_t> place;  ///< Of the first candidate of each chunk of survivors.
};

JoinedSurvivors::JoinedSurvivors(TeamList survivors, const Eligibility& eligibility,
                                 const CountCheck& check, const Run& run) {
  auto state = std::make_unique<State>(std::move(survivors), eligibility);
  // Counting first lets an explosion be refused with its number, and tells every chunk where its
  // candidates go.
  std::vector<std::uint64_t>& place = state->place;
  std::vector<CandidateScratch> scratch(static_cast<std::size_t>(run.thread_count()));
  parallel_for(run, stage, state->survivors.size(), survivors_at_once,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 place[begin / survivors_at_once + 1] =
                     state->join->count(begin, end, scratch[static_cast<std::size_t>(worker)]);
               });
  for (std::size_t chunk = 1; chunk < place.size(); ++chunk) place[chunk] += place[chunk - 1];
  check(place.back());
  state_ = std::move(state);
}

JoinedSurvivors::~JoinedSurvivors() = default;

std::uint64_t JoinedSurvivors::size() const { return state_->place.back(); }

int JoinedSurvivors::team_size() const { return state_->team_size; }

TeamList JoinedSurvivors::list(const Run& run) const {
  const auto size_of_team = static_cast<std::uint64_t>(team_size());
  std::vector<CandidateScratch> scratch(static_cast<std::size_t>(run.thread_count()));
  std::vector<ModelId> flat(size() * size_of_team);
  parallel_for(
      run, stage, state_->survivors.size(), survivors_at_once,
      [&](std::uint64_t begin, std::uint64_t end, int worker) {
        ModelId* out = flat.data() + state_->place[begin / survivors_at_once] * size_of_team;
        state_->join->for_each(begin, end, scratch[static_cast<std::size_t>(worker)],
                               [&](TeamView team) { out = std::ranges::copy(team, out).out; });
      });
  return TeamList(team_size(), std::move(flat));
}

void JoinedSurvivors::for_each_some(const Run& run, std::string_view shown_stage,
                                    const Visit& visit) const {
  std::vector<CandidateScratch> scratch(static_cast<std::size_t>(run.thread_count()));
  parallel_for(
      run, shown_stage, state_->survivors.size(), survivors_at_once,
      [&](std::uint64_t begin, std::uint64_t end, int worker) {
        CandidateScratch& own = scratch[static_cast<std::size_t>(worker)];
        const Join& join = *state_->join;
        ShownCandidates shown(team_size(), state_->place[begin / survivors_at_once], worker, visit);
        const auto extend = [&](auto size) {
          join.for_each_extension(
              begin, end, own, [&](TeamView part, ModelId last) { shown.add(part, last, size); });
        };
        if (!join.is_plain()) {
          join.for_each(begin, end, own, [&](TeamView team) { shown.add(team); });
        } else if (team_size() == 3) {
          extend(std::integral_constant<std::size_t, 2>());
        } else {
          extend(static_cast<std::size_t>(team_size() - 1));
        }
        shown.show();
      });
}

}  // namespace hqe
