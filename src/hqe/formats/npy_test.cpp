// SPDX-License-Identifier: MIT
#include "hqe/formats/npy.h"

#include <doctest/doctest.h>

#include <fstream>

#include "hqe/files/npy_writer.h"
#include "tests/support/arrays.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;
using Rows = std::vector<std::vector<double>>;

const std::string fixtures = HQE_FIXTURES_DIR "/numpy/";

std::string npy(const std::string& dict, const std::string& data, char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0';
  file += static_cast<char>(dict.size() & 0xFF);
  file += static_cast<char>(dict.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + dict + data;
}

std::string described(const std::string& descr, const std::string& shape, const std::string& data) {
  return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n",
             data);
}

std::string npy_refusal(const std::string& file) {
  return refusal([&] { static_cast<void>(read_npy(bytes_of(file))); });
}

TEST_CASE("a big-endian Fortran-ordered file of NumPy is read as it is meant") {
  const Array array = read_npy(map_file(fixtures + "big_endian_fortran.npy"));

  CHECK(array.byte_swapped);
  CHECK(rows_of(array) ==
        Rows{{0.125, 0.25, 0.625}, {0.5, 0.375, 0.125}, {0, 1, 0}, {0.75, 0.125, 0.125}});
}

TEST_CASE("float16 of NumPy is read exactly") {
  CHECK(rows_of(read_npy(map_file(fixtures + "float16.npy")))[0] ==
        std::vector{0.125, 0.25, 0.625});
}

TEST_CASE("every integer width is read in both byte orders") {
  for (const int width : {1, 2, 4, 8}) {
    for (const bool is_signed : {false, true}) {
      std::string little(static_cast<std::size_t>(width), '\0');
      little[0] = 7;
      const std::string big(little.rbegin(), little.rend());
      const std::string code = (is_signed ? "i" : "u") + std::to_string(width);
      CHECK(rows_of(read_npy(bytes_of(described("<" + code, "(1,)", little)))) == Rows{{7}});
      CHECK(rows_of(read_npy(bytes_of(described(">" + code, "(1,)", big)))) == Rows{{7}});
    }
  }
  CHECK(rows_of(read_npy(bytes_of(described("|b1", "(2,)", std::string("\1\0", 2))))) ==
        Rows{{1}, {0}});
}

TEST_CASE("bfloat16 is known by the byte order that a plain void lacks") {
  const std::string one("\x80\x3f", 2);
  CHECK(rows_of(read_npy(bytes_of(described("<V2", "(1,)", one)))) == Rows{{1}});
  CHECK(contains(npy_refusal(described("|V2", "(1,)", one)), "unsupported type \"|V2\""));
}

TEST_CASE("headers of versions 2 and 3, and of Python 2, are read") {
  const std::string dict = "{\"shape\": (2L, 1L), 'fortran_order': True, 'descr': '|u1'}";
  for (const char version : {'\2', '\3'}) {
    CHECK(rows_of(read_npy(bytes_of(npy(dict, "\x01\x02", version)))) == Rows{{1}, {2}});
  }
}

