// SPDX-License-Identifier: MIT
#include "hqe/documents/json_writer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace hqe {
namespace {

template <typename Write>
std::string written(Write write) {
  std::string text;
  JsonWriter out([&text](std::string_view bytes) { text.append(bytes); });
  write(out);
  out.finish();
  CHECK(text.back() == '\n');
  text.pop_back();
  return text;
}

std::string of(const auto& value) {
  return written([&](JsonWriter& out) { out.value(value); });
}

TEST_CASE("commas stand between values and nowhere else") {
  const std::string text = written([](JsonWriter& out) {
    out.begin_object().field("a", 1).key("b").begin_array().value(1).value(2).end_array();
    out.key("c").begin_object().end_object().key("d").begin_array().end_array().end_object();
  });
  CHECK(text == R"({"a":1,"b":[1,2],"c":{},"d":[]})");
}

TEST_CASE("a line break changes nothing but white space") {
  const std::string text = written([](JsonWriter& out) {
    out.begin_array().line().value(1).line().begin_object().line().field("a", 2);
    out.line().end_object().end_array();
  });
  CHECK(text == "[\n1,\n{\n\"a\":2\n}]");
}

TEST_CASE("a double is written with the fewest digits that read back, and is seen to be one") {
  CHECK(of(0.1) == "0.1");
  CHECK(of(1.0) == "1.0");
  CHECK(of(-0.0) == "-0.0");
  CHECK(of(1.0 / 3) == "0.3333333333333333");
  CHECK(of(123456789012345680.0) == "123456789012345680.0");
  CHECK(of(1e300) == "1e+300");
  CHECK(of(5e-324) == "5e-324");
}

TEST_CASE("NaN and infinities are never written") {
  CHECK(of(std::nan("")) == "null");
  CHECK(of(std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("a count above 2^53 is null") {
  CHECK(of(std::uint64_t{1} << 53) == "9007199254740992");
  CHECK(of((std::uint64_t{1} << 53) + 1) == "null");
  CHECK(of(std::optional<std::uint64_t>{}) == "null");
}

TEST_CASE("strings are escaped, and what is no UTF-8 becomes the replacement character") {
  const auto text = [](std::string_view bytes) { return of(bytes); };
  CHECK(text("a\"b\\c/") == R"("a\"b\\c/")");
  CHECK(text(std::string_view("\0\x1f\n\t\r\b\f", 7)) == R"("\u0000\u001f\n\t\r\b\f")");
  CHECK(text("Zürich 東京 🙂") == "\"Zürich 東京 🙂\"");
  CHECK(text("a\xff\x62") == "\"a\xEF\xBF\xBD\x62\"");
  CHECK(text("\xc3") == "\"\xEF\xBF\xBD\"");                          // cut off
  CHECK(text("\xc0\xaf") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");          // overlong
  CHECK(text("\xed\xa0\x80").find("\xed") == std::string::npos);      // surrogate
  CHECK(text("\xf4\x90\x80\x80").find("\xf4") == std::string::npos);  // above U+10FFFF
}

TEST_CASE("a team is an array of ids") {
  const std::vector<ModelId> team{0, 7, 1023};
  CHECK(of(TeamView(team)) == "[0,7,1023]");
  CHECK(of(TeamView()) == "[]");
}

TEST_CASE("a document larger than the buffer arrives whole and in order") {
  std::string expected = "[0";
  const std::string text = written([&](JsonWriter& out) {
    out.begin_array().value(0);
    for (int i = 1; i < 400'000; ++i) {
      out.value(i);
      expected.append(",").append(std::to_string(i));
    }
    const std::string large(3'000'000, 'x');
    out.value(std::string_view(large)).end_array();
    expected.append(",\"").append(large).append("\"]");
  });
  CHECK(text == expected);
}

}  // namespace
}  // namespace hqe
