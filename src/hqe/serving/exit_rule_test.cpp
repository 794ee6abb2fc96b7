// SPDX-License-Identifier: MIT
// When a vote is decided, held against every way in which the members left could answer.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "hqe/serving/voter.h"
#include "tests/reference/early_exit.h"
#include "tests/reference/pool.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using reference::not_asked;
using reference::possible_answers;

/// A pool of one sample, whose members answer as `labels` says.
Pool labels_pool(const std::vector<int>& labels, int class_count) {
  reference::ReferencePool pool{.model_count = static_cast<int>(labels.size()),
                                .sample_count = 1,
                                .class_count = class_count};
  for (const int label : labels) pool.predictions.push_back({label});
  pool.truth = {0};
  return reference::to_pool(pool);
}

VoteRule rule_of(const TeamVote& vote) {
  return {.vote = vote.vote, .ties = vote.ties, .weights = vote.weights, .correct = vote.correct};
}

/// Counts the cases that were looked at, and keeps the first in which a voter was wrong: one CHECK
/// for all of them, since millions would take longer than the votes.
struct Findings {
  int cases = 0, decided_early = 0;
  std::string first;

  void note(bool holds, const std::string& what) {
    if (!holds && first.empty()) first = what;
  }
};

std::string text_of(const std::vector<int>& labels) {
  std::string text;
  for (const int label : labels) text += std::to_string(label) + " ";
  return text;
}

/// Every set of members that may have answered, each added in ascending and in descending order.
void check_labels(const TeamVote& vote, const std::vector<int>& labels, Findings& findings) {
  const auto size = static_cast<int>(labels.size());
  const VoteRule rule = rule_of(vote);
  const Team team = Team::all(size);
  // Completions repeat from set to set.
  static std::map<std::vector<int>, int> known;
  known.clear();
  const auto answer = [&](const std::vector<int>& all) {
    const auto [place, is_new] = known.try_emplace(all, -1);
    if (is_new) {
      place->second = team_answer(labels_pool(all, vote.class_count), rule, team.view(), 0);
    }
    return place->second;
  };
  Voter voter(vote), backward(vote);
  for (unsigned set = 1; set < 1U << size; ++set, ++findings.cases) {
    std::vector<int> partial(labels.size(), not_asked);
    voter.clear();
    backward.clear();
    for (int m = 0; m < size; ++m) {
      const int other = size - 1 - m;
      if ((set >> m & 1) != 0) voter.add(m, partial[m] = labels[m]);
      if ((set >> other & 1) != 0) backward.add(other, labels[other]);
    }
    const std::set<int> answers = possible_answers(partial, vote.class_count, answer);
    const std::string what = std::string(to_string(vote.vote)) + " " + text_of(partial);
    findings.note(voter.is_decided() == (answers.size() == 1), what + "decided otherwise");
    findings.note(voter.is_decided() == backward.is_decided(), what + "depends on the order");
    if (!voter.is_decided()) continue;
    findings.note(answers.contains(voter.answer()), what + "answers otherwise");
    findings.note(voter.answer() == backward.answer(), what + "answers by order");
    findings.decided_early += voter.is_complete() ? 0 : 1;
  }
}

/// All vectors of `length` numbers in [first, last].
std::vector<std::vector<int>> all_vectors(int length, int first, int last) {
  if (length == 0) return {{}};
  std::vector<std::vector<int>> result;
  for (const auto& shorter : all_vectors(length - 1, first, last)) {
    for (int value = first; value <= last; ++value) {
      result.push_back(shorter);
      result.back().push_back(value);
    }
  }
  return result;
}

TEST_CASE("a vote of labels is decided exactly where nothing left can change it") {
  Findings findings;
  testing::Thinned thinned(13);
  for (const auto& [size, classes] : {std::pair{1, 3}, {2, 3}, {3, 1}, {3, 3}, {4, 2}}) {
    for (const auto& labels : all_vectors(size, -1, classes - 1)) {
      if (thinned.leaves_out()) continue;
      check_labels({.vote = Vote::majority,
                    .class_count = classes,
                    .correct = std::vector<std::uint64_t>(size, 1)},
                   labels, findings);
      check_labels({.ties = Ties::label,
                    .class_count = classes,
                    .correct = std::vector<std::uint64_t>(size, 1)},
                   labels, findings);
      for (const auto& counts : all_vectors(size, 0, 2)) {
        check_labels({.class_count = classes, .correct = {counts.begin(), counts.end()}}, labels,
                     findings);
      }
    }
  }
  CHECK(findings.first == "");
  CHECK(findings.cases > (thinned.leaves_none_out() ? 100'000 : 5'000));
  CHECK(findings.decided_early > findings.cases / 8);
}

/// The literal weighted sums of a vote of scores.
int answer_of(const reference::Rows& rows, const TeamVote& vote) {
  std::vector<double> sums(static_cast<std::size_t>(vote.class_count), 0.0);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += vote.weight(m) * rows[m][k];
  }
  return reference::argmax(sums);
}

/// What is left between the first two classes once those left gave all to the second.
double final_lead(const reference::Rows& rows, const TeamVote& vote) {
  std::vector<double> sums(static_cast<std::size_t>(vote.class_count), 0.0);
  double left = 0;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    if (rows[m].empty()) left += vote.weight(m) * vote.largest_score;
    for (std::size_t k = 0; k < rows[m].size(); ++k) sums[k] += vote.weight(m) * rows[m][k];
  }
  std::ranges::sort(sums, std::greater());
  return sums[0] - (sums.size() > 1 ? sums[1] : 0) - left;
}

