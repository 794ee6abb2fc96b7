// SPDX-License-Identifier: MIT
#include "hqe/evaluation/score_contests.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hqe/predictions/array.h"
#include "hqe/scan/sample_scores.h"

namespace hqe {

/// The rivals of one sample with everybody's scores.
struct ScoreRivals {
  std::int32_t truth = 0;
  std::vector<std::int32_t> classes;
  std::vector<double> scores;        // [true class, then rivals][model].
  std::vector<std::int32_t> wanted;  // The true class, then rivals.
  std::vector<double> row;           // One model's scores of all classes.
  std::vector<double> strength;
  std::vector<std::size_t> order, kept;

  void read(const Pool& pool, std::uint64_t sample);
  void keep_undominated(std::size_t models);
  [[nodiscard]] std::span<const double> of(std::size_t rival, std::size_t models) const {
    return {scores.data() + (rival + 1) * models, models};
  }
};

namespace {

// A sum that ties with j's is lost unless j is above y, so a rival below y needs a dominating rival
// below y.
bool dominates(std::int32_t j, std::int32_t k, std::int32_t truth, std::span<const double> of_j,
               std::span<const double> of_k) {
  if (j > truth && k < truth) return false;
  return std::ranges::equal(of_j, of_k, std::ranges::greater_equal{});
}

}  // namespace

// `kept`: the rivals that no other one dominates, as places in `classes`, strongest first.
void ScoreRivals::keep_undominated(std::size_t models) {
  if (classes.size() == 1) return kept.assign(1, 0);
  strength.clear();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto given = of(i, models);
    strength.push_back(std::accumulate(given.begin(), given.end(), 0.0));
  }
  order.resize(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Whoever dominates is at least as strong, and domination is transitive: each rival need only be
  // compared with those kept before it. Of equal rivals the lower class comes first and stays.
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) {
    return strength[i] != strength[j] ? strength[i] > strength[j] : i < j;
  });
  kept.clear();
  for (const std::size_t k : order) {
    const bool dropped = std::ranges::any_of(kept, [&](std::size_t j) {
      return dominates(classes[j], classes[k], truth, of(j, models), of(k, models));
    });
    if (!dropped) kept.push_back(k);
  }
}

void ScoreRivals::read(const Pool& pool, std::uint64_t sample) {
  const std::size_t models = pool.models.size();
  wanted.assign(1, truth);
  wanted.insert(wanted.end(), classes.begin(), classes.end());
  scores.resize(wanted.size() * models);
  scores_of_models(pool, sample, wanted, scores.data(), row);
}

namespace {

void append(ScoreChunk& chunk, ScoreRivals& rivals, std::uint32_t place, std::size_t models) {
  rivals.keep_undominated(models);
  const std::vector<std::size_t>& kept = rivals.kept;
  chunk.samples.push_back({.place = place,
                           .truth = rivals.truth,
                           .rivals = static_cast<std::uint32_t>(kept.size()),
                           .classes = static_cast<std::uint32_t>(chunk.classes.size())});
  chunk.scores.append(std::span(rivals.scores).first(models));
  for (const std::size_t rival : kept) {
    chunk.classes.push_back(rivals.classes[rival]);
    chunk.scores.append(rivals.of(rival, models));
  }
}

/// A pattern is the number of a contested sample. This one stands for the uncontested samples whose
/// true class is not class 0: members without weight answer class 0 even there.
constexpr std::uint32_t uncontested_pattern = UINT32_MAX;

/// Those with the most rivals first, else in their order; by counting, since there are few numbers.
std::vector<std::uint32_t> sorted_by_rivals(const ScoreSamples& samples) {
  std::vector<std::size_t> ends;
  for (const ScoreSamples::Place& place : samples.contested) {
    const std::size_t rivals = samples.sample(place).rivals;
    if (ends.size() <= rivals) ends.resize(rivals + 1);
    ++ends[rivals];
  }
  std::size_t end = 0;
  for (auto count = ends.rbegin(); count != ends.rend(); ++count) end = *count += end;
  std::vector<std::uint32_t> sorted;
  sorted.reserve(samples.contested.size() + 1);
  sorted.resize(samples.contested.size());
  for (std::size_t i = samples.contested.size(); i-- > 0;) {
    sorted[--ends[samples.sample(samples.contested[i]).rivals]] = static_cast<std::uint32_t>(i);
  }
  return sorted;
}

/// Keeps the scores of the contested samples, for margins and for the literal sums.
class LiteralScoreVote : public LiteralVote {
 public:
  LiteralScoreVote(ScoreSamples samples, std::vector<double> weights, int model_count);

