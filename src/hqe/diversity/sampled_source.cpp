// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>

#include "hqe/base/random.h"
#include "hqe/bits/count.h"
#include "hqe/diversity/focal.h"
#include "hqe/diversity/focal_kappas.h"
#include "hqe/diversity/formulas.h"
#include "hqe/diversity/sample_limit.h"
#include "hqe/failures/kept_predictions.h"

namespace hqe {
namespace {

FailureBits bits_of(Pool pool, const Run& run) {
  FailureBits bits;
  const std::array<BlockConsumer*, 1> consumers{&bits};
  scan(pool, consumers, run);
  return bits;
}

/// The draws of every focal model and repeat, and what all models said of the samples drawn.
class Draws {
 public:
  Draws(const Pool& pool, const FailureBits& bits, const SampleOptions& options, const Run& run)
      : options_(options),
        model_count_(static_cast<std::size_t>(pool.model_count())),
        words_((static_cast<std::size_t>(options.draws) + 63) / 64) {
    draw(bits);
    keep_failures(bits);
    read_labels(pool, run);
  }

  [[nodiscard]] const SampleOptions& options() const { return options_; }

  /// Bit d: `model` fails on the d-th draw.
  [[nodiscard]] std::span<const std::uint64_t> failures(std::size_t f, int repeat,
                                                        std::size_t model) const {
    const std::size_t row =
        (f * repeats() + static_cast<std::size_t>(repeat)) * model_count_ + model;
    return std::span(failures_).subspan(row * words_, words_);
  }

  /// The mean over the repeats of Cohen's kappa of i and j on the draws of f.
  [[nodiscard]] double kappa(int f, int i, int j) const {
    if (samples_.empty()) return 1;  // nobody ever fails
    double sum = 0;
    for (std::size_t r = 0; r < repeats(); ++r) {
      sum += kappa_of(draws_of(static_cast<std::size_t>(f) * repeats() + r), labels_of(i),
                      labels_of(j));
    }
    return sum / static_cast<double>(repeats());
  }

 private:
  [[nodiscard]] std::size_t repeats() const { return static_cast<std::size_t>(options_.repeats); }
  [[nodiscard]] std::size_t draw_count() const { return static_cast<std::size_t>(options_.draws); }

  [[nodiscard]] std::span<const std::uint32_t> draws_of(std::size_t stream) const {
    return std::span(draws_).subspan(stream * draw_count(), draw_count());
  }
  [[nodiscard]] const std::uint32_t* labels_of(int model) const {
    return labels_.data() + static_cast<std::size_t>(model) * samples_.size();
  }

  // Fills draws_ with places in samples_, the samples drawn at least once, ascending. A model that
  // never fails leaves its draws at 0: nobody asks for them.
  void draw(const FailureBits& bits) {
    std::vector<std::uint64_t> drawn(model_count_ * repeats() * draw_count());
    std::vector<bool> ever_fails(model_count_);
    for (std::size_t f = 0; f < model_count_; ++f) {
      std::vector<std::uint64_t> negatives;
      for_each_bit(bits.row(static_cast<ModelId>(f)),
                   [&](std::uint64_t sample) { negatives.push_back(sample); });
      ever_fails[f] = !negatives.empty();
      for (std::size_t r = 0; r < repeats() && ever_fails[f]; ++r) {
        const std::size_t stream = f * repeats() + r;
        Random random(options_.seed, stream);
        for (std::size_t d = 0; d < draw_count(); ++d) {
          drawn[stream * draw_count() + d] = negatives[random.below(negatives.size())];
        }
      }
    }
    const std::size_t stride = repeats() * draw_count();
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (ever_fails[i / stride]) samples_.push_back(drawn[i]);
    }
    std::ranges::sort(samples_);
    samples_.erase(std::ranges::unique(samples_).begin(), samples_.end());
    draws_.resize(drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (!ever_fails[i / stride]) continue;
      draws_[i] = static_cast<std::uint32_t>(std::ranges::lower_bound(samples_, drawn[i]) -
                                             samples_.begin());
    }
  }

  void keep_failures(const FailureBits& bits) {
    failures_.resize(model_count_ * repeats() * model_count_ * words_);
    if (samples_.empty()) return;
    for (std::size_t stream = 0; stream < model_count_ * repeats(); ++stream) {
      for (std::size_t m = 0; m < model_count_; ++m) {
        const auto row = bits.row(static_cast<ModelId>(m));
        std::uint64_t* words = &failures_[(stream * model_count_ + m) * words_];
        for (std::size_t d = 0; d < draw_count(); ++d) {
          const std::uint64_t sample = samples_[draws_of(stream)[d]];
          words[d / 64] |= (row[sample / 64] >> (sample % 64) & 1) << (d % 64);
        }
      }
    }
  }

