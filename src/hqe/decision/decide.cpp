// SPDX-License-Identifier: MIT
#include "hqe/decision/decide.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace hqe {
namespace {

constexpr int half_count = 20;
/// With fewer samples the halves of the halves say nothing.
constexpr double fewest_samples = 32;
/// How much of the optimism seen on halves is expected of a choice on all samples.
constexpr double optimism_share = 0.75;

/// What one more member must promise where the others have as many right answers without it.
constexpr double worth_a_member = 0.001;

/// A difference in the thirteenth decimal is rounding.
double rounded(double value) { return std::floor(value * 1e12 + 0.5) / 1e12; }

class Decider {
 public:
  explicit Decider(const DecisionProblem& problem) : problem_(problem) {}

  std::optional<Decision> decide();

 private:
  /// The place of a candidate's team among the evidence.
  using Place = std::size_t;

  void gather();
  void list_candidates();
  [[nodiscard]] Team most_accurate(CellSet cells, int size) const;
  void weigh_near_teams(const std::vector<CellSet>& sets);
  [[nodiscard]] std::vector<Place> near(CellSet cells, const std::vector<Place>& shortlist) const;
  [[nodiscard]] Place best(CellSet cells, const std::vector<Place>& shortlist) const;
  [[nodiscard]] Place pick(const Candidate& candidate, CellSet cells) const;
  [[nodiscard]] double mean(Place place, CellSet cells) const {
    return sum_over(evidence_.worth[place], cells) / sum_over(evidence_.samples, cells);
  }
  void judge(Candidate& candidate) const;
  [[nodiscard]] static std::size_t smallest_as_good(const Decision& decision, std::size_t winner);

  const DecisionProblem& problem_;
  Evidence evidence_;
  std::vector<CellSet> halves_;  ///< Each half and its complement.
  std::map<std::vector<ModelId>, Place> places_;
  std::vector<std::vector<Place>> shortlists_;  ///< By size.
  std::vector<Candidate> candidates_;
};

/// The required models, then the models with the most right answers that still fit.
Team Decider::most_accurate(CellSet cells, int size) const {
  std::vector<ModelId> order(static_cast<std::size_t>(problem_.model_count));
  std::iota(order.begin(), order.end(), ModelId{0});
  std::vector<double> worth;
  for (const ModelId model : order) worth.push_back(sum_over(evidence_.worth[model], cells));
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](ModelId model) { return worth[model]; });
  return take_in_order(order, size, problem_.eligibility);
}

// The models alone come first, since the most accurate teams of each half follow from them; these
// may be on nobody's shortlist.
void Decider::gather() {
  TeamTable singles;
  for (ModelId model = 0; model < problem_.model_count; ++model) singles.push_back({&model, 1});
  problem_.weigh(evidence_, singles);
  if (sum_over(evidence_.samples, all_cells) >= fewest_samples) {
    for (const CellSet half : random_halves(problem_.seed, half_count)) {
      halves_.push_back(half);
      halves_.push_back(all_cells & ~half);
    }
  }
  TeamTable others;
  const auto place_of = [&](TeamView team) {
    const auto [entry, is_new] = places_.try_emplace(std::vector<ModelId>(team.begin(), team.end()),
                                                     singles.size() + others.size());
    if (is_new) others.push_back(team);
    return entry->second;
  };
  for (Place place = 0; place < singles.size(); ++place) {
    places_.emplace(std::vector<ModelId>(singles[place].begin(), singles[place].end()), place);
  }
  for (const TeamList& shortlist : problem_.shortlists) {
    std::vector<Place>& places = shortlists_.emplace_back();
    for (std::size_t i = 0; i < shortlist.size(); ++i) places.push_back(place_of(shortlist[i]));
  }
  std::vector<CellSet> sets = halves_;
  sets.push_back(all_cells);
  for (const CellSet cells : sets) {
    for (int size = 2; size <= problem_.largest_size; ++size) {
      const Team team = most_accurate(cells, size);
      if (!team.empty()) (void)place_of(team.view());
    }
  }
  (void)place_of(Team::all(problem_.model_count).view());
  problem_.weigh(evidence_, others);
  if (problem_.weigh_sureness) weigh_near_teams(sets);
}

