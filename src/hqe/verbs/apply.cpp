// SPDX-License-Identifier: MIT
#include "hqe/verbs/apply.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "hqe/calibration/temper.h"
#include "hqe/scan/scan.h"
#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/settled_vote.h"

namespace hqe {
namespace {

constexpr std::uint64_t scores_a_block = std::uint64_t{1} << 20;
constexpr std::uint64_t most_samples_a_block = 1 << 16;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The answers to one block of samples, in memory that is used again.
class Answers {
 public:
  Answers(const Pool& pool, const VoteRule& rule, const Team& team, const ApplyOptions& options,
          int workers)
      : pool_(pool),
        rule_(rule),
        members_(options.members.empty() ? std::vector<ModelId>(team.begin(), team.end())
                                         : options.members),
        temperature_(options.temperature),
        adds_scores_(adds_scores(rule.vote, pool.kind)),
        with_scores_(adds_scores_ && options.with_scores),
        classes_(static_cast<std::size_t>(pool.class_count)),
        scratch_(static_cast<std::size_t>(workers)) {
    for (Scratch& one : scratch_) {
      one.labels.resize(static_cast<std::size_t>(team.size()));
      if (adds_scores_) one.row.resize(classes_);
      if (adds_scores_ && !with_scores_) one.sums.resize(classes_);
    }
  }

  [[nodiscard]] std::uint64_t samples_a_block() const {
    const std::uint64_t width = adds_scores_ ? classes_ : 1;
    return std::clamp<std::uint64_t>(scores_a_block / width, 1, most_samples_a_block);
  }

  void resize(std::uint64_t first, std::size_t count) {
    first_ = first;
    labels_.resize(count);
    margins_.resize(with_scores_ == adds_scores_ ? count : 0);
    agreeing_.resize(count);
    truth_.resize(pool_.has_labels ? count : 0);
    probabilities_.resize(with_scores_ ? count : 0);
    scores_.resize(with_scores_ ? count * classes_ : 0);
  }

  void answer(std::size_t place, int worker) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
    const std::uint64_t sample = first_ + place;
    if (adds_scores_) {
      answer_by_scores(place, sample, scratch);
    } else {
      answer_by_labels(place, sample, scratch.labels);
    }
    agreeing_[place] =
        labels_[place] < 0
            ? 0
            : static_cast<std::int32_t>(std::ranges::count(scratch.labels, labels_[place]));
    if (pool_.has_labels) truth_[place] = pool_.true_label(sample);
  }

  [[nodiscard]] AnswerBlock block() const {
    return {.first = first_,
            .labels = labels_,
            .scores = scores_,
            .probabilities = probabilities_,
            .margins = margins_,
            .agreeing = agreeing_,
            .truth = truth_};
  }

 private:
  struct Scratch {
    std::vector<std::int32_t> labels;  // One a member.
    std::vector<double> row, sums;
  };

  void answer_by_scores(std::size_t place, std::uint64_t sample, Scratch& scratch) {
    const std::span sums = with_scores_ ? std::span(scores_).subspan(place * classes_, classes_)
                                        : std::span(scratch.sums);
    std::ranges::fill(sums, 0.0);
    double weights = 0;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const ModelId model = members_[m];
      scratch.labels[m] = predicted_label(pool_, model, sample);
      class_scores(pool_, model, sample, scratch.row);
      const double weight = rule_.vote == Vote::weighted ? rule_.weights[model] : 1;
      for (std::size_t k = 0; k < classes_; ++k) sums[k] += weight * scratch.row[k];
      weights += weight;
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
    labels_[place] = static_cast<std::int32_t>(best);
    if (with_scores_) tell_scores(place, sums, best, weights);
  }

  void tell_scores(std::size_t place, std::span<double> sums, std::size_t best, double weights) {
    // Members without any weight have nothing to say: their scores stay 0.
    for (double& value : sums) value = weights > 0 ? value / weights : 0;
    if (temperature_) temper(sums, *temperature_);
    double second = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      if (k != best) second = std::max(second, sums[k]);
    }
    probabilities_[place] = sums[best];
    margins_[place] = std::max(sums[best] - second, 0.0);
  }

