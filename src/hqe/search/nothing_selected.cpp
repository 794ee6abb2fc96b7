// SPDX-License-Identifier: MIT
#include "hqe/search/nothing_selected.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "hqe/base/option_name.h"

namespace hqe {
namespace {

/// What the cheapest eligible team of a size costs. Requires: every model that may be chosen has
/// that cost.
double cheapest(const SearchSpace& space, Cost cost, int size) {
  const TeamPrices prices = team_prices(space.selection().pool().models, cost);
  const Eligibility& eligibility = space.eligibility();
  std::vector<double> costs;
  for (const ModelId model : free_models(space.model_count(), eligibility)) {
    costs.push_back(prices.of_models()[model]);
  }
  std::ranges::sort(costs);
  double sum = prices.of(eligibility.required.view());
  const auto more = static_cast<std::size_t>(std::max(0, size - eligibility.required.size()));
  for (std::size_t i = 0; i < std::min(more, costs.size()); ++i) sum += costs[i];
  return sum;
}

/// The search that kept teams of the largest size, and the place of its first tier without any.
struct End {
  const Search* search = nullptr;
  std::size_t tier = 0;
};

End furthest_end(const Searches& found) {
  End end;
  for (const Search& search : found.searches) {
    const auto empty =
        std::ranges::find_if(search.tiers, [](const Tier& tier) { return tier.kept_count() == 0; });
    const auto place = static_cast<std::size_t>(empty - search.tiers.begin());
    if (end.search == nullptr || place > end.tier) end = {&search, place};
  }
  return end;
}

/// To raise keep, to lower beta, to raise the budget, or several of these.
Message remedy(const SearchSpace& space, const Search& search) {
  const HierarchicalOptions& options = space.settings().hierarchical;
  const bool keep_cut = options.keep && std::ranges::any_of(search.tiers, [&](const Tier& tier) {
                          return tier.candidate_count() > *options.keep;
                        });
  const double beta = std::ranges::max(search.beta);
  Message text;
  if (keep_cut) text = message("Raise {} (now {})", option("keep"), *options.keep);
  if (beta > 0) {
    text += message("{} {} (now {})", text.empty() ? "Lower" : ", lower", option("beta"), beta);
  }
  if (!space.options().budget.empty()) {
    text += message("{} {}", text.empty() ? "Raise" : ", raise", option("budget"));
  }
  return text;
}

Message why_search_ended(const SearchSpace& space, const Searches& found) {
  const auto [search, place] = furthest_end(found);
  const Tier& tier = search->tiers[place];
  std::string text = fmt::format("no team of {} was selected: ", found.desired_size);
  if (tier.candidate_count() > 0) {
    text += fmt::format("{} pruned all {} teams of {} that it scored", to_string(search->metric),
                        tier.candidate_count(), tier.team_size);
  } else if (place == 0) {
    text += fmt::format("no team of {} may be chosen", tier.team_size);
  } else {
    const Tier& previous = search->tiers[place - 1];
    text += fmt::format(
        "a team of {} needs all of its parts among the {} teams of {} that {} kept, and no {} "
        "models "
        "have that",
        tier.team_size, previous.kept_count(), previous.team_size, to_string(search->metric),
        tier.team_size);
  }
  Message advice = remedy(space, *search);
  if (place > 0) {
    advice += message("{} for {}", advice.empty() ? "Ask" : ", or ask",
                      option("size", search->tiers[place - 1].team_size));
  }
  return advice.empty() ? Message(text) : text + ". " + advice;
}

}  // namespace

Message why_over_budget(const SearchSpace& space, int size) {
  for (const Budget& budget : space.options().budget) {
    const double cost = cheapest(space, budget.cost, size);
    if (cost <= budget.limit) continue;
    const std::string_view name = to_string(budget.cost);
    return message("no team of {} is within {}: the cheapest has {} {}. Raise the budget{}", size,
                   option("budget", fmt::format("{}={}", name, budget.limit)), name, cost,
                   size > 2 ? message(", or ask for a smaller {}", option("size")) : Message());
  }
  if (space.options().budget.size() < 2) return "";
  const auto eligible = eligible_team_count(space.model_count(), size, space.eligibility());
  if (!eligible || *eligible > 0) return "";
  return message(
      "no team of {} is within all of {} together, though each alone allows some. Raise one of "
      "them",
      size, option("budget"));
}

Message why_nothing_selected(const SearchSpace& space, const Searches& found) {
  const bool by_mean = space.options().by == By::mean;
  const int smallest = std::max(2, space.eligibility().required.size());
  Message over = why_over_budget(space, by_mean ? smallest : found.desired_size);
  if (!over.empty()) return over;
  if (by_mean) {
    return message("no team was selected: none scores above the mean of all. Use {}",
                   option("by", to_string(By::hierarchical)));
  }
  return why_search_ended(space, found);
}

}  // namespace hqe
