// SPDX-License-Identifier: MIT
// hqe_kernels NAME: one small fixed piece of work, for bench/instructions to count instructions of.
//
// Counting starts and ends with the function kernel_NAME; what a kernel needs is made before, and
// everything runs on one thread, so that the count is the same in every run.
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "hqe/agreement/plurality.h"
#include "hqe/base/random.h"
#include "hqe/hqe.h"

namespace {

using namespace hqe;

const Run one_thread{.threads = 1};
constexpr int models = 14, samples = 800, many_classes = 40;

/// Models that find the same samples hard: each puts a share of its belief on the true class, the
/// rest on one favourite rival and a little everywhere.
Pool make_kernel_pool(int model_count, int classes) {
  Random random(5);
  PoolParts parts{.kind = Kind::probabilities};
  auto truth = std::make_shared<std::vector<std::int64_t>>();
  std::vector<double> hardness;
  for (int x = 0; x < samples; ++x) {
    truth->push_back(static_cast<std::int64_t>(random.below(classes)));
    hardness.push_back(random.unit());
  }
  for (int model = 0; model < model_count; ++model) {
    auto values = std::make_shared<std::vector<float>>(std::size_t{samples} *
                                                       static_cast<std::size_t>(classes));
    for (int x = 0; x < samples; ++x) {
      float* row = values->data() + static_cast<std::size_t>(classes) * x;
      const auto belief = static_cast<float>(0.9 * (1 - hardness[x] * random.unit()));
      const float little = 0.1F / static_cast<float>(classes);
      for (int c = 0; c < classes; ++c) row[c] = little;
      row[(*truth)[x]] += belief;
      row[random.below(4) == 0 ? random.below(classes) : x % classes] += 0.9F - belief;
    }
    Array array{.dtype = DType::float32, .rank = 2, .shape = {samples, classes}};
    array.strides = {classes * 4, 4};
    array.data = reinterpret_cast<const std::byte*>(values->data());
    array.owner = values;
    parts.models.push_back({.name = "model_" + std::to_string(model), .predictions = array});
  }
  Array labels{.dtype = DType::int64, .rank = 1, .shape = {samples, 1}, .strides = {8, 8}};
  labels.data = reinterpret_cast<const std::byte*>(truth->data());
  labels.owner = truth;
  parts.labels = labels;
  return make_pool(std::move(parts));
}

/// Votes of labels: right, or one of a few rivals.
VoteTable make_votes(std::size_t patterns) {
  Random random(6);
  VoteTable table{.stride = patterns, .complete = true};
  for (std::size_t i = 0; i < models * patterns; ++i) {
    const auto rival = static_cast<std::int16_t>(random.below(4));
    table.votes.push_back(random.below(3) > 0
                              ? VoteTable::voting_right
                              : static_cast<std::int16_t>(VoteTable::first_rival + rival));
  }
  return table;
}

}  // namespace

extern "C" {

/// The pass over the predictions: checks, counts and contests.
[[gnu::noinline]] void kernel_pass(Pool& pool, CountBuilder& counts, ContestBuilder& contests) {
  std::array<BlockConsumer*, 2> consumers{&counts, &contests};
  scan(pool, consumers, one_thread);
}

/// The focal scores of all teams of 5.
[[gnu::noinline]] double kernel_scores(const FocalSource& source, const TeamList& teams) {
  double sum = 0;
  for (const Metric metric : focal_metrics) {
    sum += focal_scores(source, metric, Weights::rank, teams, one_thread).back();
  }
  return sum;
}

/// Exact accuracy: of all teams, and of a list of them.
[[gnu::noinline]] std::uint64_t kernel_accuracy(const Contests& contests, const TeamList& teams) {
  return contests.correct_counts_of_all_teams(one_thread).back() +
         contests.correct_counts(teams, one_thread).back();
}

/// Exact accuracy of all teams of a few models.
[[gnu::noinline]] std::uint64_t kernel_subsets(const Contests& contests) {
  return contests.correct_counts_of_all_teams(one_thread).back();
}

/// Exact accuracy of a list of teams that vote by plurality.
[[gnu::noinline]] std::uint64_t kernel_agreement(const PluralityVotes& votes,
                                                 const TeamList& teams) {
  std::vector<std::uint64_t> right(teams.size(), 0);
  add_plurality_counts(votes, teams, one_thread, right);
  return right.back();
}

/// A list of teams of a pool in which no sample has two rivals.
[[gnu::noinline]] std::uint64_t kernel_one_rival(const Contests& contests, const TeamList& teams) {
  return contests.correct_counts(teams, one_thread).back();
}

/// The most accurate team, proven.
[[gnu::noinline]] std::uint64_t kernel_best_team(const Contests& contests) {
  return best_team(contests, 5, {}, one_thread).correct;
}
}

int main(int argc, char** argv) {
  const std::string_view wanted = argc == 2 ? argv[1] : "";
  // Two classes, and few models, are counted by other ways.
  const bool two_classes = wanted == "one_rival" || wanted == "best_team";
  Pool pool = make_kernel_pool(wanted == "subsets" ? 10 : models, two_classes ? 2 : many_classes);
  CountBuilder counts;
  ContestBuilder contests{VoteOptions{}};
  kernel_pass(pool, counts, contests);
  const TeamList teams = EnsSet(models, 5).list();
  if (wanted == "pass") {
    std::printf("%d\n", pool.model_count());
  } else if (wanted == "scores") {
    std::printf("%.12f\n", kernel_scores(*focal_source(counts.counts()), teams));
  } else if (wanted == "accuracy") {
    std::printf("%llu\n",
                static_cast<unsigned long long>(kernel_accuracy(contests.contests(), teams)));
  } else if (wanted == "subsets") {
    std::printf("%llu\n", static_cast<unsigned long long>(kernel_subsets(contests.contests())));
  } else if (wanted == "agreement") {
    const std::vector<std::uint32_t> weights(4000, 1);
    const VoteTable table = make_votes(weights.size());
    std::vector<std::uint64_t> correct;
    for (int model = 0; model < models; ++model)
      correct.push_back(2000 + 37 * (model * 5 % models));
    const PluralityVotes votes{
        .model_count = models, .table = table, .weights = weights, .correct = correct};
    std::printf("%llu\n", static_cast<unsigned long long>(kernel_agreement(votes, teams)));
  } else if (wanted == "one_rival") {
    std::printf("%llu\n",
                static_cast<unsigned long long>(kernel_one_rival(contests.contests(), teams)));
  } else if (wanted == "best_team") {
    std::printf("%llu\n", static_cast<unsigned long long>(kernel_best_team(contests.contests())));
  } else {
    std::fputs("usage: hqe_kernels pass|scores|accuracy|agreement|one_rival|best_team\n", stderr);
    return 2;
  }
  return 0;
}
