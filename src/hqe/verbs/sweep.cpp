// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <tuple>
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

template <typename Value>
std::vector<Value> ascending(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

/// Finds the rows of these sizes and betas, distinct and ascending.
using FindRows = std::function<std::vector<SweepRow>(SearchSpace&, const std::vector<int>&,
                                                     const std::vector<double>&)>;

Sweep sweep_with(Pool pool, const std::vector<int>& asked_sizes,
                 const std::vector<double>& asked_betas, const PruneOptions& options,
                 const Run& run, const FindRows& find_rows) {
  check_sweep(asked_sizes, asked_betas, options);
  const std::vector<int> sizes = ascending(asked_sizes);
  const std::vector<double> betas = ascending(asked_betas);
  // Every setting must be in range, not only the first that is tried.
  for (const int size : sizes) {
    for (const double beta : betas) (void)settle(pool, with_one_setting(options, size, beta));
  }

  SearchSpace space(std::move(pool), std::nullopt,
                    with_one_setting(options, sizes.back(), betas.front()), run);
  Sweep result{.pool = summary_of(space.selection().measured()),
               .options = options,
               .vote = space.selection().contests().rule().vote,
               .reference = space.reference(),
               .rows = find_rows(space, sizes, betas),
               .warnings = space.warnings()};
  for (const int size : sizes) {
    const std::string remark = size_remark(size, space.model_count());
    if (!remark.empty()) result.warnings.emplace_back(remark);
  }
  if (std::ranges::none_of(result.rows,
                           [](const SweepRow& row) { return row.quality.selected > 0; })) {
    const Message over = why_over_budget(space, sizes.front());
    result.warnings.push_back(
        !over.empty()
            ? over
            : message("no setting selected a team. Sweep smaller sizes or betas, or raise {}",
                      option("keep")));
  }
  space.check_unchanged();
  return result;
}

/// Rows of strangers: each setting has a row a metric, and perhaps one of their consensus.
void check_rows(const std::vector<SweepRow>& rows, const std::vector<Metric>& metrics,
                const std::vector<int>& sizes, const std::vector<double>& betas) {
  const auto refuse = [](const std::string& reason) {
    throw InputError("", "rows of a sweep", reason, "Sweep again");
  };
  std::size_t at = 0;
  for (const int size : sizes) {
    for (const double beta : betas) {
      const auto is_next = [&](std::string_view metric) {
        return at < rows.size() && rows[at].size == size && rows[at].beta == beta &&
               rows[at].metric == metric;
      };
      for (const Metric metric : metrics) {
        if (!is_next(to_string(metric))) {
          refuse(fmt::format("size {}, beta {} has not one row of {} in its place", size, beta,
                             to_string(metric)));
        }
        ++at;
      }
      if (is_next(consensus_name)) ++at;
    }
  }
  if (at != rows.size())
    refuse(fmt::format("there are {} more than belong to it", rows.size() - at));
}

}  // namespace

Sweep sweep(Pool pool, const std::vector<int>& sizes, const std::vector<double>& betas,
            const PruneOptions& options, const Run& run) {
  return sweep_with(std::move(pool), sizes, betas, options, run, sweep_rows);
}

Sweep sweep_of_rows(Pool pool, const std::vector<int>& sizes, const std::vector<double>& betas,
                    const PruneOptions& options, std::vector<SweepRow> rows, const Run& run) {
  std::ranges::stable_sort(rows, {},
                           [](const SweepRow& row) { return std::tuple(row.size, row.beta); });
  return sweep_with(std::move(pool), sizes, betas, options, run,
                    [&](const SearchSpace& space, const std::vector<int>& all_sizes,
                        const std::vector<double>& all_betas) {
                      check_rows(rows, space.settings().metrics, all_sizes, all_betas);
                      return rows;
                    });
}

}  // namespace hqe
