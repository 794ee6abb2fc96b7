// SPDX-License-Identifier: MIT
#include "hqe/ensemble/costs.h"

#include "hqe/base/words.h"

namespace hqe {
namespace {

constexpr std::array cost_words{Word{Cost::params, "params"}, Word{Cost::gflops, "gflops"},
                                Word{Cost::latency_ms, "latency_ms"},
                                Word{Cost::memory_mb, "memory_mb"}};
static_assert(have_words(all_costs, cost_words));

}  // namespace

std::string_view to_string(Cost cost) { return word_of(cost_words, cost); }

std::optional<Cost> parse_cost(std::string_view word) { return value_of(cost_words, word); }

double TeamPrices::of(TeamView team) const {
  double sum = 0;
  for (const ModelId model : team) sum += of_models_[model];
  return sum;
}

}  // namespace hqe
