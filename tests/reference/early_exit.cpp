// SPDX-License-Identifier: MIT
#include "tests/reference/early_exit.h"

#include <algorithm>
#include <numeric>

namespace hqe::reference {

std::set<int> possible_answers(std::vector<int> labels, int class_count,
                               const std::function<int(const std::vector<int>&)>& answer) {
  const auto left = std::ranges::find(labels, not_asked);
  if (left == labels.end()) return {answer(labels)};
  std::set<int> answers;
  for (int label = -1; label < class_count; ++label) {
    *left = label;
    answers.merge(possible_answers(labels, class_count, answer));
  }
  return answers;
}

std::set<int> possible_answers(Rows rows, int class_count, double largest,
                               const std::function<int(const Rows&)>& answer) {
  const auto left = std::ranges::find_if(rows, [](const auto& row) { return row.empty(); });
  if (left == rows.end()) return {answer(rows)};
  std::set<int> answers;
  for (int best = 0; best < class_count; ++best) {
    left->assign(static_cast<std::size_t>(class_count), 0.0);
    (*left)[static_cast<std::size_t>(best)] = largest;
    answers.merge(possible_answers(rows, class_count, largest, answer));
  }
  return answers;
}

double expected_cost(const std::vector<int>& order, const std::vector<double>& costs,
                     int sample_count, const std::function<bool(int, unsigned)>& decided) {
  double sum = 0;
  for (int sample = 0; sample < sample_count; ++sample) {
    unsigned members = 0;
    for (const int member : order) {
      sum += costs[static_cast<std::size_t>(member)];
      members |= 1U << member;
      if (decided(sample, members)) break;
    }
  }
  return sum / sample_count;
}

double least_expected_cost(const std::vector<double>& costs, int sample_count,
                           const std::function<bool(int, unsigned)>& decided) {
  std::vector<int> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  double least = expected_cost(order, costs, sample_count, decided);
  while (std::ranges::next_permutation(order).found) {
    least = std::min(least, expected_cost(order, costs, sample_count, decided));
  }
  return least;
}

}  // namespace hqe::reference
