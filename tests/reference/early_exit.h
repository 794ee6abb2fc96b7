// SPDX-License-Identifier: MIT
/// Early exit by its meaning: every way in which the members left could answer is tried.

#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace hqe::reference {

/// The label of a member that has not answered.
inline constexpr int not_asked = -2;

/// What a vote can still answer, where each member left names any class or none.
[[nodiscard]] std::set<int> possible_answers(
    std::vector<int> labels, int class_count,
    const std::function<int(const std::vector<int>&)>& answer);

using Rows = std::vector<std::vector<double>>;

/// The same where each member left gives one class `largest` and the others nothing: no row moves
/// two classes further apart. An empty row: not asked.
[[nodiscard]] std::set<int> possible_answers(Rows rows, int class_count, double largest,
                                             const std::function<int(const Rows&)>& answer);

/// The mean cost of running members in this order until the sample is decided.
/// `decided(sample, members)`: members as a set of bits.
[[nodiscard]] double expected_cost(
    const std::vector<int>& order, const std::vector<double>& costs, int sample_count,
    const std::function<bool(int sample, unsigned members)>& decided);

/// The least of all orders.
[[nodiscard]] double least_expected_cost(
    const std::vector<double>& costs, int sample_count,
    const std::function<bool(int sample, unsigned members)>& decided);

}  // namespace hqe::reference