// Most teams are near the best of their size on no half at all, and need not be weighed further.
void Decider::weigh_near_teams(const std::vector<CellSet>& sets) {
  std::vector<bool> is_wanted(evidence_.teams.size(), false);
  for (const CellSet cells : sets) {
    for (const std::vector<Place>& shortlist : shortlists_) {
      for (const Place place : near(cells, shortlist)) is_wanted[place] = true;
    }
  }
  std::vector<Place> wanted;
  for (Place place = 0; place < is_wanted.size(); ++place) {
    if (is_wanted[place]) wanted.push_back(place);
  }
  problem_.weigh_sureness(evidence_, wanted);
}

void Decider::list_candidates() {
  const int largest = problem_.largest_size;
  const auto best_of = [&](int size) {
    if (!shortlists_[static_cast<std::size_t>(size - 1)].empty()) {
      candidates_.push_back({.rule = Rule::best, .size = size});
    }
  };
  const auto most_accurate_of = [&](int size) {
    if (!most_accurate(all_cells, size).empty()) {
      candidates_.push_back({.rule = Rule::most_accurate, .size = size});
    }
  };
  const bool any = std::ranges::any_of(shortlists_, [](const auto& list) { return !list.empty(); });
  if (any) candidates_.push_back({.rule = Rule::best_up_to, .size = largest});
  best_of(largest);
  most_accurate_of(largest);
  best_of(1);
  if (problem_.eligibility.allows(Team::all(problem_.model_count).view())) {
    candidates_.push_back({.rule = Rule::entire, .size = problem_.model_count});
  }
  for (int size = 2; size < largest; ++size) most_accurate_of(size);
  for (int size = 2; size < largest; ++size) best_of(size);
}

// Counts within one and a half binomial deviations of the best are as good as equal.
std::vector<Decider::Place> Decider::near(CellSet cells,
                                          const std::vector<Place>& shortlist) const {
  if (shortlist.empty()) return {};
  const double samples = sum_over(evidence_.samples, cells);
  std::vector<double> worth;
  for (const Place place : shortlist) worth.push_back(sum_over(evidence_.worth[place], cells));
  const double most = std::ranges::max(worth);
  std::vector<Place> near;
  for (std::size_t i = 0; i < shortlist.size(); ++i) {
    const double behind = most - worth[i];
    const bool is_near = problem_.weigh_sureness
                             ? 4 * samples * behind * behind <= 9 * most * (samples - most)
                             : behind == 0;
    if (is_near) near.push_back(shortlist[i]);
  }
  return near;
}

// Of those that are as good as equal, the one that is surest is the one to expect most of.
Decider::Place Decider::best(CellSet cells, const std::vector<Place>& shortlist) const {
  std::optional<Place> best;
  std::pair<std::uint64_t, double> best_value;
  for (const Place place : near(cells, shortlist)) {
    const std::pair value(
        evidence_.sureness.empty() ? 0 : sum_over(evidence_.sureness[place], cells),
        sum_over(evidence_.worth[place], cells));
    if (best && value <= best_value) continue;
    best_value = value;
    best = place;
  }
  return *best;
}

Decider::Place Decider::pick(const Candidate& candidate, CellSet cells) const {
  switch (candidate.rule) {
    case Rule::best:
      return best(cells, shortlists_[static_cast<std::size_t>(candidate.size - 1)]);
    case Rule::most_accurate: {
      const Team team = most_accurate(cells, candidate.size);
      return places_.at({team.begin(), team.end()});
    }
    case Rule::entire: {
      const Team team = Team::all(problem_.model_count);
      return places_.at({team.begin(), team.end()});
    }
    case Rule::best_up_to:
      break;
  }
  std::optional<Place> result;
  for (const auto& shortlist : shortlists_) {
    if (shortlist.empty()) continue;
    const Place place = best(cells, shortlist);
    if (!result ||
        sum_over(evidence_.worth[place], cells) > sum_over(evidence_.worth[*result], cells)) {
      result = place;
    }
  }
  return *result;
}

