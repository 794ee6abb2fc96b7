// SPDX-License-Identifier: MIT
#include "hqe/search/merits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hqe/base/elementary.h"
#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/base/percentage.h"
#include "hqe/predictions/samples.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/measure.h"
#include "hqe/search/outcomes.h"

namespace hqe {
namespace {

constexpr double smallest_share = 1e-15;

/// The samples of each class that occurs.
std::vector<std::vector<std::uint64_t>> samples_by_class(const Pool& pool) {
  std::vector<std::vector<std::uint64_t>> classes(static_cast<std::size_t>(pool.class_count));
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    classes[static_cast<std::size_t>(pool.true_label(sample))].push_back(sample);
  }
  std::erase_if(classes, [](const auto& samples) { return samples.empty(); });
  return classes;
}

std::vector<double> true_class_shares(const Pool& pool, const std::vector<double>& weights,
                                      const Run& run) {
  std::vector<double> shares(pool.models.size() * pool.sample_count);
  parallel_for(run, "reading true classes", pool.sample_count, 1024,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 std::vector<double> row;
                 for (std::size_t model = 0; model < pool.models.size(); ++model) {
                   for (std::uint64_t sample = begin; sample < end; ++sample) {
                     const std::int32_t truth[] = {pool.true_label(sample)};
                     double share[] = {0};
                     scores_of_classes(pool, static_cast<ModelId>(model), sample, truth, share, 1,
                                       row);
                     shares[model * pool.sample_count + sample] = weights[model] * share[0];
                   }
                 }
               });
  return shares;
}

}  // namespace

Merits::Merits(Merit merit, const Pool& pool, const VoteRule& rule, std::uint64_t selection_samples,
               const Run& run)
    : run_(run), sample_count_(pool.sample_count) {
  if (merit == Merit::logloss) {
    if (!adds_scores(rule.vote, pool.kind)) {
      throw UsageError(message(
          "{} needs the shares that a soft or weighted vote of probabilities or logits gives "
          "the classes. Use {} or accuracy, or such a pool and vote",
          option("merit", to_string(merit)), option("merit", to_string(Merit::balanced))));
    }
    weights_ =
        rule.vote == Vote::weighted ? rule.weights : std::vector<double>(pool.models.size(), 1.0);
    shares_ = std::make_shared<const std::vector<double>>(true_class_shares(pool, weights_, run));
    return;
  }
  const VoteOptions vote{.vote = rule.vote, .weights = rule.weights, .ties = rule.ties};
  std::vector<ClassContests> classes;
  for (const auto& samples : samples_by_class(pool)) {
    Measured measured = measure(
        samples_of(pool, samples),
        {.vote = vote, .selection_correct = rule.correct, .selection_samples = selection_samples},
        run);
    classes.push_back({samples.size(), std::move(*measured.contests)});
  }
  classes_ = std::make_shared<const std::vector<ClassContests>>(std::move(classes));
}

std::vector<double> Merits::of(const TeamList& teams) const {
  std::vector<double> values(teams.size());
  if (shares_) {
    parallel_for(run_, "judging teams", teams.size(), 16,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                   for (; begin < end; ++begin) values[begin] = log_loss(teams[begin]);
                 });
    return values;
  }
  for (const ClassContests& one : *classes_) {
    const std::vector<std::uint64_t> correct = one.contests.correct_counts(teams, run_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += static_cast<double>(correct[i]) / static_cast<double>(one.samples);
    }
  }
  for (double& value : values) {
    value = rounded_score(value / static_cast<double>(classes_->size()));
  }
  return values;
}

double Merits::of(TeamView team) const {
  TeamList one(static_cast<int>(team.size()));
  one.push_back(team);
  return of(one).front();
}

std::vector<EvidencePart> Merits::parts() const {
  if (!classes_) return {};
  std::vector<EvidencePart> parts;
  for (const ClassContests& one : *classes_) {
    parts.push_back({one.contests, worth(one)});
  }
  return parts;
}

double Merits::worth(const ClassContests& one) const {
  return static_cast<double>(sample_count_) /
         (static_cast<double>(one.samples) * static_cast<double>(classes_->size()));
}

double Merits::weight(TeamView team) const {
  double weight = 0;
  for (const ModelId model : team) weight += weights_[model];
  return weight;
}

double Merits::share(TeamView team, double weight, std::uint64_t sample) const {
  double share = 0;
  for (const ModelId model : team) share += (*shares_)[model * sample_count_ + sample];
  return std::max(share / weight, smallest_share);
}

PairedValues Merits::difference(TeamView first, TeamView second) const {
  PairedValues values{.total = sample_count_};
  if (shares_) {
    const double first_weight = weight(first), second_weight = weight(second);
    for (std::uint64_t sample = 0; sample < sample_count_; ++sample) {
      const double more =
          portable_log(share(first, first_weight, sample) / share(second, second_weight, sample));
      values.sum += more;
      values.squares += more * more;
    }
    return values;
  }
  for (const ClassContests& one : *classes_) {
    const PairedCounts counts = paired_counts(one.contests, first, second);
    const auto only_first = static_cast<double>(counts.only_first);
    const auto only_second = static_cast<double>(counts.only_second);
    values.sum += worth(one) * (only_first - only_second);
    values.squares += worth(one) * worth(one) * (only_first + only_second);
  }
  return values;
}

void Merits::weigh(Evidence& evidence, const TeamTable& teams, std::uint64_t seed) const {
  const std::vector<std::uint8_t> cells = deal_into_cells(sample_count_, seed);
  evidence.samples.fill(0);
  for (const std::uint8_t cell : cells) ++evidence.samples[cell];
  const std::size_t first = evidence.teams.size();
  for (std::size_t i = 0; i < teams.size(); ++i) evidence.teams.push_back(teams[i]);
  evidence.worth.resize(evidence.teams.size());
  parallel_for(run_, "weighing the evidence", teams.size(), 8,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   const double of_team = weight(teams[i]);
                   for (std::uint64_t sample = 0; sample < sample_count_; ++sample) {
                     evidence.worth[first + i][cells[sample]] +=
                         portable_log(share(teams[i], of_team, sample));
                   }
                 }
               });
}

double Merits::log_loss(TeamView team) const {
  // A product of a few shares costs one logarithm; sixteen cannot underflow.
  constexpr std::uint64_t factors = 16;
  const double of_team = weight(team);
  double sum = 0;
  for (std::uint64_t begin = 0; begin < sample_count_; begin += factors) {
    double product = 1;
    for (std::uint64_t i = begin; i < std::min(begin + factors, sample_count_); ++i) {
      product *= share(team, of_team, i);
    }
    sum += portable_log(product);
  }
  return rounded_score(sum / static_cast<double>(sample_count_));
}

std::string worth_text(Merit merit, double worth) {
  return merit == Merit::logloss ? fmt::format("a log-loss of {:.4f}", -worth)
                                 : fraction_percentage(worth) + " %";
}

std::string distance_text(Merit merit, double difference) {
  return merit == Merit::logloss ? fmt::format("a log-loss of {:.4f}", std::abs(difference))
                                 : fraction_percentage(difference) + " points";
}

std::optional<Merits> merits_of(Merit merit, const Pool& pool, const VoteRule& rule,
                                std::uint64_t selection_samples, const Run& run) {
  if (merit == Merit::accuracy) return std::nullopt;
  return Merits(merit, pool, rule, selection_samples, run);
}

}  // namespace hqe
