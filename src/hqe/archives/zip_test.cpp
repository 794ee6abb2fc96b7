// SPDX-License-Identifier: MIT
#include "hqe/archives/zip.h"

#include <doctest/doctest.h>

#include "tests/support/io.h"
#include "tests/support/zip_builder.h"

namespace hqe {
namespace {

using namespace testing;

std::string text_of(const FileBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size()};
}

std::string zip_refusal(const std::string& archive) {
  return refusal([&] {
    const ZipFile zip(bytes_of(archive));
    for (const ZipEntry& entry : zip.entries()) static_cast<void>(zip.read(entry));
  });
}

const std::string poem(100'000, 'a');

TEST_CASE("stored entries stay where they lie, deflated ones are unpacked") {
  for (const bool zip64 : {false, true}) {
    const FileBytes bytes =
        bytes_of(make_zip({{"a", "stored"}, {"b", poem, true}, {"empty", "", true}}, zip64));
    const ZipFile zip(bytes);
    REQUIRE(zip.entries().size() == 3);
    const FileBytes stored = zip.read(*zip.find("a"));
    CHECK(text_of(stored) == "stored");
    CHECK(stored.bytes.data() > bytes.bytes.data());
    CHECK(stored.bytes.data() < bytes.bytes.data() + bytes.size());
    CHECK(text_of(zip.read(*zip.find("b"))) == poem);
    CHECK(text_of(zip.read_start(*zip.find("b"), 3)) == "aaa");
    CHECK(zip.read(*zip.find("empty")).size() == 0);
    CHECK(zip.find("c") == nullptr);
  }
}

TEST_CASE("a comment at the end, even one that looks like a directory, is skipped") {
  std::string archive = make_zip({{"a", "stored"}});
  const std::string comment = "PK\5\6 is not the end";
  archive[archive.size() - 2] = static_cast<char>(comment.size());
  CHECK(ZipFile(bytes_of(archive + comment)).entries().size() == 1);
}

TEST_CASE("an archive that lies about a size is refused") {
  CHECK(contains(zip_refusal(make_zip({{"a", poem, true, 99'999}})), "more than the 99999 bytes"));
  CHECK(contains(zip_refusal(make_zip({{"a", poem, true, 100'001}})),
                 "unpacks to 100000 bytes, but claims 100001"));
  CHECK(contains(zip_refusal(make_zip({{"a", poem, true, 0xFFFFFFF0}})), "more than deflate can"));
  CHECK(contains(zip_refusal(make_zip({{"a", "abc", false, 4}})), "two sizes differ"));
}

TEST_CASE("a zip bomb is refused before it is unpacked") {
  const std::string zeros(std::size_t{70} << 20, '\0');
  CHECK(contains(zip_refusal(make_zip({{"a", zeros, true}})), "zip bomb"));
  CHECK(contains(zip_refusal(make_zip({{"a", "abc"}, {"b", "abc", false, {}, true}})), "overlaps"));
}

TEST_CASE("what we cannot unpack is named") {
  CHECK(contains(zip_refusal(make_zip({{.name = "a", .data = "abc", .method = 14}})), "method 14"));
  CHECK(contains(zip_refusal(make_zip({{.name = "a", .data = "abc", .flags = 1}})), "encrypted"));
  CHECK(
      contains(zip_refusal(make_zip({{.name = "a", .data = poem, .deflate = true, .checksum = 1}})),
               "checksum"));
  CHECK(
      contains(zip_refusal(make_zip({{.name = "a", .data = "\xFF\xFF", .method = 8}})), "damaged"));
  CHECK(contains(zip_refusal(make_zip({{"a", "1"}, {"a", "2"}})), "occurs twice"));
  CHECK(contains(zip_refusal("Rar!\x1a\x07"), "begins with \"Rar!\""));
}

TEST_CASE("an archive cut anywhere is refused") {
  const std::string whole = make_zip({{"a", "stored"}, {"b", "deflated", true}});
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CHECK(zip_refusal(whole.substr(0, length)) != "nothing was refused");
  }
  CHECK(zip_refusal(whole) == "nothing was refused");
}

}  // namespace
}  // namespace hqe
