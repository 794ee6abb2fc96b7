// SPDX-License-Identifier: MIT
#include "hqe/calibration/tempering.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "hqe/base/elementary.h"
#include "hqe/calibration/tempering_kernel.h"

namespace hqe {
namespace {

constexpr std::uint64_t samples_a_block = 256;

/// Calls `add(sums, sample)` for each sample, sums being those of the sample's block, and adds up
/// the blocks in their order.
template <class Sums, class Add>
Sums add_up_blocks(const LogShares& shares, const Run& run, const Add& add) {
  const std::uint64_t samples = shares.sample_count();
  std::vector<Sums> blocks((samples + samples_a_block - 1) / samples_a_block);
  parallel_for(run, "calibrating", samples, samples_a_block,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 Sums& sums = blocks[begin / samples_a_block];
                 for (std::uint64_t sample = begin; sample < end; ++sample) add(sums, sample);
               });
  Sums total;
  for (const Sums& sums : blocks) total += sums;
  return total;
}

struct SlopeSums {
  double slope = 0, curvature = 0;
  void operator+=(const SlopeSums& other) {
    slope += other.slope;
    curvature += other.curvature;
  }
};

struct RoughSums {
  double slope = 0, means = 0;
  void operator+=(const RoughSums& other) {
    slope += other.slope;
    means += other.means;
  }
};

struct FigureSums {
  double log_loss = 0, brier = 0;
  ReliabilityBins bins;  ///< Confidences are sums here.

  void operator+=(const FigureSums& other) {
    log_loss += other.log_loss;
    brier += other.brier;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      bins[b].count += other.bins[b].count;
      bins[b].correct += other.bins[b].correct;
      bins[b].confidence += other.bins[b].confidence;
    }
  }
};

std::size_t bin_of(double confidence) {
  constexpr double on_the_border = 1e-9;
  const double place = std::ceil((confidence - on_the_border) * reliability_bin_count) - 1;
  return static_cast<std::size_t>(std::clamp(place, 0.0, reliability_bin_count - 1.0));
}

void add_figures(FigureSums& sums, const LogShares& shares, std::uint64_t sample, double inverse,
                 const TemperedRow& row) {
  const double log_truth = inverse * shares.of_truth(sample);
  const double truth = portable_exp(log_truth) / row.shares;
  const double confidence = 1 / row.shares;  // The answer's e is 1.
  sums.log_loss += portable_log(row.shares) - log_truth;
  // Rounding may leave it a hair outside what squares add up to.
  sums.brier += std::clamp(row.squared / (row.shares * row.shares) - 2 * truth + 1, 0.0, 2.0);
  ReliabilityBin& bin = sums.bins[bin_of(confidence)];
  ++bin.count;
  bin.correct += shares.is_right(sample) ? 1 : 0;
  bin.confidence += confidence;
}

void add_slope(SlopeSums& sums, const LogShares& shares, std::uint64_t sample,
               const TemperedRow& row) {
  const double mean = row.slope / row.shares;
  sums.slope += mean - shares.of_truth(sample);
  sums.curvature += std::max(row.curvature / row.shares - mean * mean, 0.0);
}

struct UntemperedSums {
  SlopeSums slope;
  FigureSums figures;
  void operator+=(const UntemperedSums& other) {
    slope += other.slope;
    figures += other.figures;
  }
};

CalibrationFigures figures_of(const FigureSums& sums, std::uint64_t sample_count) {
  const auto samples = static_cast<double>(sample_count);
  CalibrationFigures figures{.log_loss = sums.log_loss / samples, .brier = sums.brier / samples};
  for (std::size_t b = 0; b < figures.bins.size(); ++b) {
    figures.bins[b] = sums.bins[b];
    ReliabilityBin& bin = figures.bins[b];
    if (bin.count == 0) continue;
    figures.calibration_error +=
        std::abs(static_cast<double>(bin.correct) - bin.confidence) / samples;
    bin.confidence = std::min(bin.confidence / static_cast<double>(bin.count), 1.0);
  }
  figures.calibration_error = std::min(figures.calibration_error, 1.0);
  return figures;
}

Slope slope_of(const SlopeSums& sums, std::uint64_t sample_count) {
  const auto samples = static_cast<double>(sample_count);
  return {.slope = sums.slope / samples, .curvature = sums.curvature / samples};
}

}  // namespace

CalibrationFigures figures_at(const LogShares& shares, double temperature, const Run& run) {
  const double inverse = 1 / temperature;
  const auto sums =
      add_up_blocks<FigureSums>(shares, run, [&](FigureSums& block, std::uint64_t sample) {
        add_figures(block, shares, sample, inverse, temper(shares.row(sample), inverse));
      });
  return figures_of(sums, shares.sample_count());
}

Slope slope_at(const LogShares& shares, double inverse, const Run& run) {
  const auto sums =
      add_up_blocks<SlopeSums>(shares, run, [&](SlopeSums& block, std::uint64_t sample) {
        add_slope(block, shares, sample, temper(shares.row(sample), inverse));
      });
  return slope_of(sums, shares.sample_count());
}

RoughSlope rough_slope_at(const LogShares& shares, double inverse, const Run& run) {
  const auto sums =
      add_up_blocks<RoughSums>(shares, run, [&](RoughSums& block, std::uint64_t sample) {
        const double mean = rough_mean(shares.row(sample), inverse);
        block.slope += mean - shares.of_truth(sample);
        block.means += std::abs(mean) + std::abs(shares.of_truth(sample));
      });
  const auto samples = static_cast<double>(shares.sample_count());
  // Twice: the error is a share of the true mean, not of this one.
  return {.slope = sums.slope / samples,
          .error = 2 * (rough_error * sums.means / samples + least_rough_error)};
}

Untempered untempered(const LogShares& shares, const Run& run) {
  const auto sums =
      add_up_blocks<UntemperedSums>(shares, run, [&](UntemperedSums& block, std::uint64_t sample) {
        const TemperedRow row = temper(shares.row(sample), 1);
        add_slope(block.slope, shares, sample, row);
        add_figures(block.figures, shares, sample, 1, row);
      });
  return {.slope = slope_of(sums.slope, shares.sample_count()),
          .figures = figures_of(sums.figures, shares.sample_count())};
}

}  // namespace hqe
