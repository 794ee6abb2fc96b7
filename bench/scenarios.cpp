// SPDX-License-Identifier: MIT
#include "bench/scenarios.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <optional>

#include "bench/drawn_teams.h"
#include "hqe/documents/csv_writer.h"

namespace hqe::bench {
namespace {

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

/// The counts that are correct, by bit mask, of some teams.
std::vector<std::uint64_t> pick(const std::vector<std::uint32_t>& counts,
                                const std::vector<Team>& teams) {
  std::vector<std::uint64_t> found;
  for (const Team& team : teams) {
    std::size_t mask = 0;
    for (const ModelId model : team) mask |= std::size_t{1} << model;
    found.push_back(counts[mask]);
  }
  return found;
}

}  // namespace

Figures describe(const Settings& settings) {
  Pool pool = open_pool({.folder = settings.folder});
  const Contests contests = contests_of(pool, settings.run());
  const ContestSummary& summary = contests.summary();
  const auto contested = static_cast<double>(summary.contested);
  return {{"models", pool.model_count()},
          {"samples", static_cast<double>(pool.sample_count)},
          {"classes", pool.class_count},
          {"contested_share", contested / static_cast<double>(summary.samples)},
          {"rivals_per_contested", static_cast<double>(summary.rivals) / std::max(1.0, contested)},
          {"patterns", static_cast<double>(summary.patterns)}};
}

Figures check_drawn_teams(const Settings& settings) {
  Pool pool = open_pool({.folder = settings.folder});
  const Contests contests = contests_of(pool, settings.run());
  const std::vector<Team> teams = draw_teams(pool.model_count(), settings.size, settings.draws);
  TeamList list(settings.size);
  for (const Team& team : teams) list.push_back(team.view());
  check_correct_counts(pool, contests.rule(), teams, contests.correct_counts(list, settings.run()));
  check_focal_scores(pool, *focal_source(count(pool, settings.run())), list);
  return {{"teams", static_cast<double>(teams.size())}};
}

Figures check_given_teams(const Settings& settings) {
  Pool pool = open_pool({.folder = settings.folder});
  const Contests contests = contests_of(pool, settings.run());
  std::vector<Team> teams;
  std::vector<std::uint64_t> counts;
  for (const std::string& word : settings.teams) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) throw UsageError("team=" + word + " has no count");
    teams.push_back(parse_team(word.substr(0, colon)));
    counts.push_back(std::stoull(word.substr(colon + 1)));
  }
  check_correct_counts(pool, contests.rule(), teams, counts);
  return {{"teams", static_cast<double>(teams.size())}};
}

Figures all_scores(const Settings& settings) {
  const Run run = settings.run();
  Pool pool = open_pool({.folder = settings.folder});
  double teams = 0;
  double checksum = 0;
  const double seconds = median_seconds(settings.repeats, [&] {
    teams = 0;
    const auto source = focal_source(count(pool, run));
    for (int size = 2; size < pool.model_count(); ++size) {
      const TeamList list = EnsSet(pool.model_count(), size).list();
      teams += static_cast<double>(list.size());
      for (const Metric metric : focal_metrics) {
        checksum += focal_scores(*source, metric, Weights::rank, list, run).back();
      }
    }
  });
  return {{"seconds", seconds}, {"teams", teams}, {"checksum", checksum / settings.repeats}};
}

Figures all_teams(const Settings& settings) {
  const Run run = settings.run();
  Pool pool = open_pool({.folder = settings.folder});
  const MemoryWatch memory;
  Figures figures;
  std::optional<Contests> contests;
  figures["pass_seconds"] = median_seconds(1, [&] { contests = contests_of(pool, run); });
  std::vector<std::uint32_t> counts;
  if (settings.draws > 0) {
    counts = contests->correct_counts_of_all_teams(run);
    const std::vector<Team> teams = draw_teams(pool.model_count(), 0, settings.draws);
    check_correct_counts(pool, contests->rule(), teams, pick(counts, teams));
  }
  figures["seconds"] = median_seconds(settings.repeats,
                                      [&] { counts = contests->correct_counts_of_all_teams(run); });
  figures["teams"] = static_cast<double>(counts.size() - 1);
  figures["peak_mb"] = memory.peak_megabytes();
  return figures;
}

