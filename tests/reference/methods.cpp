// SPDX-License-Identifier: MIT
#include "tests/reference/methods.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "hqe/base/random.h"
#include "tests/reference/choosing.h"
#include "tests/reference/diversity.h"

namespace hqe::reference {
std::uint64_t count_right(const ReferencePool& pool, const Members& voters) {
  const std::vector<bool> right = right_on(pool, voters);
  return static_cast<std::uint64_t>(std::count(right.begin(), right.end(), true));
}

namespace {

Members most_accurate(const ReferencePool& pool, int size) {
  return first_by(pool, size, [&](int m) { return pool.correct(m); });
}

Members complementarity(const ReferencePool& pool, int size) {
  Members team = most_accurate(pool, 1);
  while (static_cast<int>(team.size()) < size) {
    const std::vector<bool> right = right_on(pool, team);
    const auto rescued = [&](int m) {
      int samples = 0;
      for (int x = 0; x < pool.sample_count; ++x) {
        samples += !pool.fails(m, x) && !right[static_cast<std::size_t>(x)] ? 1 : 0;
      }
      return samples;
    };
    team = joined(team, best_of(pool, outside(pool, team), rescued));
  }
  return team;
}

Members margin_distance(const ReferencePool& pool, int size) {
  Members team;
  while (static_cast<int>(team.size()) < size) {
    // Squared distance of the mean signature (over M) to 0.075 everywhere, times (40 M)^2.
    const auto nearness = [&](int m) {
      std::int64_t distance = 0;
      for (int x = 0; x < pool.sample_count; ++x) {
        std::int64_t sum = 0;
        for (const int member : joined(team, m)) sum += pool.fails(member, x) ? -1 : 1;
        const std::int64_t off = 3 * pool.model_count - 40 * sum;
        distance += off * off;
      }
      return -distance;
    };
    team = joined(team, best_of(pool, outside(pool, team), nearness));
  }
  return team;
}

Members orientation(const ReferencePool& pool, int size) {
  const auto samples = static_cast<std::size_t>(pool.sample_count);
  std::vector<std::int64_t> sum(samples, 0);
  for (int m = 0; m < pool.model_count; ++m) {
    const auto signs = signature(pool, m);
    for (std::size_t x = 0; x < samples; ++x) sum[x] += signs[x];
  }
  const std::int64_t along = std::accumulate(sum.begin(), sum.end(), std::int64_t{0});
  const std::int64_t length =
      std::inner_product(sum.begin(), sum.end(), sum.begin(), std::int64_t{0});
  // c_ref = 1 - (1.C / C.C) C, here times C.C; 1 alone where C is 0.
  std::vector<std::int64_t> direction;
  for (const std::int64_t each : sum) direction.push_back(length == 0 ? 1 : length - along * each);
  return first_by(pool, size, [&](int m) {
    const auto signs = signature(pool, m);
    return std::inner_product(signs.begin(), signs.end(), direction.begin(), std::int64_t{0});
  });
}

Members kappa_pruning(const ReferencePool& pool, int size) {
  std::vector<Members> pairs = all_teams(pool.model_count, 2);
  const auto diverse = [&](const Members& pair) {
    return std::round(baseline_diversity(pool, Metric::ck, pair) * 1e12);
  };
  const auto key = [&](const Members& pair) {
    const int one = pool.correct(pair[0]);
    const int other = pool.correct(pair[1]);
    return std::tuple(diverse(pair), std::max(one, other), std::min(one, other));
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Members& a, const Members& b) { return key(a) > key(b); });
  Members team;
  for (Members pair : pairs) {
    if (pool.correct(pair[1]) > pool.correct(pair[0])) std::swap(pair[0], pair[1]);
    for (const int m : pair) {
      if (static_cast<int>(team.size()) < size && !has(team, m)) team = joined(team, m);
    }
  }
  return team;
}

Members individual_contribution(const ReferencePool& pool, int size) {
  const auto contribution = [&](int m) {
    std::int64_t sum = 0;
    for (int x = 0; x < pool.sample_count; ++x) {
      std::map<int, std::int64_t> votes;
      for (int other = 0; other < pool.model_count; ++other) {
        const int label = pool.predictions[other][x];
        if (label >= 0) ++votes[label];
      }
      int leader = -1;
      for (const auto& [label, count] : votes) {
        if (leader < 0 || count > votes[leader]) leader = label;
      }
      std::int64_t second = 0;
      for (const auto& [label, count] : votes) {
        if (label != leader) second = std::max(second, count);
      }
      const std::int64_t most = leader < 0 ? 0 : votes[leader];
      const int label = pool.predictions[m][x];
      const std::int64_t own = label < 0 ? 0 : votes[label];
      const bool in_minority = label != leader;
      if (label == pool.truth[x]) {
        sum += in_minority ? 2 * most - own : second;
      } else {
        sum += votes[pool.truth[x]] - own - most;
      }
    }
    return sum;
  };
  return first_by(pool, size, contribution);
}

Members greedy_forward(const ReferencePool& pool, int size) {
  Members team;
  while (static_cast<int>(team.size()) < size) {
    team = joined(team, best_of(pool, outside(pool, team),
                                [&](int m) { return count_right(pool, joined(team, m)); }));
  }
  return team;
}

Members greedy_backward(const ReferencePool& pool, int size) {
  Members team = outside(pool, {});
  while (static_cast<int>(team.size()) > size) {
    int leaving = team.back();
    for (const int m : team) {
      const auto right = count_right(pool, left_by(team, m));
      const auto best = count_right(pool, left_by(team, leaving));
      if (right > best || (right == best && is_better(pool, leaving, m))) leaving = m;
    }
    team = left_by(team, leaving);
  }
  return team;
}

Members drep(const ReferencePool& pool, int size) {
  Members team = most_accurate(pool, 1);
  while (static_cast<int>(team.size()) < size) {
    std::vector<int> models = best_first(pool);
    std::erase_if(models, [&](int m) { return has(team, m); });
    const std::vector<bool> right = right_on(pool, team);
    const auto agreement = [&](int m) {
      int samples = 0;
      for (int x = 0; x < pool.sample_count; ++x) {
        samples += pool.fails(m, x) != right[static_cast<std::size_t>(x)] ? 1 : 0;
      }
      return samples;
    };
    std::stable_sort(models.begin(), models.end(),
                     [&](int a, int b) { return agreement(a) < agreement(b); });
    const double share = 0.25 * static_cast<double>(models.size());
    models.resize(static_cast<std::size_t>(std::ceil(share)));
    team = joined(team,
                  best_of(pool, models, [&](int m) { return count_right(pool, joined(team, m)); }));
  }
  return team;
}

Members greedy_with_replacement(const ReferencePool& pool, int size) {
  Members voters;
  Members best;
  for (int step = 0; step < size; ++step) {
    voters = joined(voters, best_of(pool, outside(pool, {}),
                                    [&](int m) { return count_right(pool, joined(voters, m)); }));
    if (best.empty() || count_right(pool, voters) > count_right(pool, best)) best = voters;
  }
  return best;
}

Members caruana(const ReferencePool& pool, int size, std::uint64_t seed) {
  std::vector<int> picks(static_cast<std::size_t>(pool.model_count), 0);
  for (std::uint64_t bag = 0; bag < 20; ++bag) {
    Random random(seed, bag + 1);
    std::vector<int> models = best_first(pool);  // Names follow ids here.
    const std::size_t half = (models.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
      std::swap(models[i], models[i + random.below(models.size() - i)]);
    }
    models.resize(half);
    Members voters;
    for (int step = 0; step < size; ++step) {
      const int pick =
          best_of(pool, models, [&](int m) { return count_right(pool, joined(voters, m)); });
      voters = joined(voters, pick);
      ++picks[static_cast<std::size_t>(pick)];
    }
  }
  std::vector<int> order = outside(pool, {});
  std::erase_if(order, [&](int m) { return picks[static_cast<std::size_t>(m)] == 0; });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(picks[a], pool.correct(a)) > std::pair(picks[b], pool.correct(b));
  });
  if (static_cast<int>(order.size()) > size) order.resize(static_cast<std::size_t>(size));
  int common = 0;
  for (const int m : order) common = std::gcd(common, picks[static_cast<std::size_t>(m)]);
  Members voters;
  for (const int m : order) {
    for (int i = 0; i < picks[static_cast<std::size_t>(m)] / common; ++i) {
      voters = joined(voters, m);
    }
  }
  return voters;
}