void Decider::judge(Candidate& candidate) const {
  const Place chosen = pick(candidate, all_cells);
  candidate.team = Team(evidence_.teams[chosen]);
  candidate.worth = mean(chosen, all_cells);
  double optimism = 0;
  for (const CellSet half : halves_) {
    const Place place = pick(candidate, half);
    candidate.judged.push_back(mean(place, all_cells & ~half));
    optimism += mean(place, half) - candidate.judged.back();
  }
  if (!halves_.empty()) optimism /= static_cast<double>(halves_.size());
  candidate.expected = candidate.worth - optimism_share * optimism;
}

std::optional<Decision> Decider::decide() {
  gather();
  list_candidates();
  if (candidates_.empty()) return std::nullopt;
  for (Candidate& candidate : candidates_) judge(candidate);
  Decision decision{.candidates = std::move(candidates_)};
  const std::vector<Candidate>& all = decision.candidates;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return rounded(all[i].expected); });
  decision.most_expected = order.front();
  const auto standard = std::ranges::find_if(all, [&](const Candidate& candidate) {
    return candidate.rule == Rule::most_accurate && candidate.size == problem_.largest_size;
  });
  decision.standard = standard == all.end() ? 0 : static_cast<std::size_t>(standard - all.begin());
  const Candidate& to_beat = all[decision.standard];
  const auto winner = std::ranges::find_if(order, [&](std::size_t i) {
    return rounded(all[i].expected - to_beat.expected) >
           clear_lead * standard_error(all[i], to_beat);
  });
  decision.recommended =
      smallest_as_good(decision, winner == order.end() ? decision.standard : *winner);
  return decision;
}

// Nobody ships five models where four of them have as many right answers. But what could not beat
// the most accurate models does not take their place by being smaller, unless it never differs.
std::size_t Decider::smallest_as_good(const Decision& decision, std::size_t winner) {
  const std::vector<Candidate>& all = decision.candidates;
  const double least = rounded(all[decision.standard].expected);
  const double tolerance = winner == decision.standard ? 0 : worth_a_member;
  std::size_t best = winner;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double error = standard_error(all[i], all[winner]);
    const bool is_as_good =
        all[winner].team.contains(all[i].team.view()) && all[i].worth >= all[winner].worth &&
        rounded(all[i].expected) >= least && (winner != decision.standard || error == 0) &&
        rounded(all[winner].expected - all[i].expected) <= std::min(tolerance, clear_lead * error);
    if (is_as_good && all[i].team.size() < all[best].team.size()) best = i;
  }
  return best;
}

}  // namespace

std::optional<Decision> decide(const DecisionProblem& problem) { return Decider(problem).decide(); }

// Halves overlap, so their spread understates what another set of samples would do: as if the
// judged half were drawn anew.
double standard_error(const Candidate& one, const Candidate& other) {
  const auto count = static_cast<double>(one.judged.size());
  if (count < 2) return 0;
  double mean = 0;
  for (std::size_t i = 0; i < one.judged.size(); ++i) mean += one.judged[i] - other.judged[i];
  mean /= count;
  double squares = 0;
  for (std::size_t i = 0; i < one.judged.size(); ++i) {
    const double deviation = one.judged[i] - other.judged[i] - mean;
    squares += deviation * deviation;
  }
  return std::sqrt(squares / (count - 1) * (1 / count + 1));
}

std::string title_of(const Candidate& candidate) {
  // A budget may have left no room for as many as were asked for.
  const int size = candidate.team.empty() ? candidate.size : candidate.team.size();
  if (candidate.rule == Rule::entire) return "the entire ensemble";
  if (size == 1) return "the best single model";
  switch (candidate.rule) {
    case Rule::best_up_to:
      return fmt::format("the best team of at most {}", candidate.size);
    case Rule::most_accurate:
      return fmt::format("the {} most accurate models", size);
    case Rule::best:
    case Rule::entire:
      break;
  }
  return fmt::format("the best team of {}", size);
}

}  // namespace hqe
