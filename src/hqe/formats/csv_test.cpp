// SPDX-License-Identifier: MIT
#include "hqe/formats/csv.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;
using Rows = std::vector<std::vector<double>>;

Array read(const std::string& text) { return read_csv(bytes_of(text)); }
std::string csv_refusal(const std::string& text) {
  return refusal([&] { static_cast<void>(read(text)); });
}

TEST_CASE("one column of whole numbers is a vector of integers") {
  for (const char* text : {"2\n0\n-1\n", "label\r\n2\r\n0\r\n-1\r\n", "2.0\n0e0\n-1.0",
                           "\xEF\xBB\xBF\"label\"\n\"2\"\n 0 \n-1\n\n\n"}) {
    CAPTURE(text);
    const Array array = read(text);
    CHECK(array.dtype == DType::int64);
    CHECK(array.rank == 1);
    CHECK(rows_of(array) == Rows{{2}, {0}, {-1}});
  }
}

TEST_CASE("one column with a fraction is a vector of floats") {
  const Array array = read("1\n0.5\n");
  CHECK(array.dtype == DType::float64);
  CHECK(rows_of(array) == Rows{{1}, {0.5}});
}

TEST_CASE("several columns are a matrix of the nearest doubles") {
  const Array array = read("cat,\"a \"\"big\"\", old dog\"\n0.1,+0.9\n1e-3,9.99e-1\n");
  CHECK(array.dtype == DType::float64);
  CHECK(rows_of(array) == Rows{{0.1, 0.9}, {1e-3, 0.999}});
}

TEST_CASE("numpy.savetxt is read back exactly") {
  CHECK(rows_of(read_csv(map_file(HQE_FIXTURES_DIR "/numpy/savetxt.csv")))[0] ==
        std::vector{0.125, 0.25, 0.625});
}

TEST_CASE("the numbered header of pandas is a header from three columns on") {
  CHECK(read("0,1,2\n0.2,0.3,0.5\n").rows() == 1);
  CHECK(read("0,1\n0.5,0.5\n").rows() == 2);
  CHECK(read("0\n1\n").rows() == 2);
}

TEST_CASE("a header with line breaks in quotes does not shift the line numbers") {
  CHECK(contains(csv_refusal("\"a\nb\",c\n1,x\n"), "line 3, column 2: \"x\" is not a number"));
}

TEST_CASE("numbers beyond a double are infinite or zero") {
  CHECK(std::isinf(rows_of(read("1e999,0\n"))[0][0]));
  CHECK(rows_of(read("1e999,-1e999\n"))[0][1] == -HUGE_VAL);
  CHECK(rows_of(read("1e-999,0." + std::string(400, '0') + "1\n"))[0] == std::vector{0.0, 0.0});
}

TEST_CASE("not-a-number passes: the scan names it with its row") {
  CHECK(std::isnan(rows_of(read("nan,1\n0,1\n"))[0][0]));
}

TEST_CASE("what is wrong is said with line and column") {
  CHECK(contains(csv_refusal("0.1,0.9\n0.1,O.9\n"), "line 2, column 2: \"O.9\" is not a number"));
  CHECK(contains(csv_refusal("0.1,O.9\n0.1,0.9\n"), "line 1, column 2: \"O.9\" is not a number"));
  CHECK(contains(csv_refusal("1,2\n1\n"), "line 2, column 1: only 1 columns"));
  CHECK(contains(csv_refusal("1,2\n1,2,3\n"), "line 2, column 3: at least 3 columns"));
  CHECK(contains(csv_refusal("1,2\n1,\n"), "line 2, column 2: an empty cell"));
  CHECK(contains(csv_refusal("1,2\n\n1,2\n"), "line 2: the line is blank"));
  CHECK(contains(csv_refusal("1\n\n2\n"), "line 2, column 1: an empty cell"));
  CHECK(contains(csv_refusal("\n1\n"), "line 1: the line is blank"));
  CHECK(contains(csv_refusal("0.5 0.5\n0.5 0.5\n"), "delimiter=','"));
  CHECK(contains(csv_refusal("0,5;0,5\n"), "delimiter=','"));
  CHECK(contains(csv_refusal(",a,b\n0,1,0\n"), "index=False"));
  CHECK(contains(csv_refusal("a,b\n"), "no rows below the header"));
  CHECK(contains(csv_refusal(" \r\n"), "no numbers"));
  CHECK(contains(csv_refusal("1,\"2\n"), "line 1, column 2: a quoted cell does not end"));
  CHECK(contains(csv_refusal("1,\"2\"3\n"), "beside a quoted cell"));
  CHECK(contains(csv_refusal("\xFF\xFE"
                             "1"),
                 "UTF-16"));
  CHECK(contains(csv_refusal("1,+-2\n"), "\"+-2\" is not a number"));
  CHECK(contains(csv_refusal("1,0x2\n"), "\"0x2\" is not a number"));
}

TEST_CASE("one column of text is labels; its first line is one if the word comes again") {
  const Array named = read("label\ncat\n\"dog\"\ncat\n");
  REQUIRE(named.words);
  CHECK(*named.words == std::vector<std::string>{"cat", "dog"});
  CHECK(rows_of(named) == Rows{{0}, {1}, {0}});
  CHECK(rows_of(read("cat\ndog\ncat\n")) == Rows{{0}, {1}, {0}});
  CHECK(contains(csv_refusal("label\ncat\n3\n"), "line 3, column 1: \"3\" is not a number"));
}

TEST_CASE("an id or a true label is never a class") {
  CHECK(contains(csv_refusal("id,a,b\n7,0.5,0.5\n9,0.5,0.5\n12,1,0\n"),
                 "column \"id\": counts the rows: it is no class"));
  CHECK(contains(csv_refusal("4,0.5,0.5\n5,0.5,0.5\n6,1,0\n"), "column 1: counts the rows"));
  CHECK(contains(csv_refusal("cat,dog,y\n0.5,0.5,1\n0.5,0.5,0\n1,0,0\n"),
                 "column \"y\": holds true labels"));
  CHECK(read("id,b\n0.5,0.5\n0.25,0.75\n1,0\n").columns() == 2);
  CHECK(read("1,0\n2,0\n4,0\n").columns() == 2);
}

TEST_CASE("a quick number is the nearest double, and so is every other") {
  // The quick way and the slow one, which a blank in front takes.
  for (const char* number :
       {"0.1", "0.30000000000000004", "123456789012345678", "9007199254740993", "-0", "-0.5", "5.",
        "00.1", "0.000000000000000001", "1e-3", "0.123456789012345", "99999999999999999999",
        "8.5070591730234616e37"}) {
    CAPTURE(number);
    const double quick = rows_of(read(std::string(number) + ",0\n"))[0][0];
    CHECK(quick == rows_of(read(" " + std::string(number) + ",0\n"))[0][0]);
    CHECK(quick == std::stod(number));
    CHECK(std::signbit(quick) == (*number == '-'));
  }
}

TEST_CASE("a file larger than the parser's buffer is read whole") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + "\n";
  const Array array = read(text);
  REQUIRE(array.rows() == 20'000);
  for (int i = 0; i < 20'000; ++i) CHECK(read_integer(array, i) == i);
}

}  // namespace
}  // namespace hqe
