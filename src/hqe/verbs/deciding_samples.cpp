// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "hqe/scan/scan.h"
#include "hqe/verbs/detail.h"

namespace hqe {
namespace {

using DecidingSample = StudyDetail::DecidingSample;

/// A sample on which team and members differ, before it is known whether it will be shown.
struct Disagreement {
  std::uint64_t sample = 0;
  std::int32_t answer = -1;
  int telling = 0;  ///< Members that the team overruled.
  bool repaired = false;
};

/// The samples [begin, end) on which some member is right and the team wrong, or the reverse.
std::vector<Disagreement> disagreements(const Pool& pool, const VoteRule& rule, TeamView team,
                                        std::uint64_t begin, std::uint64_t end) {
  std::vector<Disagreement> found;
  for (std::uint64_t sample = begin; sample < end; ++sample) {
    const std::int32_t truth = pool.true_label(sample);
    const auto right = static_cast<int>(std::ranges::count_if(
        team, [&](ModelId model) { return predicted_label(pool, model, sample) == truth; }));
    const int wrong = static_cast<int>(team.size()) - right;
    // Members that are all right make the team right, unless none of them has any weight.
    if (wrong == 0 && rule.vote != Vote::weighted) continue;
    const std::int32_t answer = team_answer(pool, rule, team, sample);
    const bool is_right = answer == truth;
    if ((is_right ? wrong : right) == 0) continue;
    found.push_back({.sample = sample,
                     .answer = answer,
                     .telling = is_right ? wrong : right,
                     .repaired = is_right});
  }
  return found;
}

/// Members without any weight decide no sample, and what they are right on shows nothing.
bool has_say(const VoteRule& rule, TeamView team) {
  return rule.vote != Vote::weighted ||
         std::ranges::any_of(team, [&](ModelId model) { return rule.weights[model] > 0; });
}

/// What a member says of a sample: its three likeliest classes, or its label.
DecidingSample::Opinion opinion_of(const Pool& pool, ModelId model, std::uint64_t sample) {
  DecidingSample::Opinion opinion{.model = model};
  if (!has_scores(pool.kind)) {
    opinion.classes = {predicted_label(pool, model, sample)};
    return opinion;
  }
  std::vector<double> scores(static_cast<std::size_t>(pool.class_count));
  class_scores(pool, model, sample, scores);
  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, order.size()));
  std::ranges::partial_sort(order, order.begin() + shown,
                            [&](std::int32_t left, std::int32_t right) {
                              const double l = scores[static_cast<std::size_t>(left)];
                              const double r = scores[static_cast<std::size_t>(right)];
                              return l != r ? l > r : left < right;
                            });
  for (std::ptrdiff_t i = 0; i < shown; ++i) {
    opinion.classes.push_back(order[static_cast<std::size_t>(i)]);
    opinion.confidences.push_back(scores[static_cast<std::size_t>(opinion.classes.back())]);
  }
  return opinion;
}

DecidingSample shown_sample(const Pool& pool, const Team& team, const Disagreement& found) {
  DecidingSample shown{.sample = pool.stored_sample(found.sample),
                       .truth = pool.true_label(found.sample),
                       .answer = found.answer,
                       .repaired = found.repaired};
  for (const ModelId model : team) shown.members.push_back(opinion_of(pool, model, found.sample));
  return shown;
}

}  // namespace

void add_deciding_samples(StudyDetail& detail, const Measured& measured, const Team& team,
                          const Run& run) {
  constexpr std::uint64_t grain = 1024;
  const Pool& pool = measured.pool;
  std::vector<std::vector<Disagreement>> chunks((pool.sample_count + grain - 1) / grain);
  parallel_for(run, "looking for deciding samples", pool.sample_count, grain,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 chunks[begin / grain] =
                     disagreements(pool, measured.contests->rule(), team.view(), begin, end);
               });
  for (const bool repaired : {true, false}) {
    std::vector<Disagreement> found;
    for (const std::vector<Disagreement>& chunk : chunks) {
      std::ranges::copy_if(chunk, std::back_inserter(found),
                           [&](const Disagreement& one) { return one.repaired == repaired; });
    }
    (repaired ? detail.repaired_count : detail.broken_count) = found.size();
    if (!has_say(measured.contests->rule(), team.view())) continue;
    std::ranges::stable_sort(found, std::ranges::greater{}, &Disagreement::telling);
    found.resize(std::min(found.size(), most_deciding_samples));
    for (const Disagreement& one : found) {
      detail.deciding_samples.push_back(shown_sample(pool, team, one));
    }
  }
}

}  // namespace hqe
