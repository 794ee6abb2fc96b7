// SPDX-License-Identifier: MIT
#include "hqe/evaluation/label_contests.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "hqe/votes/vote_values.h"
#include "hqe/votes/vote_weights.h"

namespace hqe {
namespace {

constexpr char16_t not_voting = VoteTable::not_voting;
constexpr char16_t voting_right = VoteTable::voting_right;
constexpr char16_t first_rival = VoteTable::first_rival;

bool wins_tie(char16_t rival) { return rival % 2 == 1; }

// `labels`: of one sample.
void write_plurality(std::span<const std::int32_t> labels, std::int32_t truth, LabelCodes& codes,
                     std::span<char16_t> votes) {
  codes.start(truth);
  for (std::size_t model = 0; model < labels.size(); ++model)
    votes[model] = codes.of(labels[model]);
}

void write_majority(std::span<const std::int32_t> labels, std::int32_t truth,
                    std::span<char16_t> votes) {
  for (std::size_t model = 0; model < labels.size(); ++model) {
    votes[model] = labels[model] == truth ? voting_right : not_voting;
  }
}

/// One distinct contest.
struct LabelPattern {
  LabelVotes votes;
  std::u16string rivals;      ///< Ascending.
  bool needs_a_vote = false;  ///< A team without any vote would seem to win: one more rival.
  std::uint64_t first = 0;
  std::uint32_t samples = 0;

  [[nodiscard]] std::uint32_t rival_count() const {
    return static_cast<std::uint32_t>(rivals.size()) + (needs_a_vote ? 1 : 0);
  }
};

LabelPattern make_pattern(LabelVotes votes, const SeenSamples& seen, Vote vote) {
  LabelPattern result{.votes = votes, .first = seen.first, .samples = seen.samples};
  if (vote == Vote::majority) {
    result.needs_a_vote = true;
    return result;
  }
  bool abstentions = false;
  char16_t last = voting_right;
  for (const char16_t voted : result.votes) {
    abstentions |= voted == not_voting;
    if (voted < first_rival || voted == last) continue;
    last = voted;
    if (std::ranges::find(result.rivals, voted) == result.rivals.end()) {
      result.rivals.push_back(voted);
    }
  }
  std::ranges::sort(result.rivals);
  // Any rival that gets a vote beats a true class without one, and a rival below the true class
  // beats it without votes too.
  result.needs_a_vote = abstentions && std::ranges::all_of(result.rivals, wins_tie);
  return result;
}

class LiteralLabelVote : public LiteralVote, public LeadSource {
 public:
  explicit LiteralLabelVote(Vote vote) : vote_(vote) {}

