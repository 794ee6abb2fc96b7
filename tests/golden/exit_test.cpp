// SPDX-License-Identifier: MIT
// Early exits on real pools: the same answers, and how few models they run.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"
#include "hqe/formats/open_pool.h"
#include "hqe/scan/scan.h"
#include "hqe/serving/cascade.h"
#include "hqe/serving/early_exit.h"
#include "hqe/serving/voter.h"
#include "tests/support/shared.h"

namespace hqe {
namespace {

struct Counted {
  Pool pool;
  Contests contests;
};

Counted counted(const std::filesystem::path& folder, const VoteOptions& vote = {}) {
  Pool pool = open_pool({.folder = folder});
  ContestBuilder builder(vote);
  BlockConsumer* const consumers[] = {&builder};
  scan(pool, consumers, {});
  return {.pool = std::move(pool), .contests = builder.contests()};
}

/// The most accurate models.
Team most_accurate(const Pool& pool, const VoteRule& rule, std::size_t size) {
  std::vector<ModelId> models;
  for (int m = 0; m < pool.model_count(); ++m) models.push_back(static_cast<ModelId>(m));
  std::ranges::stable_sort(
      models, [&](ModelId one, ModelId other) { return rule.correct[one] > rule.correct[other]; });
  models.resize(std::min(size, models.size()));
  return Team(models);
}

/// Answers that differ from the full vote's, and members that ran, as a voter says.
struct Served {
  std::uint64_t different = 0, runs = 0, correct = 0;
};

Served serve(const Counted& from, const Team& team, const std::vector<ModelId>& order) {
  Voter voter(team_vote(from.pool, from.contests.rule(), team.view()));
  std::vector<double> row(static_cast<std::size_t>(from.pool.class_count));
  Served served;
  for (std::uint64_t x = 0; x < from.pool.sample_count; ++x) {
    voter.clear();
    for (const ModelId model : order) {
      const auto place = static_cast<int>(std::ranges::find(team, model) - team.begin());
      if (voter.vote().has_scores) {
        class_scores(from.pool, model, x, row);
        voter.add(place, row);
      } else {
        voter.add(place, predicted_label(from.pool, model, x));
      }
      ++served.runs;
      if (voter.is_decided()) break;
    }
    const std::int32_t full = team_answer(from.pool, from.contests.rule(), team.view(), x);
    served.different += voter.answer() == full ? 0 : 1;
    served.correct += voter.answer() == from.pool.true_label(x) ? 1 : 0;
  }
  return served;
}

TEST_CASE("on every shared pool an early exit answers as the full vote does, on every sample" *
          testing::NeedsShared()) {
  std::set<std::filesystem::path> folders;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::shared_folder() / "pools")) {
    folders.insert(entry.path());
  }
  CHECK(folders.size() >= 12);
  for (const std::filesystem::path& folder : folders) {
    CAPTURE(folder.filename().string());
    for (const Vote vote : all_votes) {
      const Pool opened = open_pool({.folder = folder});
      if (vote == Vote::soft && !has_scores(opened.kind)) continue;
      const Counted from = counted(folder, {.vote = vote});
      const Team team = most_accurate(from.pool, from.contests.rule(), 5);
      const EarlyExit exit = early_exit(from.pool, from.contests.rule(), team.view(), {}, {});
      const Served served = serve(from, team, exit.selection.order);
      CAPTURE(to_string(vote));
      CHECK(served.different == 0);
      CHECK(served.correct == from.contests.correct_count(team.view()));
      const auto samples = static_cast<double>(from.pool.sample_count);
      CHECK(static_cast<double>(served.runs) / samples ==
            doctest::Approx(exit.selection.expected_models));
      const CascadeFront front =
          cascade_front(from.pool, from.contests.rule(), team.view(), 0, {}, &from.pool);
      CHECK(front.exact().selection.correct == served.correct);
      CHECK(front.exact().selection.expected_models == exit.selection.expected_models);
    }
  }
}

TEST_CASE("the best team of five runs few models a sample" * testing::NeedsShared()) {
  struct Expected {
    std::string pool;
    double models;
  };
  for (const Expected& expected :
       {Expected{"cifar10-10", 3.1}, {"cifar10-30", 3.1}, {"imagenet-10", 3.4}}) {
    CAPTURE(expected.pool);
    const Counted from = counted(testing::shared_folder() / "pools" / expected.pool);
    const TeamList teams = EnsSet(from.pool.model_count(), 5).list();
    const std::vector<std::uint64_t> correct = from.contests.correct_counts(teams, {});
    const auto best = static_cast<std::size_t>(std::ranges::max_element(correct) - correct.begin());
    const EarlyExit exit = early_exit(from.pool, from.contests.rule(), teams[best], {}, {});
    CHECK(exit.selection.expected_models <= expected.models);
    CHECK(exit.selection.expected_models >= 3);  // Of labels, three of five must agree.
    REQUIRE(exit.held_out);
    CHECK(exit.held_out->run.expected_models <= expected.models);
  }
}

}  // namespace
}  // namespace hqe
