// SPDX-License-Identifier: MIT
#include "hqe/synth/story.h"

#include <algorithm>
#include <cmath>

#include "hqe/base/random.h"
#include "hqe/statistics/normal.h"

namespace hqe {
namespace {

constexpr std::size_t max_lookalikes = 20;
/// Logits of a model that is sure, per unit of difficulty to spare.
constexpr double usual_confidence = 2.5;
constexpr double highest_logit = 14;
/// A lookalike's appeal falls with its rank among the class's lookalikes, and varies by sample and
/// by model. Chosen so that ImageNet-like pools have as many rivals as real ones.
constexpr double rank_appeal = 0.5;
constexpr double shared_appeal = 1.25;
constexpr double own_appeal = 0.5;

/// Independent streams of random numbers for independent questions.
enum class Question : std::uint64_t { sample = 1, lookalikes = 2, opinion = 3 };

Random stream_of(std::uint64_t seed, Question question, std::uint64_t number,
                 std::uint64_t model = 0) {
  return Random(seed ^ (model * 0x9E3779B97F4A7C15u),
                (static_cast<std::uint64_t>(question) << 56) | number);
}

/// Each class has its own lookalikes, the same on every sample, as cats have dogs.
void choose_lookalikes(std::uint64_t seed, std::int32_t truth, int class_count,
                       std::vector<std::int32_t>& lookalikes) {
  const std::size_t count = std::min(max_lookalikes, static_cast<std::size_t>(class_count) - 1);
  lookalikes.clear();
  Random random = stream_of(seed, Question::lookalikes, static_cast<std::uint64_t>(truth));
  if (static_cast<std::size_t>(class_count) <= 2 * max_lookalikes) {
    // Every other class, from a random one on.
    const auto others = static_cast<std::uint64_t>(class_count) - 1;
    const std::uint64_t start = random.below(others);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t step = 1 + (start + i) % others;
      lookalikes.push_back(static_cast<std::int32_t>((static_cast<std::uint64_t>(truth) + step) %
                                                     static_cast<std::uint64_t>(class_count)));
    }
    return;
  }
  while (lookalikes.size() < count) {
    const auto label =
        static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(class_count)));
    const bool is_known =
        std::find(lookalikes.begin(), lookalikes.end(), label) != lookalikes.end();
    if (label != truth && !is_known) lookalikes.push_back(label);
  }
}

}  // namespace

Storyteller::Storyteller(const SynthOptions& options)
    : options_(options),
      abstain_above_(rough_normal_quantile(1 - options.abstain)),
      shared_(std::sqrt(options.correlation)),
      own_(std::sqrt(1 - options.correlation)) {
  for (int model = 0; model < options.model_count; ++model) {
    endurance_.push_back(rough_normal_quantile(accuracy(model)));
  }
}

double Storyteller::accuracy(int model) const {
  const double share =
      options_.model_count == 1 ? 0.5 : static_cast<double>(model) / (options_.model_count - 1);
  return options_.accuracy_min + share * (options_.accuracy_max - options_.accuracy_min);
}

void Storyteller::tell_sample(std::uint64_t number, Sample& sample) const {
  Random random = stream_of(options_.seed, Question::sample, number);
  sample.truth =
      static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(options_.class_count)));
  sample.difficulty = random.normal();
  choose_lookalikes(options_.seed, sample.truth, options_.class_count, sample.lookalikes);
  sample.appeal.resize(sample.lookalikes.size());
  for (std::size_t i = 0; i < sample.appeal.size(); ++i) {
    sample.appeal[i] = shared_appeal * random.normal() - rank_appeal * static_cast<double>(i);
  }
}

void Storyteller::tell_opinion(std::uint64_t number, const Sample& sample, int model,
                               SyntheticOpinion& opinion) const {
  Random random =
      stream_of(options_.seed, Question::opinion, number, static_cast<std::uint64_t>(model) + 1);
  const double difficulty = shared_ * sample.difficulty + own_ * random.normal();
  const double spare = endurance_[static_cast<std::size_t>(model)] - difficulty;
  opinion.abstains = options_.abstain > 0 && difficulty > abstain_above_;
  opinion.truth = std::clamp(usual_confidence * spare, lowest_plausible_logit, highest_logit);
  opinion.lookalikes.resize(sample.lookalikes.size());
  for (std::size_t i = 0; i < opinion.lookalikes.size(); ++i) {
    opinion.lookalikes[i] = sample.appeal[i] + own_appeal * random.normal();
  }
  const double largest = *std::max_element(opinion.lookalikes.begin(), opinion.lookalikes.end());
  for (double& logit : opinion.lookalikes) {
    logit = std::max(logit - largest, lowest_plausible_logit);
  }
}

}  // namespace hqe