Figures triple_counts(const Settings& settings) {
  const Run run = settings.run();
  Pool pool = open_pool({.folder = settings.folder});
  const MemoryWatch memory;
  std::uint64_t sum = 0;
  const double seconds = median_seconds(settings.repeats, [&] {
    const Counts counts = count(pool, run);
    sum = counts.co_failures(0, 1, 2);
  });
  return {{"seconds", seconds},
          {"t_012", static_cast<double>(sum)},
          {"peak_mb", memory.peak_megabytes()}};
}

Figures hierarchical(const Settings& settings) {
  const MemoryWatch memory;
  PruneOptions options;
  options.size = settings.size;
  if (settings.keep > 0) options.keep = settings.keep;
  double selected = 0;
  const double seconds = median_seconds(settings.repeats, [&] {
    const Study study = prune(open_pool({.folder = settings.folder}), options, settings.run());
    selected = static_cast<double>(study.selections.back().quality.selected);
  });
  return {{"seconds", seconds}, {"selected", selected}, {"peak_mb", memory.peak_megabytes()}};
}

Figures tiers(const Settings& settings) {
  const Run run = settings.run();
  Pool pool = open_pool({.folder = settings.folder});
  const int models = pool.model_count();
  Figures figures;
  std::optional<Counts> counts;
  figures["count_seconds"] = median_seconds(settings.repeats, [&] { counts = count(pool, run); });
  const auto source = focal_source(*counts);
  const HierarchicalPruning pruning(models, {.desired_size = settings.size});
  std::map<Metric, Tier> previous;
  for (int size = 2; size <= settings.size; ++size) {
    const TeamList list = EnsSet(models, size).list();
    const std::string suffix = "_" + std::to_string(size);
    figures["teams" + suffix] = static_cast<double>(list.size());
    for (const Metric metric : {Metric::bd, Metric::gd}) {
      figures[std::string(to_string(metric)) + suffix] = median_seconds(
          settings.repeats, [&] { (void)baseline_scores(*counts, nullptr, metric, list, run); });
    }
    for (const Metric metric : {Metric::f_bd, Metric::f_gd}) {
      const std::string name = std::string(to_string(metric)) + suffix;
      const auto score = [&](const TeamList& candidates) {
        return focal_scores(*source, metric, Weights::rank, candidates, run);
      };
      figures[name] = median_seconds(settings.repeats, [&] { (void)score(list); });
      Tier tier;
      const Tier* before = size == 2 ? nullptr : &previous.at(metric);
      figures["hierarchical_" + name] =
          median_seconds(settings.repeats, [&] { tier = pruning.next_tier(before, score, run); });
      figures["candidates_" + name] = static_cast<double>(tier.candidates.size());
      previous[metric] = std::move(tier);
    }
  }
  return figures;
}

Figures greedy(const Settings& settings) {
  const Pool pool = open_pool({.folder = settings.folder});
  const CompareOptions options{.size = settings.size,
                               .repeats = 1,
                               .methods = {Method::greedy_forward},
                               .vote = {.vote = Vote::plurality, .ties = Ties::label}};
  Comparison found;
  const std::clock_t begin = std::clock();
  const double seconds =
      median_seconds(settings.repeats, [&] { found = compare(pool, options, settings.run()); });
  const double ticks = static_cast<double>(std::clock() - begin) / settings.repeats;
  double mask = 0;
  for (const ModelId model : found.methods.front().chosen.team) mask += std::ldexp(1.0, model);
  return {{"seconds", seconds}, {"processor_seconds", ticks / CLOCKS_PER_SEC}, {"mask", mask}};
}

Figures output(const Settings& settings) {
  EvaluateOptions options;
  options.size_min = options.size_max = settings.size;
  Evaluation evaluation;
  Figures figures;
  figures["evaluate_seconds"] = median_seconds(settings.repeats, [&] {
    evaluation = evaluate(open_pool({.folder = settings.folder}), options, settings.run());
  });
  figures["teams"] = static_cast<double>(evaluation.correct.size());
  // Counted and dropped: the disk is not what is measured.
  std::size_t bytes = 0;
  const Sink counting = [&](std::string_view text) { bytes += text.size(); };
  const auto measure = [&](const std::string& name, const auto& write) {
    figures[name + "_seconds"] = median_seconds(settings.repeats, [&] {
      bytes = 0;
      write();
    });
    figures[name + "_mb"] = static_cast<double>(bytes) / 1e6;
  };
  measure("json", [&] { write_json(evaluation, counting); });
  measure("csv", [&] { write_csv(evaluation, counting); });
  return figures;
}

}  // namespace hqe::bench
