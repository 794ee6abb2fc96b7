// SPDX-License-Identifier: MIT
/// What can be asked of a pool. Defaults exist here and nowhere else: the command's help and the
/// Python signatures read them from these fields.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/diversity/focal.h"
#include "hqe/diversity/metric.h"
#include "hqe/ensemble/costs.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/votes/vote.h"

namespace hqe {

enum class By { hierarchical, mean };
inline constexpr std::array all_bys{By::hierarchical, By::mean};
enum class Scale { candidates, all };
inline constexpr std::array all_scales{Scale::candidates, Scale::all};
/// What is recommended: what the evidence of the selection samples chooses among all teams up to
/// the size, or as in the paper the best of the consensus.
enum class Choose { evidence, consensus };
inline constexpr std::array all_chooses{Choose::evidence, Choose::consensus};
/// Of two choices that are as good: the more accurate, or the cheaper.
enum class Prefer { accuracy, cost };
inline constexpr std::array all_prefers{Prefer::accuracy, Prefer::cost};
/// Accuracy; the mean of the classes' accuracies; minus the mean log-loss of the soft vote.
enum class Merit { accuracy, balanced, logloss };
inline constexpr std::array all_merits{Merit::accuracy, Merit::balanced, Merit::logloss};
[[nodiscard]] std::string_view to_string(By by);
[[nodiscard]] std::string_view to_string(Merit merit);
[[nodiscard]] std::optional<Merit> parse_merit(std::string_view word);
[[nodiscard]] std::string_view to_string(Scale scale);
[[nodiscard]] std::optional<By> parse_by(std::string_view word);
[[nodiscard]] std::string_view to_string(Choose choose);
[[nodiscard]] std::optional<Choose> parse_choose(std::string_view word);
[[nodiscard]] std::string_view to_string(Prefer prefer);
[[nodiscard]] std::optional<Prefer> parse_prefer(std::string_view word);
[[nodiscard]] std::optional<Scale> parse_scale(std::string_view word);

/// Teams above `limit` are not candidates. Latency counts as a sum over members.
struct Budget {
  Cost cost = Cost::params;
  double limit = 0;
};

/// S_d where none is asked for: that of HierarchicalOptions, in small pools half of the models, at
/// least 2.
[[nodiscard]] int default_size(int model_count);

struct PruneOptions {
  /// S_d in 2..M-1. Nothing: default_size().
  std::optional<int> size{};
  /// The smallest size whose best consensus team reaches the reference, tried upward.
  bool size_auto = false;
  /// One value, or one a tier; each in [0, 1).
  std::vector<double> beta = HierarchicalOptions{}.beta;
  /// Per size the smallest beta in 0.01, 0.02 .. 0.50 with precision >= 75 % and recall >= 50 %.
  bool beta_auto = false;
  /// Empty: the four focal ones (without F-CK in a correctness pool).
  std::vector<Metric> metrics{};
  By by = By::hierarchical;
  Choose choose = Choose::evidence;
  Prefer prefer = Prefer::accuracy;
  VoteOptions vote{};
  Weights weights = Weights::rank;
  Scale scale = Scale::candidates;
  std::optional<std::uint64_t> keep{};
  bool keep_last_tier = false;
  std::uint64_t max_candidates = HierarchicalOptions{}.max_candidates;
  /// Above this many teams of a size, what needs every team's accuracy is not computed.
  std::uint64_t max_evaluate = 2'000'000;
  std::optional<SampleOptions> sample{};
  std::vector<std::string> require{};  ///< Ids or names.
  std::vector<std::string> exclude{};  ///< Ids or names.
  std::vector<Budget> budget{};
  /// What makes a team good, and which of the good ones is recommended.
  Merit merit = Merit::accuracy;
  /// Where nothing else is held out and there are samples enough, judge by a choice made on one
  /// half what such a choice is worth on the other half. The choice itself is made on all samples.
  bool judge_on_half = true;
  /// Hold out this share of the samples, of every class alike: the choice is judged on them.
  std::optional<double> holdout{};
  /// Cut the samples into so many parts; each part is judged by a choice made without it.
  std::optional<int> folds{};
  /// Of the split, the folds and the resamples behind intervals and stability.
  std::uint64_t seed = SampleOptions{}.seed;
  /// Choose again on so many resamples of the selection pool, to see how stable the choice is.
  int stability = 0;
  /// Teams whose accuracies differ by no more than this are as good as each other.
  double margin = 0.005;
  /// At which radii to tell the share of certified samples, where Lipschitz bounds are known.
  std::vector<double> radii{0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
  /// Keep what a report needs (Study::detail): every scored team, co-failures, deciding samples.
  bool detail = false;
};

}  // namespace hqe
