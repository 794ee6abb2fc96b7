// SPDX-License-Identifier: MIT
#include "hqe/evaluation/label_contests.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "hqe/evaluation/vote_values.h"
#include "hqe/evaluation/vote_weights.h"

namespace hqe {
namespace {

constexpr char16_t not_voting = VoteTable::not_voting;
constexpr char16_t voting_right = VoteTable::voting_right;
constexpr char16_t first_rival = VoteTable::first_rival;

constexpr std::uint64_t no_sample = std::numeric_limits<std::uint64_t>::max();

bool wins_tie(char16_t rival) { return rival % 2 == 1; }

// `labels` is scratch: the classes seen so far, each with its character.
void write_plurality(const Block& block, int i, LabelVotes& votes,
                     std::vector<std::pair<std::int32_t, char16_t>>& labels) {
  labels.clear();
  const std::int32_t truth = block.truth[i];
  for (std::size_t model = 0; model < votes.size(); ++model) {
    const std::int32_t label = block.predicted[model * block.count + i];
    if (label < 0 || label == truth) {
      votes[model] = label < 0 ? not_voting : voting_right;
      continue;
    }
    const auto known = std::ranges::find(labels, label, &std::pair<std::int32_t, char16_t>::first);
    if (known == labels.end()) {
      const auto next = static_cast<char16_t>(first_rival + 2 * labels.size() + (label > truth));
      labels.emplace_back(label, next);
      votes[model] = next;
    } else {
      votes[model] = known->second;
    }
  }
}

void write_majority(const Block& block, int i, LabelVotes& votes) {
  for (std::size_t model = 0; model < votes.size(); ++model) {
    const bool right = block.predicted[model * block.count + i] == block.truth[i];
    votes[model] = right ? voting_right : not_voting;
  }
}

/// One distinct contest.
struct LabelPattern {
  LabelVotes votes;
  std::vector<char16_t> rivals;
  bool needs_a_vote = false;  ///< A team without any vote would seem to win: one more rival.
  std::uint64_t first = 0;
  std::uint32_t samples = 0;

  [[nodiscard]] std::uint32_t rival_count() const {
    return static_cast<std::uint32_t>(rivals.size()) + (needs_a_vote ? 1 : 0);
  }
};

LabelPattern make_pattern(LabelVotes votes, Vote vote) {
  LabelPattern result{.votes = std::move(votes)};
  if (vote == Vote::majority) {
    result.needs_a_vote = true;
    return result;
  }
  bool abstentions = false;
  for (const char16_t voted : result.votes) {
    abstentions |= voted == not_voting;
    if (voted >= first_rival) result.rivals.push_back(voted);
  }
  std::ranges::sort(result.rivals);
  const auto repeated = std::ranges::unique(result.rivals);
  result.rivals.erase(repeated.begin(), repeated.end());
  // Any rival that gets a vote beats a true class without one, and a rival below the true class
  // beats it without votes too.
  result.needs_a_vote = abstentions && std::ranges::all_of(result.rivals, wins_tie);
  return result;
}

class LiteralLabelVote : public LiteralVote, public LeadSource {
 public:
  explicit LiteralLabelVote(Vote vote) : vote_(vote) {}

  std::vector<LabelPattern> patterns;
  std::vector<double> weights;         ///< Empty: 1 each.
  std::vector<std::uint64_t> correct;  ///< Zeros where they break no ties.

  [[nodiscard]] bool is_right(std::size_t pattern, TeamView team) const override {
    const LabelPattern& at = patterns[pattern];
    const double own = votes_for(at, voting_right, team);
    if (own == 0) return false;
    return std::ranges::all_of(at.rivals, [&](char16_t rival) {
      const double other = votes_for(at, rival, team);
      return own > other || (own == other && wins_against(at, rival, team));
    });
  }

  void write_leads(TeamView team, std::span<double> leads) const override {
    std::vector<double> votes(2 * static_cast<std::size_t>(correct.size()) + first_rival, 0);
    std::vector<double> worth;  // A member's vote.
    double whole = 0;
    for (const ModelId model : team) whole += worth.emplace_back(weight(model));
    for (std::size_t pattern = 0; pattern < leads.size(); ++pattern) {
      const char16_t* const voted = patterns[pattern].votes.data();
      double strongest = 0;
      for (std::size_t member = 0; member < team.size(); ++member) {
        const char16_t vote = voted[team[member]];
        const double sum = votes[vote] += worth[member];
        if (vote >= first_rival) strongest = std::max(strongest, sum);
      }
      const double own = votes[voting_right];
      for (const ModelId model : team) votes[voted[model]] = 0;
      if (vote_ == Vote::majority) strongest = whole - own;
      leads[pattern] = whole > 0 ? (own - strongest) / whole : 0;
    }
  }

 private:
  [[nodiscard]] double weight(ModelId model) const {
    return weights.empty() ? 1.0 : weights[model];
  }
  [[nodiscard]] double votes_for(const LabelPattern& at, char16_t wanted, TeamView team) const {
    double sum = 0;
    for (const ModelId model : team) {
      if (at.votes[model] == wanted) sum += weight(model);
    }
    return sum;
  }
  /// Requires: as many votes for both.
  [[nodiscard]] bool wins_against(const LabelPattern& at, char16_t rival, TeamView team) const {
    const Strengths strengths(weights, correct, team);
    Strength own = 0;
    Strength other = 0;
    for (const ModelId model : team) {
      if (at.votes[model] == voting_right) own += strengths(model);
      if (at.votes[model] == rival) other += strengths(model);
    }
    return own > other || (own == other && wins_tie(rival));
  }

