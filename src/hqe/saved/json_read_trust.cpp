// SPDX-License-Identifier: MIT
#include <limits>
#include <utility>

#include "hqe/saved/json_read_study.h"
#include "hqe/statistics/intervals.h"

namespace hqe {

namespace {

constexpr int most_resamples = std::numeric_limits<int>::max();

/// Any pool's samples: what is held out may be counted in several parts.
constexpr Limit any_samples{max_sample_count, "the", "samples that a pool can have"};

std::uint64_t read_sample_count(const Entry& entry) {
  const std::uint64_t samples = entry.count(any_samples);
  if (samples == 0) entry.refuse_value("samples tell nothing");
  return samples;
}

Interval read_pair(const Entry& entry) {
  const auto ends = entry.list_of(2, "the ends of an interval");
  return read_interval(ends[0], ends[1]);
}

AccuracyFigures read_accuracy(const Entry& entry) {
  AccuracyFigures figures{.samples = read_sample_count(entry.at("samples")),
                          .interval = read_pair(entry.at("interval"))};
  figures.correct = entry.at("correct").count({figures.samples, "these", "samples"});
  return figures;
}

PairedFigures read_paired(const Entry& entry) {
  PairedCounts counts{.total = read_sample_count(entry.at("samples"))};
  counts.only_first = entry.at("only_recommended").count({counts.total, "these", "samples"});
  counts.only_second =
      entry.at("only_baseline").count({counts.total - counts.only_first, "the other", "samples"});
  return {.counts = counts,
          .interval = read_pair(entry.at("interval")),
          .p_value = entry.at("p_value").share()};
}

MeritFigures read_merit(const Entry& entry) {
  return {.difference = entry.at("difference").number(),
          .deviation = entry.at("deviation").number(),
          .interval = read_pair(entry.at("interval"))};
}

ChosenInterval read_chosen(const Entry& entry) {
  ChosenInterval chosen{.interval = read_pair(entry.at("interval")),
                        .quantile = entry.at("quantile").number(),
                        .kept = entry.at("kept").count(),
                        .resamples = entry.at("resamples").whole(0, most_resamples)};
  chosen.among = entry.at("among").count({chosen.kept, "the", "kept teams"});
  return chosen;
}

/// Reads one object of "trust" after the other.
class TrustReader {
 public:
  explicit TrustReader(const Study& study) : study_(study) {}

  [[nodiscard]] Trust read(const Entry& entry) const {
    Trust trust;
    trust.held_out = entry.at("held_out").word(parse_held_out);
    trust.says = entry.at("says").text();
    for (const Entry row : entry.at("teams").list()) {
      trust.teams.push_back({.rule = row.at("name").word(parse_judged_rule),
                             .team = team(row),
                             .selection = read_accuracy(row.at("selection")),
                             .held_out = maybe(row, "held_out", read_accuracy)});
    }
    for (const Entry row : entry.at("comparisons").list()) {
      trust.comparisons.push_back(comparison(row));
    }
    trust.chosen = maybe(entry, "chosen", read_chosen);
    trust.half = maybe(entry, "half", [&](const Entry& half) { return fold_figures(half); });
    for (const Entry fold : entry.at("folds").list()) trust.folds.push_back(fold_figures(fold));
    trust.stability =
        maybe(entry, "stability", [&](const Entry& found) { return stability(found); });
    for (const Entry check : entry.at("pruning").list()) {
      trust.pruning.push_back(pruning_check(check));
    }
    return trust;
  }

 private:
  [[nodiscard]] Team team(const Entry& entry) const {
    return read_team(entry.at("team"), study_.pool);
  }

  [[nodiscard]] FoldFigures fold_figures(const Entry& entry) const {
    return {.team = team(entry),
            .selection = read_accuracy(entry.at("selection")),
            .held_out = read_accuracy(entry.at("held_out"))};
  }

  [[nodiscard]] BaselineComparison comparison(const Entry& entry) const {
    return {.against = entry.at("against").word(parse_judged_rule),
            .team = team(entry),
            .selection = read_paired(entry.at("selection")),
            .corrected = read_pair(entry.at("corrected")),
            .held_out = maybe(entry, "held_out", read_paired),
            .merit = maybe(entry, "merit", read_merit),
            .verdict = entry.at("verdict").word(parse_verdict),
            .samples = read_sample_count(entry.at("samples")),
            .samples_needed = maybe(entry, "samples_needed", count_of),
            .says = entry.at("says").text()};
  }

  [[nodiscard]] Stability stability(const Entry& entry) const {
    Stability read{.resamples = entry.at("resamples").whole(0, most_resamples),
                   .same_team = entry.at("same_team").share(),
                   .not_measured = read_text_or_nothing(entry, "not_measured")};
    read.without_team = entry.at("without_team").whole(0, read.resamples);
    const Entry members = entry.at("members");
    const bool is_measured = read.not_measured.empty();
    if (is_measured || !members.list().empty()) {
      for (const Entry share : members.list_of(study_.pool.models.size(), "one a model")) {
        read.members.push_back(share.share());
      }
    }
    for (const Entry kept : entry.at("kept").list()) {
      read.kept.push_back({read_selection_name(kept.at("metric")), kept.at("jaccard").share()});
    }
    for (const Entry frequent : entry.at("teams").list()) {
      read.teams.push_back({team(frequent), frequent.at("times").whole(0, read.resamples)});
    }
    return read;
  }

  [[nodiscard]] PruningCheck::Best best(const Entry& entry) const {
    const Limit test_samples = study_.test ? sample_limit(study_.test->pool, "the test pool's")
                                           : Limit{0, "a missing test pool's", "samples"};
    return {.team = team(entry),
            .correct = entry.at("correct").count(sample_limit(study_.pool)),
            .test_correct = maybe(entry, "test_correct", [&](const Entry& correct) {
              return correct.count(test_samples);
            })};
  }

  [[nodiscard]] PruningCheck pruning_check(const Entry& entry) const {
    PruningCheck check{.metric = read_metric_name(entry.at("metric")),
                       .not_measured = read_text_or_nothing(entry, "not_measured")};
    if (!check.not_measured.empty()) return check;
    for (const Entry tier : entry.at("tiers").list()) {
      PruningCheck::Tier read{
          .size = tier.at("size").whole(1, static_cast<int>(study_.pool.models.size())),
          .pruned = tier.at("pruned").count()};
      read.violated = tier.at("violated").count({read.pruned, "the", "pruned teams"});
      check.tiers.push_back(read);
    }
    check.cut = entry.at("cut").count();
    check.cut_in_upper_half = entry.at("cut_in_upper_half").count({check.cut, "the", "cut teams"});
    const auto best_of = [&](const Entry& found) { return best(found); };
    check.best_kept = maybe(entry, "best_kept", best_of);
    check.best_thrown_away = maybe(entry, "best_thrown_away", best_of);
    return check;
  }

  const Study& study_;
};

}  // namespace

Trust read_trust(const Entry& entry, const Study& study) { return TrustReader(study).read(entry); }

}  // namespace hqe
