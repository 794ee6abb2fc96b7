// SPDX-License-Identifier: MIT
#include "hqe/votes/vote.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/listed.h"
#include "hqe/base/words.h"
#include "hqe/scan/scan.h"
#include "hqe/votes/vote_weights.h"

namespace hqe {
namespace {

constexpr std::array ties_words{Word{Ties::accuracy, "accuracy"}, Word{Ties::label, "label"}};
static_assert(have_words(all_ties, ties_words));
constexpr std::array weigh_by_words{Word{WeighBy::accuracy, "accuracy"},
                                    Word{WeighBy::log_odds, "log-odds"}};
static_assert(have_words(all_weigh_bys, weigh_by_words));

[[noreturn]] void refuse_vote(Vote vote, Kind kind) {
  std::vector<std::string_view> known;
  for (const VoteRow& row : vote_rows) {
    if (row.needs != VoteNeeds::scores) known.push_back(row.name);
  }
  throw UsageError("the " + std::string(to_string(vote)) +
                   " vote needs probabilities or logits, and this pool holds " +
                   std::string(to_string(kind)) + ". Votes that work here: " + listed(known));
}

struct LabelTally {
  std::int32_t label = -1;
  double votes = 0;
  Strength strength = 0;  // Of the voters, where ties are theirs to break.
};

// One entry a class that got a vote, classes ascending.
std::vector<LabelTally> tally_votes(const VoteRule& rule, TeamView team,
                                    std::span<const std::int32_t> labels) {
  const Strengths strengths(rule.weights, rule.correct, team);
  std::vector<LabelTally> tallies;
  for (std::size_t member = 0; member < team.size(); ++member) {
    const ModelId model = team[member];
    const std::int32_t label = labels[member];
    if (label < 0) continue;
    auto place = std::ranges::lower_bound(tallies, label, {}, &LabelTally::label);
    if (place == tallies.end() || place->label != label) {
      place = tallies.insert(place, LabelTally{.label = label});
    }
    place->votes += rule.weights.empty() ? 1.0 : rule.weights[model];
    if (rule.vote != Vote::majority && rule.ties == Ties::accuracy) {
      place->strength += strengths(model);
    }
  }
  return tallies;
}

}  // namespace

namespace answer {

std::int32_t by_scores(const Pool& pool, const VoteRule& rule, TeamView team,
                       std::uint64_t sample) {
  std::vector<double> sums(static_cast<std::size_t>(pool.class_count), 0.0);
  std::vector<double> scores(sums.size());
  for (const ModelId model : team) {
    class_scores(pool, model, sample, scores);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += rule.vote == Vote::weighted ? rule.weights[model] * scores[k] : scores[k];
    }
  }
  return static_cast<std::int32_t>(std::ranges::max_element(sums) - sums.begin());
}

std::int32_t by_labels(const Pool& pool, const VoteRule& rule, TeamView team,
                       std::uint64_t sample) {
  std::vector<std::int32_t> labels;
  for (const ModelId model : team) labels.push_back(predicted_label(pool, model, sample));
  return vote_of_labels(rule, team, labels).answer;
}

}  // namespace answer

std::string_view to_string(Vote vote) { return row_of(vote).name; }

std::string vote_names(std::string_view last) {
  return listed(vote_rows | std::views::transform(&VoteRow::name), last);
}

std::string_view to_string(Ties ties) { return word_of(ties_words, ties); }

std::string_view to_string(WeighBy weigh_by) { return word_of(weigh_by_words, weigh_by); }

std::optional<Vote> parse_vote(std::string_view word) {
  const auto row = std::ranges::find(vote_rows, word, &VoteRow::name);
  return row == vote_rows.end() ? std::nullopt : std::optional(row->vote);
}

std::optional<Ties> parse_ties(std::string_view word) { return value_of(ties_words, word); }

std::optional<WeighBy> parse_weigh_by(std::string_view word) {
  return value_of(weigh_by_words, word);
}

bool adds_scores(Vote vote, Kind kind) {
  const VoteNeeds needs = row_of(vote).needs;
  return needs == VoteNeeds::scores || (needs == VoteNeeds::either && has_scores(kind));
}

VoteOptions with_member_weights(VoteOptions options, const std::vector<ModelId>& members,
                                int model_count) {
  const std::vector<double>& listed = options.weights;
  const auto models = static_cast<std::size_t>(model_count);
  if (listed.empty() || (listed.size() == models && members.size() != models)) return options;
  if (listed.size() != members.size()) {
    throw UsageError("there are " + std::to_string(listed.size()) + " vote weights for a team of " +
                     std::to_string(members.size()) + " in a pool of " + std::to_string(models) +
                     " models. Give one number a member, in the team's order, or one a model");
  }
  std::vector<double> weights(models, 0.0);
  for (std::size_t place = 0; place < members.size(); ++place) {
    if (members[place] >= models) {
      throw UsageError("there is no model " + std::to_string(members[place]));
    }
    weights[members[place]] = listed[place];
  }
  options.weights = std::move(weights);
  return options;
}

VoteRule settle_vote(Kind kind, std::uint64_t sample_count, const VoteOptions& options,
                     std::vector<std::uint64_t> correct, const std::vector<std::string>& names) {
  VoteRule rule;
  rule.vote = options.vote.value_or(has_scores(kind) ? Vote::soft : Vote::plurality);
  rule.ties = options.ties;
  const VoteRow& row = row_of(rule.vote);
  if (row.needs == VoteNeeds::scores && !has_scores(kind)) refuse_vote(rule.vote, kind);
  if (!row.has_weights && !options.weights.empty()) {
    throw UsageError("vote weights are given, but the vote is " +
                     std::string(to_string(rule.vote)) +
                     ". Ask for the weighted vote, or leave the weights out");
  }
  if (row.has_weights) {
    rule.weights = settle_weights(options, correct, sample_count, names);
  }
  rule.correct = std::move(correct);
  return rule;
}

LabelVote vote_of_labels(const VoteRule& rule, TeamView team,
                         std::span<const std::int32_t> labels) {
  LabelTally best;
  double second = 0;
  for (const LabelTally& tally : tally_votes(rule, team, labels)) {
    // Classes ascend, so on a full tie the lower one stays; votes without weight are none.
    if (tally.votes > best.votes ||
        (tally.votes == best.votes && tally.votes > 0 && tally.strength > best.strength)) {
      second = best.votes;
      best = tally;
    } else {
      second = std::max(second, tally.votes);
    }
  }
  const bool is_short =
      rule.vote == Vote::majority && 2 * best.votes <= static_cast<double>(team.size());
  return {.answer = is_short ? -1 : best.label, .margin = best.votes - second};
}

std::int32_t team_answer(const Pool& pool, const VoteRule& rule, TeamView team,
                         std::uint64_t sample) {
  const VoteRow& row = row_of(rule.vote);
  return (adds_scores(rule.vote, pool.kind) ? row.of_scores : row.of_labels)(pool, rule, team,
                                                                             sample);
}

}  // namespace hqe