  // Labels are kept as places among the labels that occur, so that few classes or many cost the
  // same.
  void read_labels(const Pool& pool, const Run& run) {
    std::vector<std::int32_t> read(model_count_ * samples_.size());
    parallel_for(run, "reading drawn samples", samples_.size(), 16,
                 [&](std::uint64_t begin, std::uint64_t end, int) {
                   for (std::size_t m = 0; m < model_count_; ++m) {
                     for (std::uint64_t s = begin; s < end; ++s) {
                       read[m * samples_.size() + s] =
                           predicted_label(pool, static_cast<ModelId>(m), samples_[s]);
                     }
                   }
                 });
    std::vector<std::int32_t> occurring = read;
    std::ranges::sort(occurring);
    occurring.erase(std::ranges::unique(occurring).begin(), occurring.end());
    label_count_ = occurring.size();
    labels_.reserve(read.size());
    for (const std::int32_t label : read) {
      labels_.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(occurring, label) -
                                                   occurring.begin()));
    }
  }

  [[nodiscard]] double kappa_of(std::span<const std::uint32_t> draws, const std::uint32_t* labels_i,
                                const std::uint32_t* labels_j) const {
    // All 0 between two calls.
    thread_local std::vector<std::uint32_t> counts;
    counts.resize(std::max(counts.size(), label_count_));
    std::uint64_t same = 0, chance = 0;
    for (const std::uint32_t s : draws) {
      same += labels_i[s] == labels_j[s];
      ++counts[labels_i[s]];
    }
    for (const std::uint32_t s : draws) chance += counts[labels_j[s]];
    for (const std::uint32_t s : draws) counts[labels_i[s]] = 0;
    return cohens_kappa(draws.size(), same, chance);
  }

  SampleOptions options_;
  std::size_t model_count_;
  std::size_t words_;
  std::size_t label_count_ = 0;
  std::vector<std::uint64_t> samples_;
  std::vector<std::uint32_t> draws_;
  std::vector<std::uint64_t> failures_;
  std::vector<std::uint32_t> labels_;
};

class SampledSource final : public FocalSource {
 public:
  SampledSource(const Pool& pool, const Counts& counts, const FailureBits& bits,
                const SampleOptions& options, const Run& run)
      : draws_(pool, bits, options, run),
        kappas_(pool.model_count(),
                {.of_pair = [this](int f, int i, int j) { return draws_.kappa(f, i, j); },
                 .of_triples =
                     [this](int i, int j, std::span<const ModelId> last, TripleKappas& kappas) {
                       for (std::size_t place = 0; place < last.size(); ++place) {
                         const int k = last[place];
                         kappas[0][place] = draws_.kappa(i, j, k);
                         kappas[1][place] = draws_.kappa(j, i, k);
                         kappas[2][place] = draws_.kappa(k, i, j);
                       }
                     }}) {
    for (int m = 0; m < pool.model_count(); ++m) {
      correct_.push_back(counts.correct(static_cast<ModelId>(m)));
      ever_fails_.push_back(counts.failures(static_cast<ModelId>(m)) > 0);
    }
  }

  [[nodiscard]] int model_count() const override { return static_cast<int>(correct_.size()); }
  [[nodiscard]] bool ever_fails(ModelId f) const override { return ever_fails_[f]; }
  [[nodiscard]] std::uint64_t correct(ModelId f) const override { return correct_[f]; }

  void focal_negative_correlations(Metric metric, const TeamList& teams, std::size_t begin,
                                   std::size_t end, std::span<double> out) const override {
    const auto size = static_cast<std::size_t>(teams.team_size());
    assert(out.size() == (end - begin) * size);
    if (is_kappa(metric)) {
      kappas_.scores(teams, begin, end, [this](ModelId f) { return ever_fails(f); }, out);
      return;
    }
    for (std::size_t team = begin; team < end; ++team) {
      for (std::size_t f = 0; f < size; ++f) {
        const ModelId focal = teams[team][f];
        out[(team - begin) * size + f] =
            ever_fails(focal) ? failure_score(metric, teams[team], focal) : 0;
      }
    }
  }

 private:
  [[nodiscard]] double failure_score(Metric metric, TeamView team, ModelId f) const {
    const SampleOptions& options = draws_.options();
    double sum = 0;
    for (int r = 0; r < options.repeats; ++r) {
      std::uint64_t alone = 0, together = 0;
      for (std::size_t i = 0; i < team.size(); ++i) {
        const auto row = draws_.failures(f, r, team[i]);
        alone += count(row);
        for (std::size_t j = i + 1; j < team.size(); ++j) {
          together += count_and(row, draws_.failures(f, r, team[j]));
        }
      }
      sum += failure_diversity(metric, static_cast<int>(team.size()),
                               static_cast<std::uint64_t>(options.draws), alone, together);
    }
    return sum / options.repeats;
  }

  Draws draws_;
  std::vector<std::uint64_t> correct_;
  std::vector<bool> ever_fails_;
  FocalKappas kappas_;
};

}  // namespace

std::unique_ptr<FocalSource> sampled_focal_source(const Pool& pool, const Counts& counts,
                                                  const SampleOptions& options, const Run& run,
                                                  const FailureBits* bits) {
  check_sample(options, pool.model_count());
  if (bits != nullptr) {
    return std::make_unique<SampledSource>(pool, counts, *bits, options, run);
  }
  return std::make_unique<SampledSource>(pool, counts, bits_of(pool, run), options, run);
}

}  // namespace hqe
