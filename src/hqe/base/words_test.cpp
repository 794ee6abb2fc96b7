// SPDX-License-Identifier: MIT
#include "hqe/base/words.h"

#include <doctest/doctest.h>

#include "hqe/base/capital.h"

namespace hqe {
namespace {

enum class Season { spring, summer, winter };
constexpr std::array warm_words{Word{Season::spring, "spring"}, Word{Season::summer, "summer"}};

static_assert(have_words(std::array{Season::summer, Season::spring}, warm_words));
static_assert(!have_words(std::array{Season::spring, Season::winter}, warm_words));

TEST_CASE("a table of words is read both ways") {
  CHECK(word_of(warm_words, Season::summer) == "summer");
  CHECK(value_of(warm_words, "spring") == Season::spring);
  CHECK_FALSE(value_of(warm_words, "Spring").has_value());
}

TEST_CASE("a value without a word is refused, and never called by another's") {
  CHECK_THROWS_AS((void)word_of(warm_words, Season::winter), std::logic_error);
}

TEST_CASE("only an ASCII letter gets a capital") {
  CHECK(capitalised("so it begins") == "So it begins");
  CHECK(capitalised("") == "");
  CHECK(capitalised("\xC3\xA4hnlich") == "\xC3\xA4hnlich");
  CHECK(capitalised("5 models") == "5 models");
}

}  // namespace
}  // namespace hqe
