// SPDX-License-Identifier: MIT
// The ground that the readers stand on: mapped files, scratch, atomic files.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "hqe/files/atomic_file.h"
#include "hqe/files/mapped_file.h"
#include "hqe/files/scratch.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;

std::string refusal_of(const std::filesystem::path& path) {
  return refusal([&] { static_cast<void>(map_file(path)); });
}

TEST_CASE("a mapped file outlives its name") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "hello");
  std::filesystem::create_symlink(path, folder.path() / "link");
  const FileBytes bytes = map_file(folder.path() / "link");
  std::filesystem::remove(path);
  CHECK(std::string(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size()) == "hello");
}

TEST_CASE("what cannot be mapped is refused with the reason") {
  const TemporaryFolder folder;
  CHECK(contains(refusal_of(folder.path() / "missing"), "there is no such file"));
  CHECK(contains(refusal_of(folder.path()), "is a directory"));
  CHECK(contains(refusal_of(folder.write("empty", "")), "the file is empty"));
  CHECK(contains(refusal_of(folder.write("a", "x") / "b"), "not a directory"));
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK(contains(refusal_of(folder.path() / "pipe"), "not a regular file"));
  const auto secret = folder.write("secret", "x");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (::geteuid() != 0) {
    CHECK(contains(refusal_of(secret), "permission denied"));
  }
}

TEST_CASE("scratch gives back what was written, in memory or from a file") {
  for (const std::size_t limit : {std::size_t{0}, std::size_t{7}, std::size_t{1} << 20}) {
    CAPTURE(limit);
    std::string expected;
    FileBytes bytes;
    {
      Scratch scratch("test", limit);
      for (int i = 0; i < 10; ++i) {
        const std::string piece = std::to_string(i * 1000);
        expected += piece;
        scratch.append(std::as_bytes(std::span(piece)));
      }
      CHECK(scratch.size() == expected.size());
      CHECK(scratch.is_in_memory() == (limit > 100));
      bytes = scratch.finish();
    }
    CHECK(std::string(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size()) == expected);
  }
}

TEST_CASE("scratch is written at places of its own, in memory and in a file") {
  for (const std::size_t limit : {std::size_t{1000}, std::size_t{4}, std::size_t{12}}) {
    Scratch scratch("test", limit);
    const auto put = [&](std::uint64_t position, const std::string& text) {
      scratch.write_at(position, std::as_bytes(std::span(text)));
    };
    put(8, "cccc");
    put(0, "aaaa");
    put(4, "bbbb");
    put(10, "CC");
    put(12, "dddd");
    CHECK(scratch.size() == 16);
    const FileBytes bytes = scratch.finish();
    CHECK(bytes.text() == "aaaabbbbccCCdddd");
  }
}

TEST_CASE("scratch that expects more than memory holds begins in a file") {
  constexpr std::size_t limit = 100;
  for (const std::uint64_t expected : {std::uint64_t{limit}, std::uint64_t{limit} + 1}) {
    Scratch scratch("test", limit);
    scratch.expect(expected);
    CHECK(scratch.is_in_memory() == (expected == limit));
    const std::vector<std::byte> bytes(8, std::byte{7});
    scratch.append(bytes);
    CHECK(std::ranges::equal(scratch.finish().bytes, bytes));
  }
}

TEST_CASE("what scratch keeps in memory is limited for the whole process, and given back") {
  const std::string half(scratch_memory_limit / 2 + 1, 'x');
  for (int round = 0; round < 2; ++round) {
    Scratch first("test"), second("test");
    first.append(std::as_bytes(std::span(half)));
    const FileBytes kept = first.finish();
    second.append(std::as_bytes(std::span(half)));
    CHECK(first.is_in_memory());
    CHECK_FALSE(second.is_in_memory());
  }
}

TEST_CASE("an atomic file appears with commit, or leaves the old one untouched") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "old");
  {
    AtomicFile file(path);
    file.write("new");
    CHECK(content(path) == "old");
  }
  CHECK(content(path) == "old");
  AtomicFile file(path);
  file.write("ne");
  file.write("w");
  file.commit();
  CHECK(content(path) == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()),
                      std::filesystem::directory_iterator()) == 1);
}

TEST_CASE("an atomic file keeps links, and writes to a device without replacing it") {
  const TemporaryFolder folder;
  folder.write("a", "old");
  std::filesystem::create_symlink("a", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  CHECK(std::filesystem::is_symlink(folder.path() / "link"));
  CHECK(content(folder.path() / "a") == "new");
  write_file("/dev/null", "nothing");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a place that cannot be written is refused") {
  const TemporaryFolder folder;
  CHECK(contains(refusal([&] { write_file(folder.path(), "x"); }), "is a folder"));
  CHECK(contains(refusal([&] { write_file(folder.path() / "b" / "c", "x"); }),
                 "no such file or directory"));
  CHECK(contains(refusal([] { write_file("/dev/full", "x"); }), "Free some space"));
}

}  // namespace
}  // namespace hqe
