// SPDX-License-Identifier: MIT
#include <atomic>
#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "hqe/evaluation/contests.h"
#include "hqe/evaluation/label_contests.h"
#include "hqe/evaluation/score_contests.h"

namespace hqe {
namespace {

std::vector<std::uint64_t> count_correct(const Block& block, int model_count) {
  std::vector<std::uint64_t> correct(static_cast<std::size_t>(model_count), 0);
  for (std::size_t model = 0; model < correct.size(); ++model) {
    for (int i = 0; i < block.count; ++i) {
      correct[model] += block.predicted[model * block.count + i] == block.truth[i];
    }
  }
  return correct;
}

}  // namespace

struct ContestBuilder::State {
  VoteOptions options;
  std::vector<std::uint64_t> selection_correct;
  std::uint64_t selection_samples = 0;
  std::optional<ContestPart> part;

  Kind kind = Kind::labels;
  std::uint64_t sample_count = 0;
  std::vector<std::string> names;
  int worker_count = 1;
  std::vector<std::vector<std::uint64_t>> correct;  // Of this pool, a worker each.
  std::optional<ScoreCollector> scores;
  std::optional<LabelCollector> labels;
  std::shared_ptr<const Contests::Data> data;

  [[nodiscard]] VoteRule settle() const;
};

VoteRule ContestBuilder::State::settle() const {
  if (!selection_correct.empty()) {
    return settle_vote(kind, selection_samples == 0 ? sample_count : selection_samples, options,
                       selection_correct, names);
  }
  std::vector<std::uint64_t> sum = correct.front();
  for (std::size_t worker = 1; worker < correct.size(); ++worker) {
    for (std::size_t model = 0; model < sum.size(); ++model) sum[model] += correct[worker][model];
  }
  return settle_vote(kind, sample_count, options, std::move(sum), names);
}

ContestBuilder::ContestBuilder(VoteOptions options, std::vector<std::uint64_t> selection_correct,
                               std::uint64_t selection_samples, std::optional<ContestPart> part)
    : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->selection_correct = std::move(selection_correct);
  state_->selection_samples = selection_samples;
  state_->part = std::move(part);
}

ContestBuilder::~ContestBuilder() = default;

void ContestBuilder::start(const Pool& pool, int worker_count) {
  state_->kind = pool.kind;
  state_->sample_count = pool.sample_count;
  state_->names.clear();
  for (const Model& model : pool.models) state_->names.push_back(model.name);
  state_->worker_count = worker_count;
  state_->correct.assign(static_cast<std::size_t>(worker_count),
                         std::vector<std::uint64_t>(pool.models.size(), 0));
  state_->data = nullptr;
  state_->scores.reset();
  state_->labels.reset();
  // Refuses an impossible vote before the pool is read, not after.
  const Vote vote = state_->settle().vote;
  if (adds_scores(vote, pool.kind)) {
    const auto& part = state_->part;
    if (part && ScoreCollector::can_take(part->whole.data())) {
      state_->scores.emplace(pool, part->whole.data(), part->samples);
    } else {
      state_->scores.emplace(pool, worker_count);
    }
  } else {
    state_->labels.emplace(pool, vote, worker_count);
  }
}

void ContestBuilder::consume(const Block& block, int worker) {
  if (state_->scores) {
    state_->scores->collect(block, worker);
  } else {
    state_->labels->collect(block, worker);
  }
  if (!state_->selection_correct.empty()) return;
  std::vector<std::uint64_t>& mine = state_->correct[worker];
  const auto counted = count_correct(block, static_cast<int>(mine.size()));
  for (std::size_t model = 0; model < mine.size(); ++model) mine[model] += counted[model];
}

void ContestBuilder::finish() {
  VoteRule rule = state_->settle();
  state_->data = state_->scores ? state_->scores->finish(std::move(rule), state_->worker_count)
                                : state_->labels->finish(std::move(rule), state_->worker_count);
}

Contests ContestBuilder::contests() const {
  assert(state_->data != nullptr);
  return Contests(state_->data);
}

}  // namespace hqe
