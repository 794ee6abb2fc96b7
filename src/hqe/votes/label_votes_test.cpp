// SPDX-License-Identifier: MIT
#include "hqe/votes/label_votes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hqe {
namespace {

std::u16string codes_of(LabelCodes& codes, std::int32_t truth, const std::vector<int>& labels) {
  codes.start(truth);
  std::u16string result;
  for (const int label : labels) result += codes.of(label);
  return result;
}

TEST_CASE("rivals are numbered as they first appear, odd ones above the true class") {
  LabelCodes codes;
  CHECK((codes_of(codes, 3, {3, 7, -1, 0, 7, 3}) == std::u16string{1, 3, 0, 4, 3, 1}));
  // What was said of another sample is forgotten.
  CHECK((codes_of(codes, 7, {0, 7, 90'000, 0, -1}) == std::u16string{2, 1, 5, 2, 0}));
  CHECK((codes_of(codes, 0, {7, 0, 3}) == std::u16string{3, 1, 5}));
}

TEST_CASE("votes that were seen are kept once, however many there are") {
  constexpr char16_t values = 60;
  SeenVotes seen(3);
  for (int round = 0; round < 2; ++round) {
    for (char16_t a = 0; a < values; ++a) {
      for (char16_t b = 0; b < values; ++b) {
        const std::u16string votes{a, b, a};
        seen.of(votes).add({.first = static_cast<std::uint64_t>(a + 9 - round), .samples = 2});
      }
    }
  }
  REQUIRE(seen.size() == values * values);
  bool are_alike = true;
  for (std::size_t place = 0; place < seen.size(); ++place) {
    const auto a = static_cast<char16_t>(place / values);
    are_alike &= seen.votes(place) == std::u16string{a, static_cast<char16_t>(place % values), a};
    are_alike &= seen.samples(place).first == a + 8U && seen.samples(place).samples == 4;
  }
  CHECK(are_alike);
}

}  // namespace
}  // namespace hqe
