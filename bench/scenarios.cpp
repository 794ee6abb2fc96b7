// SPDX-License-Identifier: MIT
#include "bench/scenarios.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "hqe/base/random.h"

namespace hqe::bench {
namespace {

constexpr std::array focal{Metric::f_ck, Metric::f_bd, Metric::f_kw, Metric::f_gd};

Counts count(Pool& pool, const Run& run) {
  CountBuilder builder;
  std::array<BlockConsumer*, 1> consumers{&builder};
  scan(pool, consumers, run);
  return builder.counts();
}

Contests contests_of(Pool& pool, const Run& run) {
  ContestBuilder builder{VoteOptions{}};
  std::array<BlockConsumer*, 1> consumers{&builder};
  scan(pool, consumers, run);
  return builder.contests();
}

void add_contest_figures(const Contests& contests, Figures& figures) {
  const ContestSummary& summary = contests.summary();
  figures["contested_share"] =
      static_cast<double>(summary.contested) / static_cast<double>(summary.samples);
  figures["rivals_per_contested"] =
      static_cast<double>(summary.rivals) /
      static_cast<double>(std::max<std::uint64_t>(1, summary.contested));
  figures["patterns"] = static_cast<double>(summary.patterns);
}

std::vector<Team> some_teams(int model_count, int count) {
  Random random(17);
  std::vector<Team> teams;
  while (static_cast<int>(teams.size()) < count) {
    std::vector<ModelId> members;
    for (int model = 0; model < model_count; ++model) {
      if (random.below(2) == 1) members.push_back(static_cast<ModelId>(model));
    }
    if (!members.empty()) teams.emplace_back(std::move(members));
  }
  return teams;
}

}  // namespace

Figures all_scores(const std::string& folder, int threads, int repeats) {
  const Run run{.threads = threads};
  Pool pool = open_pool({.folder = folder});
  double teams = 0;
  double checksum = 0;
  const double seconds = median_seconds(repeats, [&] {
    teams = 0;
    const auto source = focal_source(count(pool, run));
    for (int size = 2; size < pool.model_count(); ++size) {
      const TeamList list = EnsSet(pool.model_count(), size).list();
      teams += static_cast<double>(list.size());
      for (const Metric metric : focal) {
        checksum += focal_scores(*source, metric, Weights::rank, list, run).back();
      }
    }
  });
  return {{"seconds", seconds}, {"teams", teams}, {"checksum", checksum / repeats}};
}

Figures all_teams(const std::string& folder, int threads, int repeats) {
  const Run run{.threads = threads};
  Pool pool = open_pool({.folder = folder});
  const MemoryWatch memory;
  Figures figures;
  std::optional<Contests> contests;
  figures["pass_seconds"] = median_seconds(1, [&] { contests = contests_of(pool, run); });
  add_contest_figures(*contests, figures);
  std::vector<std::uint32_t> counts;
  figures["seconds"] =
      median_seconds(repeats, [&] { counts = contests->correct_counts_of_all_teams(run); });
  figures["teams"] = static_cast<double>(counts.size() - 1);
  figures["peak_mb"] = memory.peak_megabytes();

  const std::vector<Team> teams = some_teams(pool.model_count(), 4);
  std::vector<std::uint64_t> found;
  for (const Team& team : teams) {
    std::size_t mask = 0;
    for (const ModelId model : team) mask |= std::size_t{1} << model;
    found.push_back(counts[mask]);
  }
  check_correct_counts(pool, *contests, teams, found);
  return figures;
}

Figures triple_counts(const std::string& folder, int threads, int repeats) {
  const Run run{.threads = threads};
  Pool pool = open_pool({.folder = folder});
  const MemoryWatch memory;
  std::uint64_t sum = 0;
  const double seconds = median_seconds(repeats, [&] {
    const Counts counts = count(pool, run);
    sum = counts.co_failures(0, 1, 2);
  });
  return {{"seconds", seconds},
          {"t_012", static_cast<double>(sum)},
          {"peak_mb", memory.peak_megabytes()}};
}

Figures hierarchical(const std::string& folder, int threads, int size, std::uint64_t keep,
                     int repeats) {
  const MemoryWatch memory;
  PruneOptions options;
  options.size = size;
  if (keep > 0) options.keep = keep;
  double selected = 0;
  const double seconds = median_seconds(repeats, [&] {
    const Study study = prune(open_pool({.folder = folder}), options, {.threads = threads});
    selected = static_cast<double>(study.selections.back().quality.selected);
  });
  return {{"seconds", seconds}, {"selected", selected}, {"peak_mb", memory.peak_megabytes()}};
}

Figures tiers(const std::string& folder, int threads, int largest_size, int repeats) {
  const Run run{.threads = threads};
  Pool pool = open_pool({.folder = folder});
  const int models = pool.model_count();
  Figures figures;
  std::optional<Counts> counts;
  figures["count_seconds"] = median_seconds(repeats, [&] { counts = count(pool, run); });
  const auto source = focal_source(*counts);
  for (int size = 2; size <= largest_size; ++size) {
    const TeamList list = EnsSet(models, size).list();
    const std::string suffix = "_" + std::to_string(size);
    figures["teams" + suffix] = static_cast<double>(list.size());
    for (const Metric metric : {Metric::bd, Metric::gd}) {
      figures[std::string(to_string(metric)) + suffix] = median_seconds(
          repeats, [&] { (void)baseline_scores(*counts, nullptr, metric, list, run); });
    }
    for (const Metric metric : {Metric::f_bd, Metric::f_gd}) {
      const std::string name(to_string(metric));
      figures[name + suffix] = median_seconds(
          repeats, [&] { (void)focal_scores(*source, metric, Weights::rank, list, run); });
      const TierScorer scorer = [&](const TeamList& candidates) {
        return focal_scores(*source, metric, Weights::rank, candidates, run);
      };
      std::vector<Tier> tiers;
      const HierarchicalOptions options{.desired_size = size};
      figures["hierarchical_" + name + suffix] = median_seconds(
          repeats, [&] { tiers = prune_hierarchically(models, scorer, options, run); });
      figures["candidates_" + name + suffix] = static_cast<double>(tiers.back().candidates.size());
    }
  }
  return figures;
}

}  // namespace hqe::bench
