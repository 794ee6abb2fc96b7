// SPDX-License-Identifier: MIT
// No choice depends on the order in which the models' files were given.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "hqe/base/random.h"
#include "hqe/methods/chooser.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/methods.h"

namespace hqe {
namespace {

using reference::ReferencePool;

/// The models of `pool` in another order: model i of the result is model order[i].
Pool reordered(const Pool& pool, const std::vector<ModelId>& order) {
  Pool result = pool;
  for (std::size_t i = 0; i < order.size(); ++i) result.models[i] = pool.models[order[i]];
  return result;
}

std::vector<ModelId> shuffled(int models, std::uint64_t seed) {
  Random random(seed, 77);
  std::vector<ModelId> order(static_cast<std::size_t>(models));
  std::iota(order.begin(), order.end(), ModelId{0});
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    std::swap(order[i], order[i + random.below(order.size() - i)]);
  }
  return order;
}

/// Members of `order`, by their ids before, with their votes.
using Votes = std::map<ModelId, double>;
Votes votes_of(const Choice& choice, const std::vector<ModelId>& order) {
  Votes votes;
  for (int place = 0; place < choice.team.size(); ++place) {
    votes[order[choice.team[static_cast<std::size_t>(place)]]] =
        choice.weights.empty() ? 1.0 : choice.weights[static_cast<std::size_t>(place)];
  }
  return votes;
}

bool has_equal_models(const ReferencePool& pool) {
  std::set<int> counts;
  for (int m = 0; m < pool.model_count; ++m) counts.insert(pool.correct(m));
  return static_cast<int>(counts.size()) < pool.model_count;
}

/// Metrics whose highest score two teams share: the first in team order is chosen.
std::set<std::string> tied_metrics(const Pool& pool) {
  std::set<std::string> tied;
  for (const Selection& selection : prune(pool, {.size = 3}, {.threads = 1}).selections) {
    const std::vector<double>& scores = selection.selected.scores;
    if (scores.size() > 1 && scores[0] - scores[1] < 1e-12) tied.insert(selection.metric);
  }
  return tied;
}

/// True where ties between teams, which team order settles, may have settled the choice.
bool is_settled_by_team_order(Method method, const Pool& pool) {
  // Teams of labels often tie on half of so few samples; shares do not.
  if (method == Method::decision) return pool.kind == Kind::labels;
  return std::ranges::any_of(focal_methods, [&](const FocalMethods& each) {
    return each.by_score == method &&
           tied_metrics(pool).contains(std::string(to_string(each.metric)));
  });
}

TEST_CASE("the order of files changes no method's choice") {
  int pools = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const ReferencePool literal =
        reference::random_pool({.model_count = 7,
                                .sample_count = 160,
                                .class_count = 2 + static_cast<int>(seed % 3),
                                .probabilities = seed % 2 == 0,
                                .seed = seed});
    if (has_equal_models(literal)) continue;
    ++pools;
    const Pool pool = reference::to_pool(literal);
    std::vector<ModelId> order(7);
    std::iota(order.begin(), order.end(), ModelId{0});
    const std::vector<ModelId> other = shuffled(7, seed);
    const Pool again = reordered(pool, other);
    const Comparison a = compare(pool, {.size = 3}, {.threads = 1}, pool);
    const Comparison b = compare(again, {.size = 3}, {.threads = 1}, again);
    for (const MethodResult& result : a.methods) {
      CAPTURE(seed);
      CAPTURE(to_string(result.method));
      const auto same = std::ranges::find(b.methods, result.method, &MethodResult::method);
      if (votes_of(result.chosen, order) != votes_of(same->chosen, other) &&
          is_settled_by_team_order(result.method, pool)) {
        continue;
      }
      CHECK(result.chosen.selection_correct == same->chosen.selection_correct);
      CHECK(votes_of(result.chosen, order) == votes_of(same->chosen, other));
    }
  }
  CHECK(pools > 10);
}

TEST_CASE("the order of files changes no expectation over drawn teams") {
  const Pool pool = reference::to_pool(
      reference::random_pool({.model_count = 9, .sample_count = 300, .seed = 5}));
  const CompareOptions options{.size = 4, .methods = {Method::random}, .max_evaluate = 10};
  const Pool again = reordered(pool, shuffled(9, 3));
  const Comparison a = compare(pool, options, {.threads = 1}, pool);
  const Comparison b = compare(again, options, {.threads = 1}, again);
  CHECK(a.methods.front().note == "mean of 10000 drawn teams");
  CHECK(a.methods.front().chosen.selection_correct == b.methods.front().chosen.selection_correct);
}

}  // namespace
}  // namespace hqe