Members pareto_pruning(const ReferencePool& pool, int size, std::uint64_t seed) {
  const auto right = [&](const Members& s) { return s.empty() ? 0 : count_right(pool, s); };
  const auto weakly_better = [&](const Members& a, const Members& b) {
    return right(a) >= right(b) && a.size() <= b.size();
  };
  const auto may_be = [&](const Members& s) {
    return !s.empty() && static_cast<int>(s.size()) <= 2 * size;
  };
  const auto flip = [](const Members& s, int m) {
    return has(s, m) ? left_by(s, m) : joined(s, m);
  };
  Random random(seed);
  std::map<std::size_t, Members> front{{0, {}}};  // By size: no two of a size are on the front.
  const auto enter = [&](const Members& s) {
    for (const auto& [_, z] : front) {
      if (weakly_better(z, s) && !weakly_better(s, z)) return false;
    }
    std::erase_if(front, [&](const auto& entry) { return weakly_better(s, entry.second); });
    front[s.size()] = s;
    return true;
  };
  const auto models = static_cast<std::uint64_t>(pool.model_count);
  for (std::uint64_t iteration = 0; iteration < models * models; ++iteration) {
    auto place = front.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random.below(front.size())));
    Members s = place->second;
    for (const int m : best_first(pool)) {  // Names follow ids here.
      if (random.below(models) == 0) s = flip(s, m);
    }
    if (!may_be(s) || !enter(s)) continue;
    // Variable-depth search: flip every model once, always the best flip that is left; among equals
    // the worst of those who leave, or else the best of those who join.
    std::vector<int> left = outside(pool, {});
    std::vector<Members> path;
    while (true) {
      std::vector<int> flips;
      for (const int m : left) {
        if (may_be(flip(s, m))) flips.push_back(m);
      }
      if (flips.empty()) break;
      int best = flips.front();
      for (const int m : flips) {
        const auto key = [&](int one) { return std::pair(right(flip(s, one)), has(s, one)); };
        const bool is_preferred = has(s, m) ? is_better(pool, best, m) : is_better(pool, m, best);
        if (key(m) > key(best) || (key(m) == key(best) && is_preferred)) best = m;
      }
      s = flip(s, best);
      left = left_by(left, best);
      path.push_back(s);
    }
    for (const Members& each : path) enter(each);
  }
  Members best;
  for (const auto& [members, s] : front) {
    if (static_cast<int>(members) <= size && right(s) > right(best)) best = s;
  }
  return best;
}