  [[nodiscard]] const ScoreSamples& samples() const { return samples_; }

  [[nodiscard]] std::size_t models() const { return models_; }
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  [[nodiscard]] const ContestSummary& summary() const { return summary_; }
  [[nodiscard]] std::vector<PatternShape> shapes() const;

  void write_margins(std::size_t pattern, std::size_t rival, double scale,
                     std::span<std::int32_t> margins) const;
  [[nodiscard]] bool is_right(std::size_t pattern, TeamView team) const override;

 private:
  [[nodiscard]] double weight(std::size_t model) const {
    return weights_.empty() ? 1.0 : weights_[model];
  }
  [[nodiscard]] double sum(const ScoreSamples::Place& at, std::size_t row, TeamView team) const;

  ScoreSamples samples_;
  std::vector<double> weights_;  // Empty: soft.
  std::size_t models_;
  ContestSummary summary_;
  std::vector<std::uint32_t> patterns_;
};

LiteralScoreVote::LiteralScoreVote(ScoreSamples samples, std::vector<double> weights,
                                   int model_count)
    : samples_(std::move(samples)),
      weights_(std::move(weights)),
      models_(static_cast<std::size_t>(model_count)) {
  const std::uint64_t above_zero = samples_.uncontested_above_zero;
  summary_.always_right = samples_.uncontested;
  for (const ScoreSamples::Place& place : samples_.contested) {
    summary_.rivals += samples_.sample(place).rivals;
  }
  summary_.contested = samples_.contested.size();
  summary_.samples = summary_.contested + summary_.always_right;
  patterns_ = sorted_by_rivals(samples_);
  if (std::ranges::count(weights_, 0.0) > 0 && above_zero > 0) {
    patterns_.push_back(uncontested_pattern);
    summary_.always_right -= above_zero;
    summary_.contested += above_zero;
    summary_.rivals += above_zero;
  }
  summary_.patterns = patterns_.size();
}

std::vector<PatternShape> LiteralScoreVote::shapes() const {
  std::vector<PatternShape> result;
  result.reserve(patterns_.size());
  for (const std::uint32_t pattern : patterns_) {
    if (pattern == uncontested_pattern) {
      result.push_back({1, static_cast<std::uint32_t>(samples_.uncontested_above_zero)});
    } else {
      result.push_back({samples_.sample(samples_.contested[pattern]).rivals, 1});
    }
  }
  return result;
}

/// floor(x + 0.5), without a call. Requires: it is an int32.
std::int32_t nearest_integer(double x) {
  const double above = x + 0.5;
  const auto towards_zero = static_cast<std::int32_t>(above);
  return towards_zero - (towards_zero > above ? 1 : 0);
}

void LiteralScoreVote::write_margins(std::size_t pattern, std::size_t rival, double scale,
                                     std::span<std::int32_t> margins) const {
  if (patterns_[pattern] == uncontested_pattern) {
    for (std::size_t model = 0; model < models_; ++model) {
      margins[model] = weight(model) > 0 ? largest_sum / static_cast<std::int32_t>(models_) : 0;
    }
    return;
  }
  const ScoreSamples::Place& at = samples_.contested[patterns_[pattern]];
  samples_.chunk(at).scores.visit(samples_.first_score(at, models_), [&](const auto* own) {
    const auto* other = own + (rival + 1) * models_;
    if (weights_.empty()) {  // Several models at a time.
      for (std::size_t model = 0; model < models_; ++model) {
        margins[model] = nearest_integer(
            scale * (static_cast<double>(own[model]) - static_cast<double>(other[model])));
      }
      return;
    }
    for (std::size_t model = 0; model < models_; ++model) {
      const double margin = static_cast<double>(own[model]) - static_cast<double>(other[model]);
      margins[model] = nearest_integer(scale * (weights_[model] * margin));
    }
  });
}

bool LiteralScoreVote::is_right(std::size_t pattern, TeamView team) const {
  const bool is_contested = patterns_[pattern] != uncontested_pattern;
  const bool has_weight =
      std::ranges::any_of(team, [&](ModelId model) { return weight(model) != 0; });
  if (!is_contested) return has_weight;
  const ScoreSamples::Place& at = samples_.contested[patterns_[pattern]];
  const ScoreChunk::Sample& sample = samples_.sample(at);
  if (!has_weight) return sample.truth == 0;  // All classes tie: the lowest wins.
  const double own = sum(at, 0, team);
  for (std::size_t rival = 0; rival < sample.rivals; ++rival) {
    const double other = sum(at, rival + 1, team);
    const bool wins_tie = sample.truth < samples_.chunk(at).classes[sample.classes + rival];
    if (other > own || (other == own && !wins_tie)) return false;
  }
  return true;
}

double LiteralScoreVote::sum(const ScoreSamples::Place& at, std::size_t row, TeamView team) const {
  const ScoreStore& scores = samples_.chunk(at).scores;
  const std::size_t first = samples_.first_score(at, models_) + row * models_;
  double result = 0;
  for (const ModelId model : team) {
    const double score = scores[first + model];
    result += weights_.empty() ? score : weights_[model] * score;
  }
  return result;
}

ScoreSamples all_of(std::shared_ptr<const std::vector<ScoreChunk>> chunks) {
  ScoreSamples all;
  all.chunks = std::move(chunks);
  std::size_t contested = 0;
  for (const ScoreChunk& chunk : *all.chunks) contested += chunk.samples.size();
  all.contested.reserve(contested);
  for (std::size_t number = 0; number < all.chunks->size(); ++number) {
    const ScoreChunk& chunk = (*all.chunks)[number];
    all.uncontested += chunk.uncontested;
    all.uncontested_above_zero += chunk.uncontested_above_zero;
    for (std::size_t sample = 0; sample < chunk.samples.size(); ++sample) {
      all.contested.push_back(
          {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(sample)});
    }
  }
  return all;
}

/// `pool` is these samples of the whole. Which rivals are dominated depends on nothing else.
ScoreSamples part_of(const ScoreSamples& whole, const Pool& pool,
                     std::span<const std::uint64_t> samples) {
  const auto number_of = [&](const ScoreSamples::Place& place) {
    return whole.chunk(place).first + whole.sample(place).place;
  };
  // By sample of the whole, counted from 1: which of the contested it is.
  std::vector<std::uint32_t> contested(
      std::max(samples.empty() ? 0 : std::ranges::max(samples),
               whole.contested.empty() ? 0 : number_of(whole.contested.back())) +
      1);
  for (std::size_t i = 0; i < whole.contested.size(); ++i) {
    contested[number_of(whole.contested[i])] = static_cast<std::uint32_t>(i + 1);
  }
  ScoreSamples part;
  part.chunks = whole.chunks;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (const std::uint32_t which = contested[samples[i]]; which > 0) {
      part.contested.push_back(whole.contested[which - 1]);
      continue;
    }
    ++part.uncontested;
    part.uncontested_above_zero += pool.true_label(i) > 0;
  }
  return part;
}