  Vote vote_;
};

// Returns the start. With rounded values the literal vote knows about ties.
std::int32_t write_margins(const LabelPattern& pattern, std::size_t rival, const VoteValues& votes,
                           Vote vote, std::span<std::int32_t> margins) {
  const bool any_vote = rival == pattern.rivals.size();
  for (std::size_t model = 0; model < margins.size(); ++model) {
    const char16_t voted = pattern.votes[model];
    if (any_vote) {
      margins[model] = voted == voting_right ? votes.any : vote == Vote::majority ? -1 : 0;
    } else {
      const std::int32_t value = votes.values[model];
      margins[model] = voted == voting_right ? value : voted == pattern.rivals[rival] ? -value : 0;
    }
  }
  return !any_vote && !votes.rounded && wins_tie(pattern.rivals[rival]) ? 1 : 0;
}

VoteTable vote_table(const std::vector<LabelPattern>& patterns, std::size_t models) {
  VoteTable table{.stride = (patterns.size() + group_size - 1) / group_size * group_size,
                  .complete = true};
  table.votes.resize(table.stride * models, VoteTable::not_voting);
  for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
    for (std::size_t model = 0; model < models; ++model) {
      const auto vote = static_cast<std::int16_t>(patterns[pattern].votes[model]);
      table.votes[model * table.stride + pattern] = vote;
      table.complete &= vote != VoteTable::not_voting;
    }
  }
  return table;
}

}  // namespace

LabelCollector::LabelCollector(const Pool& pool, Vote vote, int worker_count)
    : model_count_(pool.model_count()), vote_(vote), workers_(worker_count) {}

void LabelCollector::collect(const Block& block, int worker) {
  Worker& mine = workers_[worker];
  LabelVotes votes(static_cast<std::size_t>(model_count_), not_voting);
  std::vector<std::pair<std::int32_t, char16_t>> labels;
  for (int i = 0; i < block.count; ++i) {
    if (vote_ == Vote::majority) {
      write_majority(block, i, votes);
    } else {
      write_plurality(block, i, votes, labels);
    }
    ++mine.samples;
    if (votes.find_first_not_of(voting_right) == LabelVotes::npos) {
      ++mine.always_right;
      continue;
    }
    const std::uint64_t sample = block.first + i;
    Seen& seen = mine.seen.try_emplace(votes, Seen{.first = sample}).first->second;
    seen.first = std::min(seen.first, sample);
    ++seen.samples;
  }
}

// Who weighs nothing votes for nothing; where everybody is right, a team of such members is not.
LabelCollector::Worker LabelCollector::merged(const VoteRule& rule) {
  const bool some_mute = std::ranges::count(rule.weights, 0.0) > 0;
  Worker all;
  const auto add = [&](LabelVotes votes, const Seen& seen) {
    for (std::size_t model = 0; some_mute && model < votes.size(); ++model) {
      if (rule.weights[model] == 0) votes[model] = not_voting;
    }
    Seen& known = all.seen.try_emplace(std::move(votes), Seen{.first = seen.first}).first->second;
    known.first = std::min(known.first, seen.first);
    known.samples += seen.samples;
  };
  for (Worker& worker : workers_) {
    all.samples += worker.samples;
    all.always_right += worker.always_right;
    for (const auto& [votes, seen] : worker.seen) add(votes, seen);
    worker.seen.clear();
  }
  if (some_mute && all.always_right > 0) {
    add(LabelVotes(static_cast<std::size_t>(model_count_), voting_right),
        {.first = no_sample, .samples = static_cast<std::uint32_t>(all.always_right)});
    all.always_right = 0;
  }
  return all;
}

std::shared_ptr<const Contests::Data> LabelCollector::finish(VoteRule rule, int threads) {
  auto data = std::make_shared<Contests::Data>();
  data->model_count = model_count_;
  Worker all = merged(rule);
  auto literal = std::make_shared<LiteralLabelVote>(vote_);
  for (const auto& [votes, seen] : all.seen) {
    literal->patterns.push_back(make_pattern(votes, vote_));
    literal->patterns.back().first = seen.first;
    literal->patterns.back().samples = seen.samples;
  }
  // No two patterns share a sample, so this order does not depend on who saw what. Patterns of
  // several samples stand together: groups of single samples are counted faster.
  std::ranges::sort(literal->patterns, [](const LabelPattern& a, const LabelPattern& b) {
    return std::tuple(b.rival_count(), b.samples, a.first) <
           std::tuple(a.rival_count(), a.samples, b.first);
  });
  ContestSummary& summary = data->summary;
  summary.samples = all.samples;
  summary.always_right = all.always_right;
  summary.contested = all.samples - all.always_right;
  summary.patterns = literal->patterns.size();
  std::vector<PatternShape> shapes;
  for (const LabelPattern& pattern : literal->patterns) {
    shapes.push_back({pattern.rival_count(), pattern.samples});
    summary.rivals += std::uint64_t{pattern.rival_count()} * pattern.samples;
  }
  const VoteValues values(rule, model_count_);
  lay_out(
      *data, shapes,
      [&](std::size_t pattern, std::size_t rival, std::span<std::int32_t> margins) {
        return write_margins(literal->patterns[pattern], rival, values, vote_, margins);
      },
      threads);
  if (rule.weights.empty()) {
    data->votes = vote_table(literal->patterns, static_cast<std::size_t>(model_count_));
  }
  literal->weights = rule.weights;
  literal->correct = rule.ties == Ties::accuracy
                         ? rule.correct
                         : std::vector<std::uint64_t>(rule.correct.size(), 0);
  data->leads = literal;
  data->literal = std::move(literal);
  data->table.doubt = values.rounded ? rounding_doubt(model_count_) : -1;
  data->vote_value = values.vote_value;
  data->rule = std::move(rule);
  return data;
}

}  // namespace hqe
