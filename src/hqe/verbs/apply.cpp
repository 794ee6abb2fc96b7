// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/predictions/scan.h"
#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

/// Mean class scores of the members, weighted where the vote is.
void mean_scores(const Pool& pool, const VoteRule& rule, TeamView team, std::uint64_t sample,
                 std::span<double> member, std::span<double> out) {
  double weights = 0;
  for (const ModelId model : team) {
    const double weight = rule.vote == Vote::weighted ? rule.weights[model] : 1;
    class_scores(pool, model, sample, member);
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += weight * member[c];
    weights += weight;
  }
  // Members without any weight have nothing to say: their scores stay 0.
  for (double& value : out) value = weights > 0 ? value / weights : 0;
}

}  // namespace

Combined apply(Pool pool, const Team& team, const VoteOptions& vote, const Run& run) {
  check_teams({team}, pool.model_count());
  const Measured measured = measure(std::move(pool), {.vote = vote}, run);
  const VoteRule& rule = measured.contests->rule();
  const bool with_scores = adds_scores(rule.vote, measured.pool.kind);
  const auto samples = measured.pool.sample_count;
  const auto classes = static_cast<std::size_t>(measured.pool.class_count);

  Combined result{.pool = summary_of(measured), .vote = rule.vote};
  result.labels.resize(samples);
  if (with_scores) result.scores.resize(samples * classes);
  std::vector<std::vector<double>> scratch(static_cast<std::size_t>(run.thread_count()),
                                           std::vector<double>(classes));
  parallel_for(run, "combining predictions", samples, 256,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 for (std::uint64_t x = begin; x < end; ++x) {
                   result.labels[x] = team_answer(measured.pool, rule, team.view(), x);
                   if (!with_scores) continue;
                   mean_scores(measured.pool, rule, team.view(), x,
                               scratch[static_cast<std::size_t>(worker)],
                               std::span(result.scores).subspan(x * classes, classes));
                 }
               });
  result.figures.team = team;
  for (std::uint64_t x = 0; x < samples; ++x) {
    if (result.labels[x] == measured.pool.true_label(x)) ++result.figures.correct;
  }
  check_unchanged(measured.pool);
  return result;
}

}  // namespace hqe