// The largest power of two that keeps every team's sums within largest_sum.
double margin_scale(std::size_t models, const std::vector<double>& weights) {
  const double heaviest = weights.empty() ? 1.0 : std::ranges::max(weights);
  if (heaviest == 0) return 1;
  // Below half of it, which leaves room for rounding up, a half a model.
  int exponent = 0;
  std::frexp(heaviest * static_cast<double>(models), &exponent);
  return std::ldexp(1.0, 29 - exponent);
}

}  // namespace

void ScoreStore::clear() {
  floats_.clear();
  doubles_.clear();
}

void ScoreStore::append(std::span<const double> scores) {
  if (wide_) {
    doubles_.insert(doubles_.end(), scores.begin(), scores.end());
    return;
  }
  const std::size_t before = floats_.size();
  floats_.resize(before + scores.size());
  std::ranges::transform(scores, floats_.begin() + static_cast<std::ptrdiff_t>(before),
                         [](double score) { return static_cast<float>(score); });
}

/// A worker's memory, used again for every block.
struct ScoreCollector::Scratch {
  ScoreRivals rivals;
  ScoreChunk chunk;
};

ScoreCollector::~ScoreCollector() = default;

ScoreCollector::ScoreCollector(const Pool& pool, int worker_count)
    : model_count_(pool.model_count()),
      wide_(pool.kind == Kind::logits ||
            std::ranges::any_of(
                pool.models,
                [](const Model& model) { return model.predictions.dtype == DType::float64; })),
      scratch_(static_cast<std::size_t>(worker_count)) {
  for (Scratch& scratch : scratch_) scratch.chunk.scores = ScoreStore(wide_);
}

