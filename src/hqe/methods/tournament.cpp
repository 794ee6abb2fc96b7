// SPDX-License-Identifier: MIT
#include "hqe/methods/tournament.h"

#include <algorithm>

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

std::vector<MethodChoice> Tournament::play(SearchSpace& space) {
  return choose(space, options_, options_.seed, [this](std::string_view) {
    report();
    ++done_;
  });
}

Round Tournament::play_split(const SearchSpace& space, const PruneOptions& prune, int split,
                             const Run& run) {
  const std::uint64_t seed = Random(options_.seed, static_cast<std::uint64_t>(split) + 1).bits();
  const SampleSplit samples = split_samples(space.selection().pool(), 0.5, seed);
  SearchSpace half(space, samples, prune, run);
  Round round{.reference_test_correct = *half.reference().test_correct,
              .selection_samples = samples.selection.size(),
              .test_samples = samples.held_out.size()};
  round.choices = choose(half, options_, seed, [&](std::string_view) {
    if (run.on_progress) run.on_progress({});
    ++done_;
  });
  return round;
}

std::vector<Round> Tournament::play_splits(const SearchSpace& space, const PruneOptions& prune) {
  std::vector<Round> rounds(static_cast<std::size_t>(options_.repeats));
  const int at_a_time = std::min(run_.thread_count(), options_.repeats);
  const Run reporting{.threads = run_.thread_count() / at_a_time,
                      .on_progress = reporting_.on_progress};
  // Progress is told on the caller's thread alone; the others only look whether to go on.
  const Run watching{.threads = reporting.threads, .on_progress = [this](const Progress&) {
                       if (is_cancelled_) throw RoundCancelled();
                     }};
  parallel_for({.threads = at_a_time}, "", rounds.size(), 1,
               [&](std::uint64_t split, std::uint64_t, int worker) {
                 try {
                   rounds[split] = play_split(space, prune, static_cast<int>(split),
                                              worker == 0 ? reporting : watching);
                 } catch (const RoundCancelled&) {
                   rounds[split] = {};  // What cancelled it is on its way to the caller.
                 }
               });
  return rounds;
}

}  // namespace hqe
