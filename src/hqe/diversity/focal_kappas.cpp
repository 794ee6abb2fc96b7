// SPDX-License-Identifier: MIT
#include "hqe/diversity/focal_kappas.h"

#include <utility>

#include "hqe/diversity/prefix_stack.h"
#include "hqe/failures/tables.h"

namespace hqe {
namespace {

constexpr int most_remembered_models = 160;

}  // namespace

FocalKappas::FocalKappas(int model_count, Kappa kappa)
    : model_count_(model_count), kappa_(std::move(kappa)) {
  if (model_count > most_remembered_models) return;
  computed_ = std::make_unique<std::once_flag[]>(static_cast<std::size_t>(model_count));
  tables_.resize(static_cast<std::size_t>(model_count));
}

void FocalKappas::compute(int f) const {
  auto& table = tables_[static_cast<std::size_t>(f)];
  for (int i = 0; i < model_count_; ++i) {
    for (int j = i + 1; j < model_count_; ++j) table.push_back(kappa_(f, i, j));
  }
}

double FocalKappas::at(int f, int i, int j) const {
  if (tables_.empty()) return kappa_(f, i, j);
  return tables_[static_cast<std::size_t>(f)][pair_index(model_count_, i, j)];
}

void FocalKappas::scores(const TeamList& teams, std::size_t begin, std::size_t end,
                         const std::function<bool(ModelId)>& ever_fails,
                         std::span<double> out) const {
  const auto size = static_cast<std::size_t>(teams.team_size());
  std::vector<bool> fails(static_cast<std::size_t>(model_count_));
  for (const ModelId member : teams.flat().subspan(begin * size, (end - begin) * size)) {
    if (fails[member] || !ever_fails(member)) continue;
    fails[member] = true;
    if (!tables_.empty()) std::call_once(computed_[member], [&] { compute(member); });
  }

  using Sums = std::vector<double>;  // of the kappas of all pairs, a focal member each
  const auto extend = [&](Sums& sums, TeamView members) {
    const ModelId added = members.back();
    const TeamView others = members.first(members.size() - 1);
    for (std::size_t f = 0; f < others.size(); ++f) {
      if (!fails[others[f]]) continue;
      for (const ModelId i : others) sums[f] += at(others[f], i, added);
    }
    double own = 0;
    for (std::size_t j = 0; fails[added] && j < members.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) own += at(added, members[i], members[j]);
    }
    sums.push_back(own);
  };
  PrefixStack<Sums> stack(teams.team_size());
  const double pairs = static_cast<double>(size * (size - 1) / 2);
  for (std::size_t team = begin; team < end; ++team) {
    const Sums& sums = stack.sums_of(teams[team], extend);
    for (std::size_t f = 0; f < size; ++f) {
      out[(team - begin) * size + f] = fails[teams[team][f]] ? 1 - sums[f] / pairs : 0;
    }
  }
}

}  // namespace hqe
