// SPDX-License-Identifier: MIT
#include "hqe/evaluation/all_teams_kernel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/bits/cache_line.h"
#include "hqe/bits/target.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

/// One rival: its start and the models' margins.
struct Rival {
  std::int32_t start = 0;
  std::vector<std::int32_t> margins;

  [[nodiscard]] std::int32_t sum(std::size_t team) const {
    std::int32_t result = start;
    for (std::size_t model = 0; model < margins.size(); ++model) {
      if (team >> model & 1) result += margins[model];
    }
    return result;
  }
};

/// Margins up to `reach` on either side, `shift` towards the true class.
Rival draw_rival(Random& random, int models, std::int32_t reach, std::int32_t shift) {
  Rival result{.start = static_cast<std::int32_t>(random.below(2)), .margins = {}};
  for (int model = 0; model < models; ++model) {
    const auto drawn = static_cast<std::int32_t>(random.below(2 * reach + 1));
    result.margins.push_back(drawn - reach + shift);
  }
  return result;
}

struct Expected {
  bool surely = true, maybe = true;
};

Expected expected_of(const std::vector<Rival>& rivals, std::size_t team, std::int32_t doubt) {
  Expected result;
  for (const Rival& rival : rivals) {
    const std::int32_t sum = rival.sum(team);
    result.surely &= sum > std::max(doubt, 0);
    result.maybe &= sum >= -doubt;
  }
  return result;
}

bool contains(const std::uint64_t* set, std::size_t part) {
  const std::size_t byte = part % set_bytes;
  return (set[byte / 8] >> (byte % 8 * 8 + part / set_bytes) & 1) != 0;
}

/// Every team of one pattern, on the target at hand.
void check_pattern(const std::vector<Rival>& rivals, int models, std::int32_t doubt) {
  const Halves halves(models);
  CacheLineVector<RivalTable> tables(rivals.size());
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    build_table(tables[i], halves, rivals[i].margins, rivals[i].start);
  }
  std::vector<std::uint64_t> undecided(rivals.size());
  CacheLineVector<SetLists> lists(1);
  for (std::size_t chunk = 0; chunk < halves.chunk_count(); ++chunk) {
    std::ranges::fill(lists[0].counts, 0);
    const ChunkAnswer answer =
        find_right(tables, chunk, doubt, halves.places(), lists[0], undecided.data());
    REQUIRE((answer.right & answer.open) == 0);
    REQUIRE(((answer.right | answer.open) & ~halves.places()) == 0);
    for (std::size_t place = 0; place < (std::size_t{1} << halves.inner); ++place) {
      const bool open = (answer.open >> place & 1) != 0;
      const bool near = (answer.near >> place & 1) != 0;
      REQUIRE(lists[0].counts[place] == (open ? 1 : 0));
      const Certainty certainty = find_doubtful(tables, chunk, place, std::max(doubt, 0));
      std::size_t wrong = 0;
      for (std::size_t part = 0; part < most_low_parts; ++part) {
        const std::size_t team = ((chunk << halves.inner | place) << halves.low) | part;
        const Expected expected = expected_of(rivals, team, doubt);
        const bool found =
            open ? contains(lists[0].sets[place][0], part) : (answer.right >> place & 1) != 0;
        wrong += found != expected.surely;
        wrong += expected.maybe && !expected.surely && !near;
        wrong += contains(certainty.surely.data(), part) != expected.surely;
        wrong += doubt >= 0 && contains(certainty.maybe.data(), part) != expected.maybe;
      }
      REQUIRE(wrong == 0);
    }
  }
}

TEST_CASE("a set holds each low part once") {
  for (std::size_t part = 0; part < most_low_parts; ++part) {
    std::uint64_t set[set_words] = {};
    const std::size_t byte = part % set_bytes;
    set[byte / 8] = std::uint64_t{1} << (byte % 8 * 8 + part / set_bytes);
    CHECK(contains(set, part));
    CHECK(low_part_of(byte / 8, byte % 8 * 8 + part / set_bytes) == part);
  }
}

TEST_CASE("every team wins exactly where its sums say, and no near tie is missed") {
  testing::Thinned thinned(5);
  Random random(31);
  for (const int models : {13, 14, 15}) {
    for (const std::int32_t reach : {1, 40, 30'000'000}) {
      for (const std::int32_t shift : {-1, 0, 1}) {
        for (const std::size_t rivals : {1, 3}) {
          std::vector<Rival> drawn;
          while (drawn.size() < rivals) {
            drawn.push_back(draw_rival(random, models, reach, shift * (reach / 2 + 1)));
          }
          if (thinned.leaves_out()) continue;
          const std::int32_t doubt = std::array{-1, 0, 4}[random.below(3)];
          for (const std::string& target : available_targets()) {
            CAPTURE(models);
            CAPTURE(reach);
            CAPTURE(shift);
            CAPTURE(rivals);
            CAPTURE(doubt);
            CAPTURE(target);
            force_target(target);
            check_pattern(drawn, models, doubt);
          }
        }
      }
    }
  }
  force_target(available_targets().back());
}

TEST_CASE("counters count lists of any length, and weighted sets") {
  constexpr std::size_t levels = 12;
  CacheLineVector<SetLists> lists(1);
  for (const std::string& target : available_targets()) {
    CAPTURE(target);
    force_target(target);
    Random random(32);
    CacheLineVector<std::uint64_t> planes(chunk_size * levels * set_words);
    std::vector<std::uint32_t> expected(chunk_size * most_low_parts, 7);
    CacheLineVector<std::uint32_t> with_all(chunk_size), expected_with_all(chunk_size);
    for (int round = 0; round < 3; ++round) {
      for (std::size_t place = 0; place < chunk_size; ++place) {
        const auto weight = static_cast<std::uint32_t>(1 + random.below(9));
        const std::size_t count = place == 0 ? batch_size : random.below(batch_size + 1);
        lists[0].counts[place] = static_cast<std::uint32_t>(count);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::uint64_t& word : lists[0].sets[place][i]) word = random.bits();
          for (std::size_t part = 0; part < most_low_parts; ++part) {
            const bool is_in = contains(lists[0].sets[place][i], part);
            expected[place * most_low_parts + part] += is_in ? (i == 0 ? 1 + weight : 1) : 0;
          }
        }
        if (count > 0) {
          count_set(lists[0].sets[place][0], weight, planes.data() + place * levels * set_words);
        }
      }
      count_lists(lists[0], levels, planes.data());
      const std::uint64_t places = random.bits();
      add_weight(places, 5, with_all.data());
      for (std::size_t place = 0; place < chunk_size; ++place) {
        expected_with_all[place] += (places >> place & 1) != 0 ? 5 : 0;
      }
    }
    std::vector<std::uint32_t> counts(expected.size(), 7);
    add_counters(planes.data(), levels, chunk_size, counts.data());
    CHECK(counts == expected);
    CHECK(with_all == expected_with_all);
  }
  force_target(available_targets().back());
}

}  // namespace
}  // namespace hqe
