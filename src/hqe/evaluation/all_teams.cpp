// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "hqe/bits/target.h"
#include "hqe/evaluation/all_teams_kernel.h"
#include "hqe/evaluation/contest_data.h"
#include "hqe/evaluation/contests.h"
#include "hqe/evaluation/subset_kernel.h"

namespace hqe {
namespace {

/// Consecutive patterns that one worker counts together.
struct Batch {
  std::size_t first = 0;
  std::size_t last = 0;
};

using Members = std::array<ModelId, most_models_for_every_team>;

TeamView members_of(std::size_t team, Members& members) {
  std::size_t size = 0;
  for (; team != 0; team &= team - 1) {
    members[size++] = static_cast<ModelId>(std::countr_zero(team));
  }
  return TeamView(members).first(size);
}

// Patterns with many rivals come in smaller batches, so that their tables stay in the cache.
constexpr std::size_t most_tables = 192;

std::vector<Batch> split_patterns(const Contests::Data& data) {
  std::vector<Batch> batches;
  for (std::size_t first = 0; first < data.pattern_count();) {
    const std::size_t rivals = data.groups[first / group_size].rivals;
    const std::size_t size = std::clamp<std::size_t>(most_tables / rivals, 1, batch_size);
    const std::size_t last = std::min(first + size, data.pattern_count());
    batches.push_back({first, last});
    first = last;
  }
  return batches;
}

/// Counters of all teams and the memory to fill them; one worker's own.
class Tally {
 public:
  Tally(const Contests::Data& data, const Halves& halves, int levels)
      : data_(data),
        halves_(halves),
        levels_(static_cast<std::size_t>(levels)),
        planes_(halves.chunk_count() * levels_ * chunk_size * set_words),
        with_all_(halves.chunk_count() * chunk_size),
        lists_(1),
        margins_(static_cast<std::size_t>(data.model_count)) {}

  void count(Batch batch);
  void add_to(std::vector<std::uint32_t>& counts) const;

 private:
  void build_tables(Batch batch);
  void count_pattern(std::size_t pattern, std::span<const RivalTable> rivals, std::size_t chunk);
  void decide(std::size_t pattern, std::span<const RivalTable> rivals, std::size_t chunk,
              std::uint64_t places);
  [[nodiscard]] bool is_right(std::size_t pattern, std::size_t team) const;
  [[nodiscard]] std::uint64_t* last_set(std::size_t place) {
    return lists_[0].sets[place][lists_[0].counts[place] - 1];
  }
  [[nodiscard]] std::size_t first_plane(std::size_t chunk, std::size_t place) const {
    return (chunk * chunk_size + place) * levels_ * set_words;
  }

  const Contests::Data& data_;
  Halves halves_;
  std::size_t levels_;
  CacheLineVector<std::uint64_t> planes_;    // [chunk][place][level][word].
  CacheLineVector<std::uint32_t> with_all_;  // [chunk][place]: right with every low part.
  CacheLineVector<SetLists> lists_;          // One, of the chunk at hand.
  CacheLineVector<RivalTable> tables_;
  std::vector<std::size_t> tables_end_;  // Of each pattern of the batch.
  std::vector<std::uint64_t> undecided_;
  std::vector<std::int32_t> margins_;
};

void Tally::build_tables(Batch batch) {
  tables_end_.clear();
  std::size_t used = 0;
  for (std::size_t pattern = batch.first; pattern < batch.last; ++pattern) {
    const Group& group = data_.groups[pattern / group_size];
    const std::size_t place = pattern % group_size;
    for (std::size_t rival = 0; rival < group.rivals; ++rival) {
      const std::size_t at = rival * group_size + place;
      const std::int32_t start = data_.table.starts_of(group)[at];
      if (start == largest_sum) continue;  // Fills the group only.
      for (std::size_t model = 0; model < margins_.size(); ++model) {
        margins_[model] = data_.table.margins_of(group, model)[at];
      }
      if (used == tables_.size()) tables_.emplace_back();
      build_table(tables_[used++], halves_, margins_, start);
    }
    tables_end_.push_back(used);
  }
  undecided_.resize(std::max(undecided_.size(), used));
}

bool Tally::is_right(std::size_t pattern, std::size_t team) const {
  Members members{};
  return data_.literal->is_right(pattern, members_of(team, members));
}

// Adds to the last sets of the doubtful high parts what the literal vote says.
void Tally::decide(std::size_t pattern, std::span<const RivalTable> rivals, std::size_t chunk,
                   std::uint64_t places) {
  for (; places != 0; places &= places - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(places));
    const std::size_t high = (chunk << halves_.inner | place) << halves_.low;
    const Certainty certainty = find_doubtful(rivals, chunk, place, data_.table.doubt);
    for (std::size_t word = 0; word < set_words; ++word) {
      std::uint64_t open = certainty.maybe[word] & ~certainty.surely[word];
      for (; open != 0; open &= open - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(open));
        const std::size_t team = high | low_part_of(word, bit);
        if (team != 0 && is_right(pattern, team)) {
          last_set(place)[word] |= std::uint64_t{1} << bit;
        }
      }
    }
  }
}

