// SPDX-License-Identifier: MIT
#include "hqe/diversity/focal_kappas.h"

#include <utility>

#include "hqe/diversity/prefix_stack.h"
#include "hqe/failures/tables.h"

namespace hqe {
namespace {

constexpr int most_remembered_models = 160;

}  // namespace

FocalKappas::FocalKappas(int model_count, KappaSource source)
    : model_count_(model_count),
      all_remembered_(model_count <= most_remembered_models),
      source_(std::move(source)),
      once_(std::make_unique<std::once_flag[]>(static_cast<std::size_t>(model_count))),
      remembered_(static_cast<std::size_t>(model_count)) {}

void FocalKappas::remember(int f) const {
  auto& [own, pairs] = remembered_[static_cast<std::size_t>(f)];
  for (int i = 0; i < model_count_; ++i) own.push_back(source_.of_pair(f, f, i));
  for (int i = 0; all_remembered_ && i < model_count_; ++i) {
    for (int j = i + 1; j < model_count_; ++j) pairs.push_back(source_.of_pair(f, i, j));
  }
}

std::array<double, 3> FocalKappas::of_triple(int i, int j, int k) const {
  if (!all_remembered_) return source_.of_triple(i, j, k);
  const auto remembered = [&](int f, int a, int b) {
    return remembered_[static_cast<std::size_t>(f)].pairs[pair_index(model_count_, a, b)];
  };
  return {remembered(i, j, k), remembered(j, i, k), remembered(k, i, j)};
}

void FocalKappas::scores(const TeamList& teams, std::size_t begin, std::size_t end,
                         const std::function<bool(ModelId)>& ever_fails,
                         std::span<double> out) const {
  const auto size = static_cast<std::size_t>(teams.team_size());
  enum class State : char { unknown, never_fails, fails };
  std::vector<State> states(static_cast<std::size_t>(model_count_));
  for (const ModelId member : teams.flat().subspan(begin * size, (end - begin) * size)) {
    if (states[member] != State::unknown) continue;
    states[member] = ever_fails(member) ? State::fails : State::never_fails;
    std::call_once(once_[member], [&] { remember(member); });
  }

  using Sums = std::vector<double>;  // of the kappas of all pairs, a focal member each
  const auto extend = [&](Sums& sums, TeamView members) {
    const ModelId added = members.back();
    const TeamView others = members.first(members.size() - 1);
    double own = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      sums[i] += remembered_[others[i]].own[added];
      own += remembered_[added].own[others[i]];
      for (std::size_t j = i + 1; j < others.size(); ++j) {
        const auto kappas = of_triple(others[i], others[j], added);
        sums[i] += kappas[0];
        sums[j] += kappas[1];
        own += kappas[2];
      }
    }
    sums.push_back(own);
  };
  PrefixStack<Sums> stack(teams.team_size());
  const auto pairs = static_cast<double>(size * (size - 1) / 2);
  for (std::size_t team = begin; team < end; ++team) {
    const Sums& sums = stack.sums_of(teams[team], extend);
    for (std::size_t f = 0; f < size; ++f) {
      const bool fails = states[teams[team][f]] == State::fails;
      out[(team - begin) * size + f] = fails ? 1 - sums[f] / pairs : 0;
    }
  }
}

}  // namespace hqe