  void answer_by_labels(std::size_t place, std::uint64_t sample, std::span<std::int32_t> labels) {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      labels[m] = predicted_label(pool_, members_[m], sample);
    }
    const LabelVote vote = vote_of_labels(rule_, members_, labels);
    labels_[place] = vote.answer;
    margins_[place] = vote.answer < 0 ? nothing : vote.margin;
  }

  const Pool& pool_;
  const VoteRule& rule_;
  std::vector<ModelId> members_;
  std::optional<double> temperature_;
  bool adds_scores_, with_scores_;
  std::size_t classes_;
  std::vector<Scratch> scratch_;
  std::uint64_t first_ = 0;
  std::vector<std::int32_t> labels_, agreeing_, truth_;
  std::vector<double> scores_, probabilities_, margins_;
};

/// The run of one block, whose progress is that of the whole.
Run run_from(const Run& run, std::uint64_t first, std::uint64_t total) {
  Run part = run;
  if (!run.on_progress) return part;
  part.on_progress = [&run, first, total](const Progress& progress) {
    run.on_progress({progress.stage, first + progress.done, total});
  };
  return part;
}

/// Keeps everything.
class Columns : public AnswerConsumer {
 public:
  explicit Columns(Combined& combined) : combined_(combined) {}
  void start(const Combined&) override {}
  void take(const AnswerBlock& block) override {
    append(combined_.labels, block.labels);
    append(combined_.scores, block.scores);
    append(combined_.probabilities, block.probabilities);
    append(combined_.margins, block.margins);
    append(combined_.agreeing, block.agreeing);
  }
  void finish(const Combined&) override {}

 private:
  template <typename T>
  static void append(std::vector<T>& column, std::span<const T> values) {
    column.insert(column.end(), values.begin(), values.end());
  }

  Combined& combined_;
};

}  // namespace

ApplyOptions apply_options(const TeamFile& file, VoteOptions vote, std::vector<ModelId> members) {
  return {.vote = std::move(vote),
          .temperature = file.temperature,
          .expected = file.expected,
          .members = std::move(members)};
}

Combined apply(Pool pool, const Team& team, const ApplyOptions& options, const Run& run,
               AnswerConsumer& consumer) {
  check_teams({team}, pool.model_count());
  // Before the pool is read, not after.
  const Vote vote = check_vote(pool, options.vote);
  if (adds_scores(vote, pool.kind) && options.with_scores) {
    check_every_score(pool, "the probabilities, margins and scores of a team's answers need");
  }
  const Measured measured = measure(std::move(pool), {.needs_labels = false}, run);
  const VoteRule rule = settled_vote(measured.pool, options.vote, measured.correct());
  const std::uint64_t samples = measured.pool.sample_count;

  Combined result{.pool = summary_of(measured), .vote = rule.vote};
  result.warnings = measured.pool.notes;
  result.figures.team = team;
  result.temperature = options.temperature;
  result.expected = options.expected;
  consumer.start(result);
  Answers answers(measured.pool, rule, team, options, run.thread_count());
  const std::uint64_t step = answers.samples_a_block();
  for (std::uint64_t first = 0; first < samples; first += step) {
    const std::uint64_t count = std::min(step, samples - first);
    answers.resize(first, count);
    parallel_for(run_from(run, first, samples), "combining predictions", count, 64,
                 [&](std::uint64_t begin, std::uint64_t end, int worker) {
                   for (std::uint64_t i = begin; i < end; ++i) answers.answer(i, worker);
                 });
    const AnswerBlock block = answers.block();
    for (std::size_t i = 0; i < block.labels.size(); ++i) {
      if (block.labels[i] >= 0) ++result.answers;
      if (!block.truth.empty() && block.labels[i] == block.truth[i]) ++result.figures.correct;
    }
    consumer.take(block);
  }
  check_unchanged(measured.pool);
  consumer.finish(result);
  return result;
}

Combined apply(Pool pool, const Team& team, const ApplyOptions& options, const Run& run) {
  Combined kept;
  Columns columns(kept);
  Combined result = apply(std::move(pool), team, options, run, columns);
  result.labels = std::move(kept.labels);
  result.scores = std::move(kept.scores);
  result.probabilities = std::move(kept.probabilities);
  result.margins = std::move(kept.margins);
  result.agreeing = std::move(kept.agreeing);
  return result;
}

}  // namespace hqe