ScoreCollector::ScoreCollector(const Pool& pool, const Contests::Data& whole,
                               std::span<const std::uint64_t> samples)
    : ScoreCollector(pool, 0) {
  taken_ = part_of(dynamic_cast<const LiteralScoreVote&>(*whole.literal).samples(), pool, samples);
}

bool ScoreCollector::can_take(const Contests::Data& whole) {
  return dynamic_cast<const LiteralScoreVote*>(whole.literal.get()) != nullptr;
}

void ScoreCollector::collect(const Block& block, int worker) {
  if (taken_) return;
  const auto models = static_cast<std::size_t>(model_count_);
  auto& [rivals, chunk] = scratch_[static_cast<std::size_t>(worker)];
  chunk.first = block.first;
  chunk.samples.clear();
  chunk.classes.clear();
  chunk.scores.clear();
  chunk.uncontested = chunk.uncontested_above_zero = 0;
  for (int i = 0; i < block.count; ++i) {
    const std::size_t begin = block.rival_begin[i];
    const std::size_t end = block.rival_begin[i + 1];
    rivals.truth = block.truth[i];
    if (begin == end) {
      ++chunk.uncontested;
      chunk.uncontested_above_zero += rivals.truth > 0;
      continue;
    }
    rivals.classes.assign(block.rivals.begin() + begin, block.rivals.begin() + end);
    fetch_scores_after(block, i);
    rivals.read(*block.pool, block.first + i);
    append(chunk, rivals, static_cast<std::uint32_t>(i), models);
  }
  ScoreChunk copy = chunk;  // No larger than what it holds.
  const std::scoped_lock lock(mutex_);
  chunks_.push_back(std::move(copy));
}

std::shared_ptr<const Contests::Data> ScoreCollector::finish(VoteRule rule, int threads) {
  scratch_.clear();
  if (!taken_) {
    std::ranges::sort(chunks_, {}, &ScoreChunk::first);
    taken_ = all_of(std::make_shared<std::vector<ScoreChunk>>(std::move(chunks_)));
  }
  auto literal = std::make_shared<LiteralScoreVote>(std::move(*taken_), rule.weights, model_count_);
  auto data = std::make_shared<Contests::Data>();
  data->model_count = model_count_;
  data->rule = std::move(rule);
  data->summary = literal->summary();
  const double scale = margin_scale(literal->models(), literal->weights());
  lay_out(
      *data, literal->shapes(),
      [&](std::size_t pattern, std::size_t rival, std::span<std::int32_t> margins) {
        literal->write_margins(pattern, rival, scale, margins);
        return std::int32_t{0};
      },
      threads);
  data->table.doubt = rounding_doubt(model_count_);
  data->score_scale = scale;
  data->literal = std::move(literal);
  return data;
}

}  // namespace hqe