  std::vector<char16_t> all_votes;  ///< Which the patterns point to.
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
  const char16_t* const voted = pattern.votes.data();
  if (any_vote) {
    const std::int32_t without = vote == Vote::majority ? -1 : 0;
    for (std::size_t model = 0; model < margins.size(); ++model) {
      margins[model] = voted[model] == voting_right ? votes.any : without;
    }
    return 0;
  }
  const char16_t against = pattern.rivals[rival];
  const std::int32_t* const values = votes.values.data();
  for (std::size_t model = 0; model < margins.size(); ++model) {
    const std::int32_t side = static_cast<std::int32_t>(voted[model] == voting_right) -
                              static_cast<std::int32_t>(voted[model] == against);
    margins[model] = side * values[model];
  }
  return !votes.rounded && wins_tie(pattern.rivals[rival]) ? 1 : 0;
}

// No two patterns share a sample, so their order does not depend on who saw what. Patterns of
// several samples stand together: groups of single samples are counted faster.
std::vector<LabelPattern> patterns_of(const SeenVotes& seen, Vote vote) {
  std::vector<LabelPattern> found;
  found.reserve(seen.size());
  for (std::size_t place = 0; place < seen.size(); ++place) {
    found.push_back(make_pattern(seen.votes(place), seen.samples(place), vote));
  }
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::size_t>;
  std::vector<Key> order;
  order.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    order.emplace_back(~found[i].rival_count(), ~found[i].samples, found[i].first, i);
  }
  std::ranges::sort(order);
  std::vector<LabelPattern> patterns;
  patterns.reserve(found.size());
  for (const Key& key : order) patterns.push_back(std::move(found[std::get<3>(key)]));
  return patterns;
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
    : model_count_(pool.model_count()), vote_(vote), workers_(worker_count) {
  for (Worker& worker : workers_) worker.seen = SeenVotes(pool.models.size());
}

// The labels of one sample lie far apart, at distances that share places in a cache: those of
// several samples are brought together at a time.
void LabelCollector::collect(const Block& block, int worker) {
  constexpr std::size_t together = 16;
  Worker& mine = workers_[worker];
  const auto models = static_cast<std::size_t>(model_count_);
  const auto count = static_cast<std::size_t>(block.count);
  std::vector<char16_t> votes(models, not_voting);
  std::vector<std::int32_t> labels(together * models);  // [sample][model].
  for (std::size_t first = 0; first < count; first += together) {
    const std::size_t samples = std::min(together, count - first);
    const std::int32_t* const truth = block.truth.data() + first;
    std::array<std::int32_t, together> differing{};
    const auto bring = [&](std::size_t several) {
      for (std::size_t model = 0; model < models; ++model) {
        const std::int32_t* const predicted = block.predicted.data() + model * count + first;
        for (std::size_t i = 0; i < several; ++i) differing[i] |= predicted[i] ^ truth[i];
        for (std::size_t i = 0; i < several; ++i) labels[i * models + model] = predicted[i];
      }
    };
    // As many as the compiler knows of are compared as vectors.
    samples == together ? bring(together) : bring(samples);
    for (std::size_t i = 0; i < samples; ++i) {
      ++mine.samples;
      if (differing[i] == 0) {
        ++mine.always_right;
        continue;
      }
      const auto row = std::span<const std::int32_t>(labels).subspan(i * models, models);
      if (vote_ == Vote::majority) {
        write_majority(row, truth[i], votes);
      } else {
        write_plurality(row, truth[i], mine.codes, votes);
      }
      mine.seen.of({votes.data(), models}).add({.first = block.first + first + i, .samples = 1});
    }
  }
}

// Who weighs nothing votes for nothing; where everybody is right, a team of such members is not.
LabelCollector::Worker LabelCollector::merged(const VoteRule& rule) {
  const bool some_mute = std::ranges::count(rule.weights, 0.0) > 0;
  const auto models = static_cast<std::size_t>(model_count_);
  Worker all{.seen = SeenVotes(models)};
  if (!some_mute) all = std::move(workers_.front());
  std::vector<char16_t> votes(models);
  for (const Worker& worker : std::span(workers_).subspan(some_mute ? 0 : 1)) {
    all.samples += worker.samples;
    all.always_right += worker.always_right;
    for (std::size_t place = 0; place < worker.seen.size(); ++place) {
      std::ranges::copy(worker.seen.votes(place), votes.begin());
      for (std::size_t model = 0; some_mute && model < models; ++model) {
        if (rule.weights[model] == 0) votes[model] = not_voting;
      }
      all.seen.of({votes.data(), models}).add(worker.seen.samples(place));
    }
  }
  workers_.clear();
  if (some_mute && all.always_right > 0) {
    std::ranges::fill(votes, voting_right);
    for (std::size_t model = 0; model < models; ++model) {
      if (rule.weights[model] == 0) votes[model] = not_voting;
    }
    all.seen.of({votes.data(), models})
        .add({.first = SeenSamples::none, .samples = static_cast<std::uint32_t>(all.always_right)});
    all.always_right = 0;
  }
  return all;
}

std::shared_ptr<const Contests::Data> LabelCollector::finish(VoteRule rule, int threads) {
  auto data = std::make_shared<Contests::Data>();
  data->model_count = model_count_;
  Worker all = merged(rule);
  auto literal = std::make_shared<LiteralLabelVote>(vote_);
  literal->patterns = patterns_of(all.seen, vote_);
  literal->all_votes = std::move(all.seen).take_flat();
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
