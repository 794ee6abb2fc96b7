// SPDX-License-Identifier: MIT
/// Cohen's kappa of each pair of models on each focal model's negative samples.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

/// Remembers kappas where they are few: M^2 (M-1) / 2 doubles up to 160 models, a focal model's
/// all at once when the first of them is asked for; above, each is computed when asked.
///
/// Thread safety: const members may be called from several threads.
class FocalKappas {
 public:
  /// kappa(f, i, j), i < j, for models f that fail.
  using Kappa = std::function<double(int f, int i, int j)>;

  FocalKappas(int model_count, Kappa kappa);

  /// Focal CK of the teams [begin, end) of a list, out[(team - begin) * S + place of f]; 0 where f
  /// never fails.
  void scores(const TeamList& teams, std::size_t begin, std::size_t end,
              const std::function<bool(ModelId)>& ever_fails, std::span<double> out) const;

 private:
  [[nodiscard]] double at(int f, int i, int j) const;
  void compute(int f) const;

  int model_count_;
  Kappa kappa_;
  std::unique_ptr<std::once_flag[]> computed_;
  mutable std::vector<std::vector<double>> tables_;  ///< One a focal model; empty above the limit.
};

}  // namespace hqe
