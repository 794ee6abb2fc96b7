// SPDX-License-Identifier: MIT
#include "hqe/pruning/top_teams.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// Fewer are not worth being looked through.
constexpr std::size_t least_dropped = 4096;

/// Rounding keeps the order, so that only scores close to a rounded one need to be rounded.
double surely_below(double compared) { return compared - 1e-9 * std::max(1.0, std::abs(compared)); }

}  // namespace

TopTeams::TopTeams(int team_size, std::uint64_t limit, int workers)
    : team_size_(static_cast<std::size_t>(team_size)),
      limit_(limit),
      floor_(-std::numeric_limits<double>::infinity()),
      workers_(static_cast<std::size_t>(workers)) {
  assert(limit > 0);
}

void TopTeams::show(const TeamList& some, std::span<const double> scores, std::uint64_t first,
                    int worker) {
  assert(some.size() == scores.size());
  Worker& own = workers_[static_cast<std::size_t>(worker)];
  double floor = floor_.load(std::memory_order_relaxed);
  double lowest = surely_below(floor);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] < lowest) continue;
    const double compared = rounded_score(scores[i]);
    if (compared < floor) continue;
    own.held.push_back({compared, scores[i], first + i, own.flat.size()});
    own.flat.insert(own.flat.end(), some[i].begin(), some[i].end());
    if (own.held.size() < std::max(2 * limit_, least_dropped)) continue;
    drop_lowest(own);
    floor = floor_.load(std::memory_order_relaxed);
    lowest = surely_below(floor);
  }
}

double TopTeams::floor() const { return surely_below(floor_.load(std::memory_order_relaxed)); }

void TopTeams::drop_lowest(Worker& worker) {
  if (worker.held.size() <= limit_) return;
  const auto end = worker.held.begin() + static_cast<std::ptrdiff_t>(limit_);
  std::nth_element(worker.held.begin(), end - 1, worker.held.end(),
                   [](const Held& left, const Held& right) {
                     return left.compared != right.compared ? left.compared > right.compared
                                                            : left.candidate < right.candidate;
                   });
  const double lowest = (end - 1)->compared;
  worker.held.erase(end, worker.held.end());
  std::vector<ModelId> flat;
  flat.reserve(worker.flat.size());
  for (Held& held : worker.held) {
    const auto members = worker.flat.begin() + static_cast<std::ptrdiff_t>(held.members);
    held.members = flat.size();
    flat.insert(flat.end(), members, members + static_cast<std::ptrdiff_t>(team_size_));
  }
  worker.flat = std::move(flat);
  double floor = floor_.load();
  while (floor < lowest && !floor_.compare_exchange_weak(floor, lowest)) continue;
}

TopTeams::Found TopTeams::take() {
  Worker all = std::move(workers_.front());
  for (std::size_t i = 1; i < workers_.size(); ++i) {
    for (Held& held : workers_[i].held) held.members += all.flat.size();
    all.held.insert(all.held.end(), workers_[i].held.begin(), workers_[i].held.end());
    all.flat.insert(all.flat.end(), workers_[i].flat.begin(), workers_[i].flat.end());
  }
  workers_.clear();
  drop_lowest(all);
  std::ranges::sort(all.held, {}, &Held::candidate);
  Found found;
  std::vector<ModelId> flat;
  flat.reserve(all.flat.size());
  found.scores.reserve(all.held.size());
  for (const Held& held : all.held) {
    const auto members = all.flat.begin() + static_cast<std::ptrdiff_t>(held.members);
    flat.insert(flat.end(), members, members + static_cast<std::ptrdiff_t>(team_size_));
    found.scores.push_back(held.score);
  }
  found.teams = TeamList(static_cast<int>(team_size_), std::move(flat));
  return found;
}

}  // namespace hqe
