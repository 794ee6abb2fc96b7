// SPDX-License-Identifier: MIT
#include "hqe/diversity/focal_kappas.h"

#include <algorithm>
#include <utility>

#include "hqe/bits/divide.h"
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
      own_(static_cast<std::size_t>(model_count) * static_cast<std::size_t>(model_count)),
      turned_(own_.size()),
      pairs_(static_cast<std::size_t>(model_count)) {}

void FocalKappas::remember(int f) const {
  double* row = own_.data() + (own(f) - own_.data());
  const auto models = static_cast<std::size_t>(model_count_);
  for (int i = 0; i < model_count_; ++i) {
    row[i] = source_.of_pair(f, f, i);
    turned_[static_cast<std::size_t>(i) * models + static_cast<std::size_t>(f)] = row[i];
  }
  std::vector<double>& pairs = pairs_[static_cast<std::size_t>(f)];
  for (int i = 0; all_remembered_ && i < model_count_; ++i) {
    for (int j = i + 1; j < model_count_; ++j) pairs.push_back(source_.of_pair(f, i, j));
  }
}

void FocalKappas::of_triples(int i, int j, std::span<const ModelId> last,
                             TripleKappas& kappas) const {
  if (!all_remembered_) {
    source_.of_triples(i, j, last, kappas);
    return;
  }
  const auto remembered = [&](int f, int a, int b) {
    return pairs_[static_cast<std::size_t>(f)][pair_index(model_count_, a, b)];
  };
  for (std::size_t place = 0; place < last.size(); ++place) {
    const int k = last[place];
    kappas[0][place] = remembered(i, j, k);
    kappas[1][place] = remembered(j, i, k);
    kappas[2][place] = remembered(k, i, j);
  }
}

void FocalKappas::scores(const TeamList& teams, std::size_t begin, std::size_t end,
                         const std::function<bool(ModelId)>& ever_fails,
                         std::span<double> out) const {
  const auto size = static_cast<std::size_t>(teams.team_size());
  std::vector<State> states(static_cast<std::size_t>(model_count_));
  for (const ModelId member : teams.flat().subspan(begin * size, (end - begin) * size)) {
    if (states[member] != State::unknown) continue;
    states[member] = ever_fails(member) ? State::fails : State::never_fails;
    std::call_once(once_[member], [&] { remember(member); });
  }

  if (size == 3) {
    return scores_of_three(teams.flat().subspan(begin * size, (end - begin) * size), states, out);
  }

  // Teams that share all but their last member are scored at once; `first` sums the kappas of all
  // pairs of the members that they share, `sums` those of whole teams, a focal member each.
  TripleKappas kappas;
  const auto extend_first = [&](std::vector<double>& first, TeamView members) {
    const TeamView others = members.first(members.size() - 1);
    double added = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      first[i] += own(others[i])[members.back()];
      added += own(members.back())[others[i]];
      for (std::size_t j = i + 1; j < others.size(); ++j) {
        of_triples(others[i], others[j], members.last(1), kappas);
        first[i] += kappas[0][0];
        first[j] += kappas[1][0];
        added += kappas[2][0];
      }
    }
    first.push_back(added);
  };
  std::vector<std::array<double, teams_a_run>> sums(size);
  const auto add_last = [&](TeamView others, std::span<const ModelId> last) {
    auto& of_last = sums.back();
    std::fill_n(of_last.begin(), last.size(), 0.0);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const double* with_other = own(others[i]);
      for (std::size_t place = 0; place < last.size(); ++place) {
        sums[i][place] += with_other[last[place]];
        of_last[place] += own(last[place])[others[i]];
      }
      for (std::size_t j = i + 1; j < others.size(); ++j) {
        of_triples(others[i], others[j], last, kappas);
        for (std::size_t place = 0; place < last.size(); ++place) {
          sums[i][place] += kappas[0][place];
          sums[j][place] += kappas[1][place];
          of_last[place] += kappas[2][place];
        }
      }
    }
  };
  PrefixStack<std::vector<double>> stack(teams.team_size() - 1);
  std::vector<ModelId> last;
  const auto pairs = static_cast<double>(size * (size - 1) / 2);
  for (std::size_t team = begin; team < end;) {
    const TeamView others = teams[team].first(size - 1);
    last.clear();
    // Lists are sorted, so that most neighbours that differ do so in the last of those members.
    const auto shares_others = [&](TeamView next) {
      std::size_t place = size - 1;
      while (place > 0 && next[place - 1] == others[place - 1]) --place;
      return place == 0;
    };
    for (std::size_t next = team;
         next < end && last.size() < teams_a_run && shares_others(teams[next]); ++next) {
      last.push_back(teams[next].back());
    }
    const std::vector<double>& first = stack.sums_of(others, extend_first);
    for (std::size_t f = 0; f + 1 < size; ++f) std::fill_n(sums[f].begin(), last.size(), first[f]);
    add_last(others, last);
    for (std::size_t f = 0; f < size; ++f) {
      double* q = &out[(team - begin) * size + f];
      for (std::size_t place = 0; place < last.size(); ++place) {
        const ModelId member = f + 1 < size ? others[f] : last[place];
        q[place * size] = states[member] == State::fails ? 1 - sums[f][place] / pairs : 0;
      }
    }
    team += last.size();
  }
}

void FocalKappas::scores_of_three(std::span<const ModelId> members, std::span<const State> states,
                                  std::span<double> out) const {
  constexpr std::size_t size = 3;
  const auto models = static_cast<std::size_t>(model_count_);
  std::array<double, size * teams_a_run> pairs;
  pairs.fill(3);
  std::array<ModelId, teams_a_run> last;
  TripleKappas kappas;
  for (std::size_t at = 0; at < members.size();) {
    const std::size_t i = members[at], j = members[at + 1];
    std::size_t count = 0;
    for (std::size_t next = at; next < members.size() && count < teams_a_run &&
                                members[next] == i && members[next + 1] == j;
         next += size) {
      last[count++] = members[next + 2];
    }
    of_triples(static_cast<int>(i), static_cast<int>(j), std::span(last).first(count), kappas);
    const double* first = own(static_cast<int>(i));
    const double* second = own(static_cast<int>(j));
    const double* of_first = &turned_[i * models];
    const double* of_second = &turned_[j * models];
    // As members are added to larger teams, in the same order.
    double* q = &out[at];
    for (std::size_t place = 0; place < count; ++place, q += size) {
      const std::size_t k = last[place];
      q[0] = first[j] + first[k] + kappas[0][place];
      q[1] = second[i] + kappas[1][place] + second[k];
      q[2] = of_first[k] + kappas[2][place] + of_second[k];
    }
    const auto those = out.subspan(at, count * size);
    divide_each(those, std::span(pairs).first(those.size()));
    for (std::size_t place = 0; place < those.size(); ++place) {
      those[place] = states[members[at + place]] == State::fails ? 1 - those[place] : 0;
    }
    at += count * size;
  }
}

}  // namespace hqe
