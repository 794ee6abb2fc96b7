// SPDX-License-Identifier: MIT
#include "hqe/pruning/eligibility.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hqe/ensemble/ens_set.h"

namespace hqe {
namespace {

constexpr std::uint64_t largest_exact_double = std::uint64_t{1} << 53;

/// Models beside the required ones in a team of this size; nothing when there is no such team.
std::optional<int> free_size(int team_size, const Eligibility& eligibility) {
  const int size = team_size - eligibility.required.size();
  return size < 0 ? std::nullopt : std::optional(size);
}

}  // namespace

bool Eligibility::allows(TeamView team) const {
  if (!contains(team, required.view())) return false;
  for (const ModelId model : excluded) {
    if (std::ranges::binary_search(team, model)) return false;
  }
  return !within_budget || within_budget(team);
}

std::vector<ModelId> free_models(int model_count, const Eligibility& eligibility) {
  std::vector<ModelId> models;
  for (int id = 0; id < model_count; ++id) {
    const auto model = static_cast<ModelId>(id);
    if (eligibility.required.contains(model)) continue;
    if (std::ranges::find(eligibility.excluded, model) != eligibility.excluded.end()) continue;
    models.push_back(model);
  }
  return models;
}

std::vector<ModelId> with_required(TeamView part, const Team& required) {
  std::vector<ModelId> team;
  team.reserve(part.size() + static_cast<std::size_t>(required.size()));
  std::ranges::merge(part, required.view(), std::back_inserter(team));
  return team;
}

void for_each_eligible_team(int model_count, int team_size, const Eligibility& eligibility,
                            const std::function<void(TeamView)>& visit) {
  const std::vector<ModelId> models = free_models(model_count, eligibility);
  const auto size = free_size(team_size, eligibility);
  if (!size || *size > static_cast<int>(models.size())) return;
  // Places among the free models; team order of the parts is team order of the whole teams.
  std::vector<ModelId> places = first_team(*size);
  std::vector<ModelId> part(places.size());
  do {
    std::ranges::transform(places, part.begin(), [&](ModelId place) { return models[place]; });
    const std::vector<ModelId> team = with_required(part, eligibility.required);
    if (!eligibility.within_budget || eligibility.within_budget(team)) visit(team);
  } while (next_team(places, static_cast<int>(models.size())));
}

Team take_in_order(std::span<const ModelId> order, int size, const Eligibility& eligibility) {
  Team team = eligibility.required;
  for (const ModelId model : order) {
    if (team.size() >= size) break;
    if (team.contains(model)) continue;
    std::vector<ModelId> larger(team.begin(), team.end());
    larger.push_back(model);
    Team candidate(std::move(larger));
    if (eligibility.allows(candidate.view())) team = std::move(candidate);
  }
  return eligibility.allows(team.view()) ? team : Team();
}

std::optional<std::uint64_t> eligible_team_count(int model_count, int team_size,
                                                 const Eligibility& eligibility) {
  const auto size = free_size(team_size, eligibility);
  if (!size) return 0;
  const std::size_t models = free_models(model_count, eligibility).size();
  const auto count = binomial(models, static_cast<std::uint64_t>(*size));
  if (!eligibility.within_budget) {
    return count && *count <= largest_exact_double ? count : std::nullopt;
  }
  if (!count || *count > max_budget_enumeration) return std::nullopt;
  std::uint64_t within = 0;
  for_each_eligible_team(model_count, team_size, eligibility, [&](TeamView) { ++within; });
  return within;
}

}  // namespace hqe
