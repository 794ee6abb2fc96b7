// SPDX-License-Identifier: MIT
/// The Pareto front of merit against cost: what nothing cheaper or as cheap is as good as.

#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace hqe {

/// Takes offers one by one and keeps the cheapest of each merit, the first one among equals.
/// Memory: one item a merit.
template <class Merit, class Item>
class ParetoFront {
 public:
  struct Point {
    double cost = 0;
    Merit merit{};
    Item item;
  };

  /// `make` is called for the item where it is kept.
  template <class Make>
  void offer(double cost, Merit merit, const Make& make) {
    const auto place = cheapest_.find(merit);
    if (place == cheapest_.end()) {
      cheapest_.emplace(merit, Point{cost, merit, make()});
    } else if (cost < place->second.cost) {
      place->second = {cost, merit, make()};
    }
  }

  /// Cheapest first; each is better than all before it.
  [[nodiscard]] std::vector<Point> points() const {
    std::vector<Point> points;
    for (auto place = cheapest_.rbegin(); place != cheapest_.rend(); ++place) {
      if (points.empty() || place->second.cost < points.back().cost) {
        points.push_back(place->second);
      }
    }
    std::ranges::reverse(points);
    return points;
  }

 private:
  std::map<Merit, Point> cheapest_;
};

}  // namespace hqe