void check_scores(const TeamVote& vote, const reference::Rows& rows, Findings& findings) {
  const auto size = static_cast<int>(rows.size());
  Voter voter(vote), backward(vote);
  for (unsigned set = 1; set < 1U << size; ++set, ++findings.cases) {
    reference::Rows partial(rows.size());
    voter.clear();
    backward.clear();
    for (int m = 0; m < size; ++m) {
      const int other = size - 1 - m;
      if ((set >> m & 1) != 0) voter.add(m, partial[m] = rows[m]);
      if ((set >> other & 1) != 0) backward.add(other, rows[other]);
    }
    const std::set<int> answers =
        possible_answers(partial, vote.class_count, vote.largest_score,
                         [&](const reference::Rows& all) { return answer_of(all, vote); });
    findings.note(voter.is_decided() == backward.is_decided(), "depends on the order");
    if (voter.is_decided()) {
      findings.note(answers == std::set{voter.answer()}, "answers otherwise");
      findings.note(voter.answer() == backward.answer(), "answers by order");
      findings.decided_early += voter.is_complete() ? 0 : 1;
    } else {
      // Only within rounding of a tie is it cautious.
      findings.note(answers.size() > 1 || std::abs(final_lead(partial, vote)) < 1e-13, "too late");
    }
  }
}

TEST_CASE("a vote of scores is decided where nothing left can change it, but for rounding") {
  // Tenths do not add up exactly, halves do: ties of both kinds come up.
  const std::vector<std::vector<double>> kinds{
      {1, 0, 0},     {0, 1, 0},       {0.5, 0.5, 0},   {0.1, 0.2, 0.7},
      {0.9, 0, 0.1}, {0, 0.6, 0.401}, {0.3, 0.4, 0.3}, {1.0005, 0, 0},
  };
  Findings findings;
  testing::Thinned thinned(13);
  for (const auto& codes : all_vectors(4, 0, static_cast<int>(kinds.size()) - 1)) {
    if (thinned.leaves_out()) continue;
    reference::Rows rows;
    for (const int code : codes) rows.push_back(kinds[static_cast<std::size_t>(code)]);
    for (const double largest : {1.0, 1.001}) {
      if (largest == 1 && std::ranges::any_of(rows, [](const auto& row) { return row[0] > 1; })) {
        continue;
      }
      TeamVote vote{.vote = Vote::soft,
                    .class_count = 3,
                    .has_scores = true,
                    .largest_score = largest,
                    .correct = {1, 1, 1, 1}};
      if (largest == 1.001) check_scores(vote, rows, findings);
      vote.vote = Vote::weighted;
      for (const auto& weights :
           {std::vector{1.0, 0.3, 0.3, 0.3}, {0.9, 0.85, 0.8, 0.0}, {1e-100, 1e-100, 1e-100, 0}}) {
        vote.weights = weights;
        check_scores(vote, rows, findings);
      }
    }
  }
  CHECK(findings.first == "");
  CHECK(findings.decided_early > findings.cases / 8);
}

/// A weighted vote of labels by its definition: the largest sum of weights; then of weights times
/// correct counts, here numbers that double holds exactly; then the lower class.
int weighted_answer(const std::vector<int>& labels, const TeamVote& vote) {
  int best = -1;
  double most = 0, strongest = 0;
  for (int label = 0; label < vote.class_count; ++label) {
    double votes = 0, strength = 0;
    for (std::size_t m = 0; m < labels.size(); ++m) {
      if (labels[m] != label) continue;
      votes += vote.weights[m];
      if (vote.ties == Ties::accuracy) {
        strength += vote.weights[m] * static_cast<double>(vote.correct[m]);
      }
    }
    if (votes > most || (votes == most && votes > 0 && strength > strongest)) {
      best = label;
      most = votes;
      strongest = strength;
    }
  }
  return best;
}

TEST_CASE("a weighted vote of labels is decided where nothing left can change it") {
  Findings findings;
  for (const auto& weights : {std::vector{0.5, 0.25, 0.25},
                              {1.0, 1.0, 1.0},
                              {0.3, 0.1, 0.2},
                              {0.0, 1.0, 1.0},
                              {0.0, 0.0, 0.75},
                              {1e-100, 1e-100, 1e-100}}) {
    for (const auto& counts : all_vectors(3, 0, 2)) {
      for (const Ties ties : {Ties::accuracy, Ties::label}) {
        const TeamVote vote{.vote = Vote::weighted,
                            .ties = ties,
                            .class_count = 3,
                            .weights = weights,
                            .correct = {counts.begin(), counts.end()}};
        Voter voter(vote);
        for (const auto& labels : all_vectors(3, -1, 2)) {
          for (int set = 1; set < 8; ++set, ++findings.cases) {
            voter.clear();
            std::vector<int> partial(3, not_asked);
            for (int m = 2; m >= 0; --m) {
              if ((set >> m & 1) != 0) voter.add(m, partial[m] = labels[m]);
            }
            const std::set<int> answers = possible_answers(
                partial, 3,
                [&](const std::vector<int>& all) { return weighted_answer(all, vote); });
            if (voter.is_decided()) {
              findings.note(answers == std::set{voter.answer()}, text_of(partial));
              findings.decided_early += voter.is_complete() ? 0 : 1;
              continue;
            }
            // Cautious only where all that is left could make a tie.
            reference::Rows rows(3);
            for (std::size_t m = 0; m < 3; ++m) {
              if (partial[m] == not_asked) continue;
              rows[m].assign(3, 0.0);
              if (partial[m] >= 0) rows[m][static_cast<std::size_t>(partial[m])] = 1;
            }
            findings.note(answers.size() > 1 || std::abs(final_lead(rows, vote)) < 1e-13,
                          "too late: " + text_of(partial));
          }
        }
      }
    }
  }
  CHECK(findings.first == "");
  CHECK(findings.decided_early > findings.cases / 8);
}

}  // namespace
}  // namespace hqe
