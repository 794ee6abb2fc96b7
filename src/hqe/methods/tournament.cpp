// SPDX-License-Identifier: MIT
#include "hqe/methods/tournament.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "hqe/base/random.h"
#include "hqe/predictions/samples.h"

namespace hqe {
namespace {

/// Ends a round on another thread than the caller's once the caller has cancelled.
struct RoundCancelled {};

/// A split is chosen on half of the samples.
constexpr std::uint64_t parts_of_a_split = 1'000'000;
constexpr std::uint64_t parts_of_the_whole = 2 * parts_of_a_split;

/// Adds the parts of one round to those that are done, piece by piece.
class RoundProgress {
 public:
  RoundProgress(std::span<const double> costs, std::uint64_t parts,
                std::atomic<std::uint64_t>& done)
      : costs_(costs),
        all_(std::accumulate(costs.begin(), costs.end(), 0.0)),
        parts_(parts),
        done_(done) {}

  /// What was begun before is done.
  void begin_next() {
    if (begun_ > 0 && begun_ <= costs_.size()) passed_ += costs_[begun_ - 1];
    ++begun_;
    tell(static_cast<std::uint64_t>(std::min(1.0, passed_ / all_) * static_cast<double>(parts_)));
  }
  void end() { tell(parts_); }

 private:
  void tell(std::uint64_t parts) {
    done_ += parts - told_;
    told_ = parts;
  }

  std::span<const double> costs_;
  double all_ = 0, passed_ = 0;
  std::uint64_t parts_, told_ = 0;
  std::size_t begun_ = 0;
  std::atomic<std::uint64_t>& done_;
};

/// How long each piece of a round took.
class PieceClock {
 public:
  void begin_next() {
    const auto now = Clock::now();
    if (begun_) seconds_.push_back(std::chrono::duration<double>(now - *begun_).count());
    begun_ = now;
  }
  /// The last piece ends here. Never 0, so that there is always something to divide by.
  std::vector<double> end() {
    begin_next();
    for (double& each : seconds_) each += 1e-6;
    return std::move(seconds_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> begun_;
  std::vector<double> seconds_;
};

/// A team answers a sample in the same way whatever other samples there are: nothing in the vote
/// follows from the models' accuracies.
bool answers_alike_on_parts(const VoteRule& rule) {
  const bool breaks_ties = rule.vote == Vote::plurality && rule.ties == Ties::accuracy;
  return rule.vote != Vote::weighted && !breaks_ties;
}

}  // namespace

Tournament::Tournament(const CompareOptions& options, const Run& run, int rounds)
    : options_(options),
      run_(run),
      total_(static_cast<std::uint64_t>(rounds) * parts_of_a_split),
      costs_(static_cast<std::size_t>(work_count(options)), 1.0),
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
  const auto wholes = static_cast<std::uint64_t>(std::ranges::count(numbers, 0));
  total_ = wholes * parts_of_the_whole + (numbers.size() - wholes) * parts_of_a_split;
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
  RoundProgress progress(costs_, parts_of_the_whole, done_);
  PieceClock clock;
  KnownSums sums;
  round.choices = choose(
      whole, options_, options_.seed,
      [&](std::string_view) {
        clock.begin_next();
        progress.begin_next();
        report();
      },
      sums);
  progress.end();
  costs_ = clock.end();
  if (answers_alike_on_parts(whole.selection().contests().rule())) whole_sum_ = sums.selection;
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
  RoundProgress progress(costs_, parts_of_a_split, done_);
  KnownSums sums{.both = whole_sum_, .selection = {}};
  round.choices = choose(
      half, options_, seed,
      [&](std::string_view) {
        progress.begin_next();
        if (run.on_progress) run.on_progress({});
      },
      sums);
  progress.end();
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
