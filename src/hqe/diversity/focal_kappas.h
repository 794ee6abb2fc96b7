// SPDX-License-Identifier: MIT
/// Cohen's kappa of each pair of models on each focal model's negative samples.

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// Neighbours of a list are scored together, as far as their sums fit the first cache.
inline constexpr std::size_t teams_a_run = 64;

/// Three kappas of each of some triples of models.
using TripleKappas = std::array<std::array<double, teams_a_run>, 3>;

/// Where kappas come from. Both are asked for models that never fail too; any number will do then.
struct KappaSource {
  /// Of the models i and j where f fails.
  std::function<double(int f, int i, int j)> of_pair;
  /// The three of i < j < k, for each k of `last`, at most teams_a_run: of j and k where i fails,
  /// of i and k where j fails, of i and j where k fails. Together, because they have most of their
  /// counts in common.
  std::function<void(int i, int j, std::span<const ModelId> last, TripleKappas& kappas)> of_triples;
};

/// Remembers kappas where they are few, and where they are asked for most: those of a pair where
/// one of the two fails (16 M^2 bytes), and up to 160 models all others (4 M^3 bytes). A focal
/// model's are computed at once when the first of them is asked for.
///
/// Thread safety: const members may be called from several threads.
class FocalKappas {
 public:
  FocalKappas(int model_count, KappaSource source);

  /// Focal CK of the teams [begin, end) of a list, out[(team - begin) * S + place of f]; 0 where f
  /// never fails.
  void scores(const TeamList& teams, std::size_t begin, std::size_t end,
              const std::function<bool(ModelId)>& ever_fails, std::span<double> out) const;

 private:
  enum class State : char { unknown, never_fails, fails };

  void remember(int f) const;
  /// The same of teams of three. Requires: all members are remembered.
  void scores_of_three(std::span<const ModelId> members, std::span<const State> states,
                       std::span<double> out) const;
  /// Of f and model i where f fails. Requires: f is remembered.
  [[nodiscard]] const double* own(int f) const {
    return own_.data() + static_cast<std::size_t>(f) * static_cast<std::size_t>(model_count_);
  }
  void of_triples(int i, int j, std::span<const ModelId> last, TripleKappas& kappas) const;

  int model_count_;
  bool all_remembered_;
  KappaSource source_;
  std::unique_ptr<std::once_flag[]> once_;  ///< One a focal model.
  mutable std::vector<double> own_;         ///< At f * M + i.
  mutable std::vector<double> turned_;      ///< The same at i * M + f.
  /// Of each focal model, at pair_index(i, j); empty above 160 models.
  mutable std::vector<std::vector<double>> pairs_;
};

}  // namespace hqe
