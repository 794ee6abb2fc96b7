// SPDX-License-Identifier: MIT
/// Focal diversity, Algorithm 1 of the paper: how differently a team fails on the samples that one
/// of its members fails on. Implemented in focal.cpp, count_source.cpp and sampled_source.cpp.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/diversity/metric.h"
#include "hqe/ensemble/team.h"
#include "hqe/failures/counts.h"
#include "hqe/failures/failure_bits.h"

namespace hqe {

enum class Weights { rank, uniform };
inline constexpr std::array all_weights{Weights::rank, Weights::uniform};
[[nodiscard]] std::string_view to_string(Weights weights);
[[nodiscard]] std::optional<Weights> parse_weights(std::string_view word);

/// Where q_f(T), the focal negative correlation, comes from: all of f's failures (Counts), or
/// samples of them as the paper's authors draw. Score a whole list at a time: virtual calls are a
/// list's, never a team's.
///
/// Thread safety: const members may be called from several threads.
class FocalSource {
 public:
  virtual ~FocalSource() = default;

  /// Of the pool; ids are below.
  [[nodiscard]] virtual int model_count() const = 0;
  /// n_f > 0, per model: whether it has a focal view.
  [[nodiscard]] virtual bool ever_fails(ModelId f) const = 0;
  [[nodiscard]] virtual std::uint64_t correct(ModelId f) const = 0;

  /// q_f(T) for the teams [begin, end) of a list and each member f, in
  /// out[(team - begin) * S + place of f]; 0 where f never fails. `metric` is a baseline name: ck,
  /// bd, kw or gd.
  virtual void focal_negative_correlations(Metric metric, const TeamList& teams, std::size_t begin,
                                           std::size_t end, std::span<double> out) const = 0;

  /// Whether asking again for teams of this size costs less than remembering the answer,
  /// where that is longer than a cache.
  [[nodiscard]] virtual bool is_quick(int /*team_size*/) const { return false; }
};

/// From all failures.
[[nodiscard]] std::unique_ptr<FocalSource> focal_source(Counts counts);

/// The option sample, RxT: q_f is the mean of `repeats` values, each on `draws` negatives of f
/// drawn with replacement; one draw per focal model and repeat, shared by all teams.
struct SampleOptions {
  int draws = 100;
  int repeats = 3;
  std::uint64_t seed = 0;
};
/// The same numbers on every platform and for any number of threads. Finds the failures in `bits`,
/// or in one more scan of the pool without; then reads the drawn samples again, and nothing else.
/// Memory: M^2 x repeats x draws / 8 bytes, and 4 bytes a model and sample drawn.
/// Throws UsageError if draws or repeats is below 1, and what the scan throws.
[[nodiscard]] std::unique_ptr<FocalSource> sampled_focal_source(const Pool& pool,
                                                                const Counts& counts,
                                                                const SampleOptions& options,
                                                                const Run& run,
                                                                const FailureBits* bits = nullptr);

/// FQ(T) of each team of the list: the teams that are being compared with each other. Scaled per
/// focal model over the teams that contain it, then the weighted mean over members.
/// Deterministic for any number of threads. Memory: 8 bytes a team, and 8 a team and member unless
/// that would exceed 512 MiB, or 4 where the source is quick (then the scores are computed twice).
[[nodiscard]] std::vector<double> focal_scores(const FocalSource& source, Metric metric,
                                               Weights weights, const TeamList& teams,
                                               const Run& run);

/// The same in two passes over the teams, for lists that nobody holds.
///
/// Thread safety: look_at() and score() may be called from several threads, each with a worker of
/// its own below run.thread_count().
class FocalPasses {
 public:
  struct Extent;  // What focal.cpp computes with.
  struct Member;
  struct Rough;
  struct FewTeams;

  /// `source` must outlive this.
  FocalPasses(const FocalSource& source, Metric metric, Weights weights, const Run& run);
  ~FocalPasses();
  FocalPasses(const FocalPasses&) = delete;
  FocalPasses& operator=(const FocalPasses&) = delete;

  /// Learns the scales from the teams [begin, end) of a list.
  void look_at(const TeamList& teams, std::size_t begin, std::size_t end, int worker);
  /// The same, and writes down q_f of each team and member.
  void look_at(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
               std::span<double> q);
  /// Call once all teams were looked at.
  void settle();
  /// FQ(T) of the teams [begin, end) of a list, one a team.
  void score(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
             std::span<double> scores);
  /// The same, or minus infinity where that is below `floor`: most of those cost less then.
  void score(const TeamList& teams, std::size_t begin, std::size_t end, int worker, double floor,
             std::span<double> scores);
  /// The same of teams whose q_f are known; these are lost.
  void weigh(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
             std::span<double> q, std::span<double> scores);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hqe
