// SPDX-License-Identifier: MIT
#include "hqe/methods/tournament.h"

#include <algorithm>
#include <iterator>

#include "hqe/base/random.h"
#include "hqe/predictions/samples.h"

namespace hqe {
namespace {

/// Ends a round on another thread than the caller's once the caller has cancelled.
struct RoundCancelled {};

}  // namespace

Tournament::Tournament(const CompareOptions& options, const Run& run, int rounds)
    : options_(options),
      run_(run),
      total_(static_cast<std::uint64_t>(rounds) * static_cast<std::uint64_t>(work_count(options))),
      reporting_{.threads = run.threads} {
  if (run_.on_progress) reporting_.on_progress = [this](const Progress&) { report(); };
}

void Tournament::report() {
  if (!run_.on_progress) return;
  try {
    run_.on_progress({"comparing methods", std::min(done_.load(), total_), total_});
  } catch (...) {
    is_cancelled_ = true;
    throw;
  }
}

std::vector<Round> Tournament::play(SearchSpace& whole, const PruneOptions& prune,
                                    const std::vector<int>& numbers) {
  std::vector<int> splits;
  std::vector<Round> rounds;
  for (const int number : numbers) {
    if (number == 0) {
      rounds.push_back(play_whole(whole));
    } else {
      splits.push_back(number - 1);
    }
  }
  if (!splits.empty()) {
    std::ranges::move(play_splits(whole, prune, splits), std::back_inserter(rounds));
  }
  return rounds;
}

Round Tournament::play_whole(SearchSpace& whole) {
  Round round{.reference_test_correct = whole.reference().test_correct.value_or(0),
              .selection_samples = whole.selection().pool().sample_count,
              .test_samples = whole.test() ? whole.test()->pool().sample_count : 0};
  round.choices = choose(whole, options_, options_.seed, [this](std::string_view) {
    report();
    ++done_;
  });
  return round;
}

Round Tournament::play_split(const SearchSpace& whole, const PruneOptions& prune, int split,
                             const Run& run) {
  const std::uint64_t seed = Random(options_.seed, static_cast<std::uint64_t>(split) + 1).bits();
  const SampleSplit samples = split_samples(whole.selection().pool(), 0.5, seed);
  SearchSpace half(whole, samples, prune, run);
  Round round{.number = split + 1,
              .reference_test_correct = *half.reference().test_correct,
              .selection_samples = samples.selection.size(),
              .test_samples = samples.held_out.size()};
  round.choices = choose(half, options_, seed, [&](std::string_view) {
    if (run.on_progress) run.on_progress({});
    ++done_;
  });
  return round;
}

std::vector<Round> Tournament::play_splits(const SearchSpace& whole, const PruneOptions& prune,
                                           const std::vector<int>& splits) {
  std::vector<Round> rounds(splits.size());
  const int at_a_time = std::min(run_.thread_count(), static_cast<int>(splits.size()));
  const Run reporting{.threads = run_.thread_count() / at_a_time,
                      .on_progress = reporting_.on_progress};
  // Progress is told on the caller's thread alone; the others only look whether to go on.
  const Run watching{.threads = reporting.threads, .on_progress = [this](const Progress&) {
                       if (is_cancelled_) throw RoundCancelled();
                     }};
  parallel_for({.threads = at_a_time}, "", rounds.size(), 1,
               [&](std::uint64_t place, std::uint64_t, int worker) {
                 try {
                   rounds[place] =
                       play_split(whole, prune, splits[place], worker == 0 ? reporting : watching);
                 } catch (const RoundCancelled&) {
                   rounds[place] = {};  // What cancelled it is on its way to the caller.
                 }
               });
  return rounds;
}

}  // namespace hqe