Members exhaustive(const ReferencePool& pool, int size) {
  Members best;
  for (const Members& team : all_teams(pool.model_count, size)) {
    if (best.empty() || count_right(pool, team) > count_right(pool, best)) best = team;
  }
  return best;
}

Members best_single(const ReferencePool& pool, int) { return most_accurate(pool, 1); }

using Literal = Members (*)(const ReferencePool&, int size, std::uint64_t seed);

template <Members (*choose)(const ReferencePool&, int)>
Members unseeded(const ReferencePool& pool, int size, std::uint64_t) {
  return choose(pool, size);
}

const std::map<Method, Literal> literals{
    {Method::most_accurate, unseeded<most_accurate>},
    {Method::best_single, unseeded<best_single>},
    {Method::exhaustive, unseeded<exhaustive>},
    {Method::greedy_forward, unseeded<greedy_forward>},
    {Method::greedy_backward, unseeded<greedy_backward>},
    {Method::greedy_with_replacement, unseeded<greedy_with_replacement>},
    {Method::caruana, caruana},
    {Method::complementarity, unseeded<complementarity>},
    {Method::margin_distance, unseeded<margin_distance>},
    {Method::orientation, unseeded<orientation>},
    {Method::drep, unseeded<drep>},
    {Method::kappa, unseeded<kappa_pruning>},
    {Method::individual_contribution, unseeded<individual_contribution>},
    {Method::pareto, pareto_pruning},
    {Method::branch_and_bound, unseeded<exhaustive>},
};

}  // namespace

Members voters_of(Method method, const ReferencePool& pool, int size, std::uint64_t seed) {
  return literals.at(method)(pool, size, seed);
}

double expected_right(const ReferencePool& pool, int size) {
  double sum = 0;
  const std::vector<Members> teams = all_teams(pool.model_count, size);
  for (const Members& team : teams) sum += static_cast<double>(count_right(pool, team));
  return sum / static_cast<double>(teams.size());
}

}  // namespace hqe::reference