void Tally::count_pattern(std::size_t pattern, std::span<const RivalTable> rivals,
                          std::size_t chunk) {
  const ChunkAnswer answer =
      find_right(rivals, chunk, data_.table.doubt, halves_.places(), lists_[0], undecided_.data());
  if (answer.near != 0) decide(pattern, rivals, chunk, answer.near);
  const std::uint32_t weight = data_.weights[pattern];
  if (answer.right != 0) add_weight(answer.right, weight, with_all_.data() + chunk * chunk_size);
  if (weight == 1) return;
  for (std::uint64_t places = answer.open; places != 0; places &= places - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(places));
    count_set(last_set(place), weight, planes_.data() + first_plane(chunk, place));
    --lists_[0].counts[place];
  }
}

void Tally::count(Batch batch) {
  build_tables(batch);
  for (std::size_t chunk = 0; chunk < halves_.chunk_count(); ++chunk) {
    std::ranges::fill(lists_[0].counts, 0);
    std::size_t first = 0;
    for (std::size_t pattern = batch.first; pattern < batch.last; ++pattern) {
      const std::size_t last = tables_end_[pattern - batch.first];
      count_pattern(pattern, {tables_.data() + first, last - first}, chunk);
      first = last;
    }
    count_lists(lists_[0], levels_, planes_.data() + first_plane(chunk, 0));
  }
}

void Tally::add_to(std::vector<std::uint32_t>& counts) const {
  const std::size_t chunk_teams = counts.size() / halves_.chunk_count();
  for (std::size_t chunk = 0; chunk < halves_.chunk_count(); ++chunk) {
    std::uint32_t* const own = counts.data() + chunk * chunk_teams;
    add_counters(planes_.data() + first_plane(chunk, 0), levels_, chunk_teams / most_low_parts,
                 own);
    for (std::size_t team = 0; team < chunk_teams; ++team) {
      own[team] += with_all_[chunk * chunk_size + team / most_low_parts];
    }
  }
}

// Counters are a worker's own; beyond this many bytes of them fewer workers are used.
constexpr std::size_t most_counter_bytes = std::size_t{256} << 20;

// Up to here there are too few teams to be worth a table a rival.
constexpr int most_models_as_subsets = 12;

void settle_doubts(const Contests::Data& data, SubsetCounters& counters) {
  Members members{};
  const std::size_t teams = std::size_t{1} << data.model_count;
  for (const auto& [team, pattern] : counters.doubts) {
    if (team == 0 || team >= teams) continue;
    if (data.literal->is_right(pattern, members_of(team, members))) {
      counters.right[team] += data.weights[pattern];
    }
  }
  counters.doubts.clear();
}

std::vector<std::uint32_t> counts_of_subsets(const Contests::Data& data, const Run& run) {
  std::vector<SubsetCounters> workers(static_cast<std::size_t>(run.thread_count()),
                                      SubsetCounters(data.model_count));
  parallel_for(run, "counting correct answers", data.groups.size(), 16,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 SubsetCounters& counters = workers[static_cast<std::size_t>(worker)];
                 count_subsets(data, begin, end, counters);
                 settle_doubts(data, counters);
               });
  std::vector<std::uint32_t> counts(std::size_t{1} << data.model_count,
                                    static_cast<std::uint32_t>(data.summary.always_right));
  for (const SubsetCounters& worker : workers) {
    for (std::size_t team = 0; team < counts.size(); ++team) counts[team] += worker.right[team];
  }
  counts[0] = 0;
  return counts;
}

}  // namespace

std::vector<std::uint32_t> Contests::correct_counts_of_all_teams(const Run& run) const {
  assert(model_count() <= most_models_for_every_team);
  apply_target_from_environment();
  if (model_count() <= most_models_as_subsets) return counts_of_subsets(*data_, run);
  const Halves halves(model_count());
  // One level above the largest count: adding a batch touches four levels at least.
  const int levels = std::max(4, static_cast<int>(std::bit_width(data_->summary.contested)) + 1);
  const std::size_t bytes =
      halves.chunk_count() * static_cast<std::size_t>(levels) * chunk_size * most_low_parts / 8;
  Run fewer = run;
  fewer.threads = std::min(run.thread_count(),
                           static_cast<int>(std::max<std::size_t>(1, most_counter_bytes / bytes)));
  std::vector<std::unique_ptr<Tally>> tallies(static_cast<std::size_t>(fewer.threads));
  const std::vector<Batch> batches = split_patterns(*data_);
  parallel_for(fewer, "counting correct answers of all teams", batches.size(), 1,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 auto& tally = tallies[worker];
                 if (!tally) tally = std::make_unique<Tally>(*data_, halves, levels);
                 for (std::size_t i = begin; i < end; ++i) tally->count(batches[i]);
               });
  std::vector<std::uint32_t> counts(std::size_t{1} << model_count(),
                                    static_cast<std::uint32_t>(data_->summary.always_right));
  for (const auto& tally : tallies) {
    if (tally) tally->add_to(counts);
  }
  counts[0] = 0;
  return counts;
}

}  // namespace hqe