TEST_CASE("what is not an array of numbers is refused by name") {
  const auto fixture = [](const char* name) {
    return refusal([&] { static_cast<void>(read_npy(map_file(fixtures + name))); });
  };
  CHECK(contains(fixture("object.npy"), "Python objects"));
  CHECK(contains(fixture("complex.npy"), "unsupported type \"<c16\""));
  CHECK(contains(
      npy_refusal(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234")),
      "records"));
}

TEST_CASE("text is read as the places of its words") {
  const Array text = read_npy(map_file(fixtures + "text.npy"));
  REQUIRE(text.words);
  CHECK(text.rank == 1);
  for (std::int64_t row = 0; row < text.rows(); ++row) {
    CHECK(read_integer(text, row) < std::ssize(*text.words));
  }
  // \u00e9 of two bytes as UTF-8, and an emoji of four.
  const std::string dict = "{'descr': '<U2', 'fortran_order': False, 'shape': (3,)}";
  const std::string cells(
      "\xe9\0\0\0a\0\0\0"
      "\x00\xf6\x01\0\0\0\0\0"
      "\xe9\0\0\0a\0\0\0",
      24);
  const Array words = read_npy(bytes_of(npy(dict, cells)));
  CHECK(*words.words == std::vector<std::string>{"\xc3\xa9"
                                                 "a",
                                                 "\xf0\x9f\x98\x80"});
  CHECK(rows_of(words) == Rows{{0}, {1}, {0}});
  CHECK(contains(npy_refusal(npy(dict, cells.substr(0, 20))), "text of shape (3,)"));
  const std::string bytes = "{'descr': '|S2', 'fortran_order': False, 'shape': (2,)}";
  CHECK(*read_npy(bytes_of(npy(bytes, std::string("a\0bc", 4)))).words ==
        std::vector<std::string>{"a", "bc"});
}

TEST_CASE("a header that lies about its size is refused without an allocation") {
  const std::string few(64, '\0');
  CHECK(contains(npy_refusal(described("<f4", "(1099511627776, 10)", few)),
                 "promises an array of shape (1099511627776, 10)"));
  CHECK(contains(npy_refusal(described("<f4", "(2147483648, 10)", few)), "but only 64 follow"));
  CHECK(contains(npy_refusal(described("<f8", "(4611686018427387904, 4)", few)), "over 2^63"));
  CHECK(contains(npy_refusal(described("<f8", "(2147483648, 2147483647)", few)), "over 2^63"));
  CHECK(contains(npy_refusal(described("|u1", "(1, 2147483648)", few)), "but only 64 follow"));
  CHECK(contains(npy_refusal(described("<f8", "(99999999999999999999,)", few)), "below 2^63"));
  CHECK(contains(npy_refusal(described("<f8", "(-1,)", few)), "negative"));
  CHECK(contains(npy_refusal(described("<f8", "(0, 10)", few)), "no numbers"));
  CHECK(contains(npy_refusal(described("<f8", "()", few)), "0 dimensions"));
  CHECK(contains(npy_refusal(described("<f4", "(2, 2, 4)", few)), "3 dimensions"));
}

TEST_CASE("a file cut anywhere is refused, and so is one with something behind the array") {
  const std::string whole = described("<f4", "(2, 2)", std::string(16, '\0'));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CHECK(npy_refusal(whole.substr(0, length)) != "nothing was refused");
  }
  CHECK(npy_refusal(whole) == "nothing was refused");
  CHECK(contains(npy_refusal(whole + "x"), "1 bytes follow"));
}

TEST_CASE("damaged headers are refused with the place of the damage") {
  CHECK(contains(npy_refusal("hello, world"), "begins with \"hello,\""));
  CHECK(contains(npy_refusal(npy("{'descr': '<f4'}", "")), "lacks one of"));
  CHECK(contains(npy_refusal(npy("{'descr' '<f4'}", "")), "character 10: expected ':'"));
  CHECK(contains(npy_refusal(npy("{'colour': 1}", "")), "unknown key \"colour\""));
  CHECK(contains(npy_refusal(npy("{'descr': '<f4", "")), "does not end"));
  CHECK(contains(npy_refusal(npy("{} x", "")), "closing brace"));
  CHECK(contains(npy_refusal(npy("{'fortran_order': 1}", "")), "True or False"));
  CHECK(contains(npy_refusal(npy("{}", "", '\4')), "version 4"));
}

TEST_CASE("what the writer writes, NumPy's layout included, the reader reads") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.npy";
  const std::vector<std::int16_t> first{1, -2, 3}, second{4, 5, -6};
  NpyWriter writer(path, DType::int16, {3, 2});
  writer.write<std::int16_t>(first);
  writer.write<std::int16_t>(second);
  CHECK_FALSE(std::filesystem::exists(path));
  writer.commit();

  const FileBytes bytes = map_file(path);
  CHECK(rows_of(read_npy(bytes)) == Rows{{1, -2}, {3, 4}, {5, -6}});
  CHECK(bytes.size() % 64 == 12);  // The numbers begin at a multiple of 64.
}

TEST_CASE("every type survives a round trip through the writer's header") {
  for (int i = 0; i <= static_cast<int>(DType::float64); ++i) {
    const auto dtype = static_cast<DType>(i);
    const std::string file = npy_header(dtype, {1}) + std::string(size_of(dtype), '\0');
    const Array array = read_npy(bytes_of(file));
    CHECK(array.dtype == dtype);
    CHECK_FALSE(array.byte_swapped);
  }
}

}  // namespace
}  // namespace hqe
