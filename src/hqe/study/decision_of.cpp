// SPDX-License-Identifier: MIT
#include "hqe/study/decision_of.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "hqe/study/judge.h"
#include "hqe/study/team_columns.h"

namespace hqe {
namespace {

bool counts_size(const Prepared& prepared, int size) {
  const auto count = eligible_team_count(prepared.model_count(), size, prepared.eligibility());
  return count && *count <= prepared.options.max_evaluate;
}

/// The teams of a size that the searches kept.
TeamList found_teams(const Searches& found, int size) {
  TeamList teams(size);
  for (const Search& search : found.searches) {
    for (const Tier& tier : search.tiers) {
      if (tier.team_size == size) teams = union_of(teams, kept_teams(tier));
    }
  }
  return teams;
}

/// The places of the shortlist_length highest values, ties to the first, ascending.
template <class Value>
std::vector<std::size_t> highest(const std::vector<Value>& values) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.size() <= shortlist_length) return places;
  std::ranges::nth_element(places, places.begin() + shortlist_length,
                           [&](std::size_t left, std::size_t right) {
                             return std::pair(values[right], left) < std::pair(values[left], right);
                           });
  places.resize(shortlist_length);
  std::ranges::sort(places);
  return places;
}

/// Further behind than this, in binomial deviations of the best count, no half of the samples makes
/// a team one of the best.
constexpr double hopeless_deviations = 3;

void drop_hopeless(std::vector<std::size_t>& places, const std::vector<std::uint64_t>& correct,
                   std::uint64_t sample_count) {
  if (places.empty()) return;
  const auto samples = static_cast<double>(sample_count);
  const auto most = static_cast<double>(std::ranges::max(correct));
  std::erase_if(places, [&](std::size_t place) {
    const double behind = most - static_cast<double>(correct[place]);
    return samples * behind * behind >
           hopeless_deviations * hopeless_deviations * most * (samples - most);
  });
}

TeamList shortlist(Prepared& prepared, const Searches& found, int size) {
  const TeamList teams = size == 1 || counts_size(prepared, size) ? eligible_teams(prepared, size)
                                                                  : found_teams(found, size);
  std::vector<std::size_t> places;
  if (prepared.merits) {
    places = highest(prepared.merits->of(teams));
  } else {
    prepared.correct.learn(teams);
    const std::vector<std::uint64_t> correct = prepared.correct.of(teams);
    places = highest(correct);
    drop_hopeless(places, correct, prepared.measured.pool.sample_count);
  }
  TeamList result(size);
  for (const std::size_t place : places) result.push_back(teams[place]);
  return result;
}

/// Lets the evidence come from the merit that was asked for.
void set_weighing(DecisionProblem& problem, const Prepared& prepared) {
  const std::uint64_t seed = prepared.options.seed;
  std::vector<EvidencePart> parts =
      prepared.merits ? prepared.merits->parts()
                      : std::vector<EvidencePart>{{prepared.correct.contests(), 1.0}};
  if (parts.empty()) {
    problem.weigh = [&prepared, seed](Evidence& evidence, const TeamTable& teams) {
      prepared.merits->weigh(evidence, teams, seed);
    };
    return;
  }
  const auto source = std::make_shared<const EvidenceSource>(std::move(parts), seed);
  const Run& run = prepared.run;
  problem.weigh = [source, &run](Evidence& evidence, const TeamTable& teams) {
    source->add(evidence, teams, run);
  };
  if (!source->has_sureness()) return;
  problem.weigh_sureness = [source, &run](Evidence& evidence, std::span<const std::size_t> places) {
    source->add_sureness(evidence, places, run);
  };
}

}  // namespace

std::optional<Decision> decision_of(Prepared& prepared, const Searches& found) {
  DecisionProblem problem{.model_count = prepared.model_count(),
                          .largest_size = found.desired_size,
                          .eligibility = prepared.eligibility(),
                          .seed = prepared.options.seed};
  set_weighing(problem, prepared);
  problem.shortlists = shortlists_of(prepared, found);
  return decide(problem);
}

std::vector<TeamList> shortlists_of(Prepared& prepared, const Searches& found) {
  std::vector<TeamList> shortlists;
  for (int size = 1; size <= found.desired_size; ++size) {
    shortlists.push_back(shortlist(prepared, found, size));
  }
  return shortlists;
}

bool counts_every_team(const Prepared& prepared, int desired_size) {
  for (int size = 2; size <= desired_size; ++size) {
    if (!counts_size(prepared, size)) return false;
  }
  return true;
}

}  // namespace hqe
