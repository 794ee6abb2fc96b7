// SPDX-License-Identifier: MIT
#include "hqe/search/search_space.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/option_name.h"
#include "hqe/votes/vote.h"

namespace hqe {
namespace {

/// Up to here the counts of all teams together cost less than looking for the ones needed.
constexpr int most_models_counted_together = 12;

CountedPool count_selection(Pool pool, std::optional<RecordedPart> part,
                            const PruneOptions& options, const Settings& settings, const Run& run) {
  const std::uint64_t samples = pool.sample_count;
  const bool has_parts = options.judge_on_half || options.folds || options.stability > 0;
  const bool keeps_record = has_parts && !part;  // Nobody takes parts of a part.
  MeasureOptions measure_options{.counts = counts_for(settings.metrics, options.sample.has_value()),
                                 .vote = options.vote,
                                 .keep_record = keeps_record,
                                 .keep_truth_shares = !part,
                                 .part = std::move(part)};
  if (options.detail && pool.model_count() <= most_models_for_focal_table) {
    measure_options.counts.triples = true;
  }
  return {measure(std::move(pool), measure_options, run), options.merit, samples, run};
}

/// A remark on models that add nothing to each other; empty when there is none.
Message twin_remark(const Counts& counts) {
  int twins = 0;
  for (int id = 1; id < counts.model_count(); ++id) {
    for (int other = 0; other < id; ++other) {
      if (counts.agreements(static_cast<ModelId>(other), static_cast<ModelId>(id)) !=
          counts.sample_count()) {
        continue;
      }
      ++twins;
      break;
    }
  }
  if (twins == 0) return "";
  return message("{} model{} exactly as an earlier one: {} names the pairs", twins,
                 twins == 1 ? " predicts" : "s predict", command("inspect"));
}

/// A remark where one class is nearly everything, or where models do little but answer it; empty
/// otherwise. Accuracy says little then.
Message imbalance_remark(const Measured& measured) {
  constexpr double nearly_everything = 0.8;
  constexpr double little_more = 0.05;
  if (measured.pool.kind == Kind::correctness) return "";
  std::vector<std::uint64_t> samples(static_cast<std::size_t>(measured.pool.class_count), 0);
  for (std::uint64_t i = 0; i < measured.pool.sample_count; ++i) {
    ++samples[static_cast<std::size_t>(measured.pool.true_label(i))];
  }
  const auto largest = std::ranges::max_element(samples);
  const double total = static_cast<double>(measured.pool.sample_count);
  const double share = static_cast<double>(*largest) / total;
  const double best = static_cast<double>(std::ranges::max(measured.correct())) / total;
  if (share == 1) return "";
  if (share <= nearly_everything && (share <= 0.5 || best > share + little_more)) return "";
  const auto label = static_cast<std::size_t>(largest - samples.begin());
  const auto& names = measured.pool.class_names;
  return message(
      "{:.0f} % of the samples are of class {}, so that accuracy says little of the others: {} "
      "counts every class alike",
      100 * share, label < names.size() ? names[label] : std::to_string(label),
      option("merit", to_string(Merit::balanced)));
}

/// The test pool votes as was settled on the selection pool: same weights, same ties.
std::optional<CountedPool> count_test(std::optional<Pool> test, std::optional<RecordedPart> part,
                                      const Measured& selection, Merit merit, const Run& run) {
  if (!test) return std::nullopt;
  const VoteRule& rule = selection.contests->rule();
  const std::uint64_t samples = selection.pool.sample_count;
  return CountedPool(
      measure(std::move(*test),
              {.vote = VoteOptions{.vote = rule.vote, .weights = rule.weights, .ties = rule.ties},
               .selection_correct = selection.correct(),
               .selection_samples = samples,
               .part = std::move(part)},
              run),
      merit, samples, run);
}

/// Nothing where there are no samples.
std::optional<Pool> part_of(const SearchSpace& whole, const std::vector<std::uint64_t>& samples) {
  if (samples.empty()) return std::nullopt;
  Pool pool = samples_of(whole.selection().pool(), samples);
  // The whole pool was scanned, so its kind is known for certain; and the models are the same.
  pool.kind_detected = false;
  pool.has_names = true;
  return pool;
}

std::optional<RecordedPart> recorded(const SearchSpace& whole,
                                     const std::vector<std::uint64_t>& samples) {
  const auto& record = whole.selection().measured().record;
  if (!record) return std::nullopt;
  return RecordedPart{record, whole.selection().measured().contests, samples};
}

}  // namespace

SearchSpace::SearchSpace(Pool pool, std::optional<Pool> test, const PruneOptions& asked,
                         const Run& run, TestTeams test_teams)
    : SearchSpace(match_pools(std::move(pool), std::move(test), asked), run, test_teams, {}) {}

SearchSpace::SearchSpace(const SearchSpace& whole, const SampleSplit& split,
                         const PruneOptions& asked, const Run& run, TestTeams test_teams)
    : SearchSpace(
          match_pools(*part_of(whole, split.selection), part_of(whole, split.held_out), asked), run,
          test_teams,
          {.selection = recorded(whole, split.selection),
           .test = recorded(whole, split.held_out)}) {}

SearchSpace::SearchSpace(MatchedPools matched, const Run& run, TestTeams test_teams, Parts parts)
    : run_(run),
      options_(std::move(matched.options)),
      settings_(settle(matched.pool, options_)),
      warnings_(std::move(matched.warnings)),
      selection_(count_selection(std::move(matched.pool), std::move(parts.selection), options_,
                                 settings_, run_)),
      test_(count_test(std::move(matched.test), std::move(parts.test), selection_.measured(),
                       options_.merit, run_)),
      scorer_(selection_.measured(),
              {.weights = options_.weights,
               .scale = options_.scale,
               .sample = options_.sample,
               .max_candidates = options_.max_candidates},
              run_) {
  const std::vector<Message>& notes = selection_.measured().pool.notes;
  warnings_.insert(warnings_.end(), notes.begin(), notes.end());
  warnings_.insert(warnings_.end(), settings_.warnings.begin(), settings_.warnings.end());
  if (Message remark = twin_remark(selection_.measured().counts); !remark.empty()) {
    warnings_.emplace_back(std::move(remark));
  }
  if (options_.merit == Merit::accuracy) {
    if (Message remark = imbalance_remark(selection_.measured()); !remark.empty()) {
      warnings_.push_back(std::move(remark));
    }
  }
  if (model_count() <= most_models_counted_together || options_.by == By::mean) {
    selection_.learn_every_team();
    if (test_ && test_teams == TestTeams::many) test_->learn_every_team();
  }
  reference_ = figures(Team::all(model_count()));
}

void SearchSpace::learn(const std::shared_ptr<const TeamList>& teams) {
  selection_.learn(teams);
  if (test_) test_->learn(teams);
}

Counters SearchSpace::counters() const {
  const auto merits_in = [](const CountedPool& pool) {
    return pool.merits() ? &*pool.merits() : nullptr;
  };
  Counters counters{.correct = &selection_.correct(), .merit = merits_in(selection_)};
  if (test_) {
    counters.test_correct = &test_->correct();
    counters.test_merit = merits_in(*test_);
  }
  return counters;
}

void SearchSpace::check_unchanged() const {
  hqe::check_unchanged(selection_.pool());
  if (test_) hqe::check_unchanged(test_->pool());
}

TeamFigures SearchSpace::figures(const Team& team) const {
  TeamFigures result{.team = team, .correct = selection_.correct().of(team.view())};
  if (selection_.merits()) result.merit = selection_.merits()->of(team.view());
  if (!test_) return result;
  result.test_correct = test_->correct().of(team.view());
  if (test_->merits()) result.test_merit = test_->merits()->of(team.view());
  return result;
}

}  // namespace hqe
