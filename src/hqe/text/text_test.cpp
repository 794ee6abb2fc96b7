// SPDX-License-Identifier: MIT
// Names in order, names mistyped, and names that somebody means harm with.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hqe/text/natural_order.h"
#include "hqe/text/nearest.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

TEST_CASE("names are ordered as people count") {
  std::vector<std::string> names{"model_10",
                                 "model_2",
                                 "b",
                                 "model_02",
                                 "model_1a",
                                 "a",
                                 "model_1",
                                 "model_",
                                 "10",
                                 "9",
                                 "model_18446744073709551616"};
  std::ranges::sort(names, natural_less);
  CHECK(names == std::vector<std::string>{"9", "10", "a", "b", "model_", "model_1", "model_1a",
                                          "model_02", "model_2", "model_10",
                                          "model_18446744073709551616"});
}

TEST_CASE("natural order is a strict order on all short names") {
  std::vector<std::string> names{""};
  for (std::size_t i = 0; i < 40; ++i) {
    for (const char character : {'0', '1', 'a'}) names.push_back(names[i] + character);
  }
  for (const auto& a : names) {
    for (const auto& b : names) {
      CHECK((natural_less(a, b) ? 1 : 0) + (natural_less(b, a) ? 1 : 0) == (a == b ? 0 : 1));
      if (!natural_less(a, b)) continue;
      for (const auto& c : names) {
        if (natural_less(b, c)) CHECK(natural_less(a, c));
      }
    }
  }
}

TEST_CASE("the nearest word is the one with the fewest changes") {
  const std::vector<std::string> words{"models", "classes", "kind"};
  CHECK(nearest_word("model", words) == "models");
  CHECK(nearest_word("knid", words) == "kind");
  CHECK(nearest_word("x", {}).empty());
}

TEST_CASE("a stranger's bytes cannot control the terminal") {
  CHECK(printable("a\x1b[31m\n\xff") == "\"a\\x1b[31m\\x0a\\xff\"");
  CHECK(printable(std::string(100, 'a')).size() == 65);
}

TEST_CASE("only well-formed UTF-8 is UTF-8") {
  for (const char* good :
       {"", "abc", "\u00e4", "\u20ac", "\U0001F600", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(printable(good));
    CHECK(is_utf8(good));
  }
  for (const char* bad : {"\x80", "\xc3", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xe0\x80\x80",
                          "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff", "a\xe4"}) {
    CAPTURE(printable(bad));
    CHECK_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace hqe
