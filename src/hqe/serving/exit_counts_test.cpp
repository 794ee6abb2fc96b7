// SPDX-License-Identifier: MIT
#include "hqe/serving/exit_counts.h"

#include <doctest/doctest.h>

#include "hqe/base/random.h"
#include "hqe/serving/voter.h"

namespace hqe {
namespace {

constexpr std::size_t member_count = 3, label_count = 12;

/// Steps of a grid, so that leads meet what they need exactly, and by a step to either side.
double steps(Random& random, int count, double step) {
  return step * static_cast<double>(random.below(static_cast<std::uint64_t>(count) + 1));
}

/// Two members that answer decide by a lead of `lead` or nearly so; what rivals get lies to both
/// sides of what counts as little, and more than one class leads.
std::vector<double> rows_near(Random& random, double lead, double little) {
  std::vector<double> rows;
  for (std::size_t m = 0; m < member_count; ++m) {
    const std::size_t leader = random.below(8) == 0 ? 1 : 0;
    for (std::size_t label = 0; label < label_count; ++label) {
      rows.push_back(label == leader ? lead / 2 + steps(random, 8, little / 4)
                                     : steps(random, label < 4 ? 6 : 1, little / 8));
    }
  }
  return rows;
}

TEST_CASE("the sets that decide scores are those after which a voter is decided") {
  Random random(7);
  // With a weight of nearly nothing left, little scores decide as well.
  for (const auto& weights : {std::vector<double>{}, {1, 1, 1.0 / 128}, {0.5, 1, 0.75}}) {
    const TeamVote vote{.vote = weights.empty() ? Vote::soft : Vote::weighted,
                        .class_count = label_count,
                        .has_scores = true,
                        .weights = weights,
                        .correct = {1, 1, 1}};
    DecidingSetFinder finder(vote);
    Voter voter(vote);
    int decided = 0, open = 0, wrong = 0;
    for (int time = 0; time < 4000; ++time) {
      const double lead = time % 2 == 0 ? vote.weight(2) : 1;
      const std::vector<double> rows = rows_near(random, lead, 1.0 / 32);
      const DecidingSets found = finder.of_scores(rows);
      for (std::size_t set = 1; set < std::size_t{1} << member_count; ++set) {
        voter.clear();
        for (std::size_t m = 0; m < member_count; ++m) {
          if ((set >> m & 1) == 0) continue;
          voter.add(static_cast<int>(m), std::span(rows).subspan(m * label_count, label_count));
        }
        (voter.is_decided() ? decided : open) += 1;
        wrong += found[set] == voter.is_decided() ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
    CHECK(decided > 4000);
    CHECK(open > 4000);
  }
}

}  // namespace
}  // namespace hqe
