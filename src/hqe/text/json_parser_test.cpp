// SPDX-License-Identifier: MIT
#include "hqe/text/json_parser.h"

#include <doctest/doctest.h>

#include <string>

namespace hqe {
namespace {

std::string problem_with(const std::string& text, std::size_t max_depth = 4) {
  try {
    (void)parse_json(text, max_depth);
  } catch (const BadJson& problem) {
    return problem.place + ": " + problem.reason;
  }
  return "";
}

TEST_CASE("a text becomes the tree that it says") {
  const std::string text =
      R"({"a":[1,-2,3.5,true,null,"x\u00e9",[],{}],"b":{"a":18446744073709551615},"c":"d"})";
  CHECK(parse_json(text, 4) == Json::parse(text));
  CHECK(parse_json(" 7 ", 0) == 7);
}

TEST_CASE("what is no JSON is refused with the byte") {
  for (const char* text : {"", "[1,", "{\"a\":}", "[1] 2", "[1e999]", "[NaN]", "\"\xFF\""}) {
    CAPTURE(text);
    CHECK(problem_with(text).starts_with("byte "));
  }
}

TEST_CASE("nesting is refused before it costs anything, opened or closed, list or object") {
  CHECK(problem_with("[[[[]]]]").empty());
  CHECK(problem_with("[[[[[]]]]]") == ": is nested too deeply");
  constexpr std::size_t levels = 1'000'000;
  CHECK(problem_with(std::string(levels, '[')) == ": is nested too deeply");
  CHECK(problem_with(std::string(levels, '[') + std::string(levels, ']')) ==
        ": is nested too deeply");
  std::string objects;
  for (std::size_t i = 0; i < 100'000; ++i) objects += "{\"a\":";
  CHECK(problem_with(objects) == ": is nested too deeply");
}

TEST_CASE("a name that occurs twice in an object is refused, in two objects it is not") {
  CHECK(problem_with(R"({"a":1,"b":{"a":2},"c":[{"a":3}]})").empty());
  CHECK(problem_with(R"({"b":{"a\n":1,"a\n":1}})") == R"(: the name "a\x0a" occurs twice)");
}

}  // namespace
}  // namespace hqe
