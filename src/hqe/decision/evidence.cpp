// SPDX-License-Identifier: MIT
#include "hqe/decision/evidence.h"

#include <utility>

namespace hqe {
EvidenceSource::EvidenceSource(std::vector<EvidencePart> parts, std::uint64_t seed)
    : parts_(std::move(parts)) {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    cells_.emplace_back(parts_[part].contests, seed, part);
  }
}

void EvidenceSource::add(Evidence& evidence, const TeamTable& teams, const Run& run) const {
  const std::size_t first = evidence.teams.size();
  for (std::size_t i = 0; i < teams.size(); ++i) evidence.teams.push_back(teams[i]);
  evidence.worth.resize(evidence.teams.size());
  evidence.samples.fill(0);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    for (std::size_t cell = 0; cell < cell_count; ++cell) {
      evidence.samples[cell] +=
          parts_[part].worth * static_cast<double>(cells_[part].samples()[cell]);
    }
  }
  parallel_for(run, "weighing the evidence", teams.size(), 8,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   PerCell<double>& worth = evidence.worth[first + i];
                   for (std::size_t part = 0; part < parts_.size(); ++part) {
                     const auto right =
                         cells_[part].count(parts_[part].contests.right_patterns(teams[i]));
                     for (std::size_t cell = 0; cell < cell_count; ++cell) {
                       worth[cell] += parts_[part].worth * static_cast<double>(right[cell]);
                     }
                   }
                 }
               });
}

void EvidenceSource::add_sureness(Evidence& evidence, std::span<const std::size_t> places,
                                  const Run& run) const {
  if (!has_sureness()) return;
  evidence.sureness.resize(evidence.teams.size());
  parallel_for(run, "weighing the evidence", places.size(), 8,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   const TeamView team = evidence.teams[places[i]];
                   evidence.sureness[places[i]] =
                       cells_.front().sum(parts_.front().contests.sureness(team));
                 }
               });
}

}  // namespace hqe
