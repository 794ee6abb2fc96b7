// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/search/nothing_selected.h"
#include "hqe/search/search_space.h"
#include "hqe/verbs/sweep_rows.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

PruneOptions with_one_setting(PruneOptions options, int size, double beta) {
  options.size = size;
  options.beta = {beta};
  return options;
}

void check_sweep(const std::vector<int>& sizes, const std::vector<double>& betas,
                 const PruneOptions& options) {
  if (sizes.empty() || betas.empty()) {
    throw UsageError("a sweep needs at least one size and one beta");
  }
  if (options.by == By::mean || options.size_auto || options.beta_auto) {
    throw UsageError(message("a sweep tries sizes and betas of {}; it has no auto",
                             option("by", to_string(By::hierarchical))));
  }
  if (options.merit != Merit::accuracy) throw UsageError("a sweep counts good teams by accuracy");
}

}  // namespace

Sweep sweep(Pool pool, const std::vector<int>& sizes, const std::vector<double>& betas,
            const PruneOptions& options, const Run& run) {
  check_sweep(sizes, betas, options);
  std::vector<int> ascending = sizes;
  std::ranges::sort(ascending);
  ascending.erase(std::ranges::unique(ascending).begin(), ascending.end());
  std::vector<double> growing = betas;
  std::ranges::sort(growing);
  growing.erase(std::ranges::unique(growing).begin(), growing.end());
  // Every setting must be in range, not only the first that is tried.
  for (const int size : ascending) {
    for (const double beta : growing) (void)settle(pool, with_one_setting(options, size, beta));
  }

  SearchSpace space(std::move(pool), std::nullopt,
                    with_one_setting(options, ascending.back(), growing.front()), run);
  Sweep result{.pool = summary_of(space.selection().measured()),
               .options = options,
               .vote = space.selection().contests().rule().vote,
               .reference = space.reference(),
               .rows = sweep_rows(space, ascending, growing),
               .warnings = space.warnings()};
  for (const int size : ascending) {
    const std::string remark = size_remark(size, space.model_count());
    if (!remark.empty()) result.warnings.emplace_back(remark);
  }
  if (std::ranges::none_of(result.rows,
                           [](const SweepRow& row) { return row.quality.selected > 0; })) {
    const Message over = why_over_budget(space, ascending.front());
    result.warnings.push_back(
        !over.empty()
            ? over
            : message("no setting selected a team. Sweep smaller sizes or betas, or raise {}",
                      option("keep")));
  }
  space.check_unchanged();
  return result;
}

}  // namespace hqe
