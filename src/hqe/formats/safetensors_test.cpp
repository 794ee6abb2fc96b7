// SPDX-License-Identifier: MIT
#include "hqe/formats/safetensors.h"

#include <doctest/doctest.h>

#include "tests/support/io.h"
#include "tests/support/zip_builder.h"

namespace hqe {
namespace {

using namespace testing;
using Rows = std::vector<std::vector<double>>;

std::string file_of(const std::string& header, const std::string& data) {
  return little_endian(header.size(), 8) + header + data;
}

std::string safetensors_refusal(const std::string& file) {
  return refusal([&] {
    for (const Member& member : read_safetensors(bytes_of(file))) {
      static_cast<void>(member.read());
    }
  });
}

std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"predictions":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}}";
}

TEST_CASE("tensors are found by name, metadata are not tensors") {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"labels":{"dtype":"I64","shape":[2],"data_offsets":[8,24]},)"
      R"("predictions":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]}})";
  const std::string data =
      std::string("\x80\x3f\0\0\0\0\x80\x3f", 8) + little_endian(0, 8) + little_endian(1, 8);
  const auto members = read_safetensors(bytes_of(file_of(header, data)));

  REQUIRE(members.size() == 2);
  CHECK(members[0].name == "labels");
  CHECK(rows_of(members[0].read()) == Rows{{0}, {1}});
  CHECK(members[1].name == "predictions");
  CHECK(rows_of(members[1].read()) == Rows{{1, 0}, {0, 1}});
}

TEST_CASE("every type of the format that is a plain number is read") {
  for (const auto& [word, width] : {std::pair{"BOOL", 1},
                                    {"I8", 1},
                                    {"U8", 1},
                                    {"I16", 2},
                                    {"U16", 2},
                                    {"F16", 2},
                                    {"BF16", 2},
                                    {"I32", 4},
                                    {"U32", 4},
                                    {"F32", 4},
                                    {"I64", 8},
                                    {"U64", 8},
                                    {"F64", 8}}) {
    CAPTURE(word);
    const std::string header = tensor(word, "[1]", "[0," + std::to_string(width) + "]");
    CHECK(rows_of(read_safetensors(bytes_of(file_of(header, std::string(8, '\0')))).at(0).read()) ==
          Rows{{0}});
  }
  CHECK(contains(safetensors_refusal(file_of(tensor("F8_E4M3", "[1]", "[0,1]"), "1")),
                 "unsupported type \"F8_E4M3\""));
}

TEST_CASE("headers that lie are refused") {
  const std::string data(16, '\0');
  CHECK(contains(safetensors_refusal(file_of(tensor("F32", "[1099511627776]", "[0,16]"), data)),
                 "do not fit"));
  CHECK(contains(safetensors_refusal(file_of(tensor("F32", "[5]", "[0,20]"), data)), "cut short"));
  CHECK(contains(safetensors_refusal(file_of(tensor("F32", "[4]", "[16,0]"), data)), "do not fit"));
  CHECK(contains(safetensors_refusal(file_of(tensor("F32", "[4]", "[-4,12]"), data)), "no size"));
  CHECK(contains(
      safetensors_refusal(file_of(tensor("F32", "[18446744073709551615]", "[0,16]"), data)),
      "no size"));
  CHECK(contains(
      safetensors_refusal(file_of(tensor("F32", "[4611686018427387904,4]", "[0,0]"), data)),
      "do not fit"));
  CHECK(contains(safetensors_refusal(file_of(tensor("F32", "[]", "[0,4]"), data)), "0 dimensions"));
  CHECK(contains(safetensors_refusal(little_endian(1ULL << 40, 8) + "{}"),
                 "claims 1099511627776 bytes"));
}

TEST_CASE("what is not a header is refused") {
  CHECK(contains(safetensors_refusal("short"), "cut short"));
  CHECK(contains(safetensors_refusal(file_of("{}", "")), "no tensor"));
  CHECK(contains(safetensors_refusal(file_of("[]", "")), "not a JSON object"));
  CHECK(contains(safetensors_refusal(file_of("{\"a\":", "")), "not valid JSON"));
  CHECK(contains(safetensors_refusal(file_of("{\"a\":1}", "")), "not a JSON object"));
  CHECK(contains(safetensors_refusal(file_of("{\"a\":{}}", "")), "no dtype"));
  CHECK(contains(safetensors_refusal(file_of("{\"a\":{},\"a\":{}}", "")), "\"a\" occurs twice"));
  CHECK(contains(safetensors_refusal(file_of(std::string(10'000, '['), "")), "nested too deeply"));
}

}  // namespace
}  // namespace hqe
