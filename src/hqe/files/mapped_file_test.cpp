// SPDX-License-Identifier: MIT
// Files that change while they are mapped.
#include "hqe/files/mapped_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <span>
#include <thread>
#include <vector>

#include "hqe/predictions/copied_rows.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;

const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

std::string refusal_of(const FileBytes& bytes) {
  return refusal([&] { bytes.witness->check(); });
}

/// Later than what is there, by the clock of the file system.
void make_newer(const std::filesystem::path& path) {
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
}

std::size_t count_of(const FileBytes& bytes, char wanted) {
  return static_cast<std::size_t>(std::ranges::count(bytes.text(), wanted));
}

TEST_CASE("a file cut short while it is mapped reads as zeros, and its witness says so") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", std::string(5 * page + 100, 'x'));
  const auto other = folder.write("b", std::string(5 * page, 'y'));
  const FileBytes bytes = map_file(path), whole = map_file(other);
  CHECK(count_of(bytes, 'x') == bytes.size());
  bytes.witness->check();
  std::filesystem::resize_file(path, 2 * page);
  CHECK(count_of(bytes, 'x') == 2 * page);
  CHECK(count_of(bytes, '\0') == 3 * page + 100);
  CHECK(contains(refusal_of(bytes), path.string() + ": was cut short while it was read"));
  CHECK(contains(refusal_of(bytes.part(0, 1)), "was cut short"));
  CHECK(count_of(whole, 'y') == whole.size());
  whole.witness->check();
}

const Lender& lender_of(const FileBytes& bytes) {
  return dynamic_cast<const Lender&>(*bytes.witness);
}

std::string copied(const FileBytes& bytes, std::size_t offset, std::size_t length) {
  std::string text(length, '?');
  lender_of(bytes).copy(bytes.bytes.data() + offset, std::as_writable_bytes(std::span(text)));
  return text;
}

TEST_CASE("bytes of a large file are copied as they lie, and are 0 where it was cut short") {
  constexpr std::size_t size = (std::size_t{1} << 20) + 300;
  std::string text(size, 'x');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * i % 23);
  const TemporaryFolder folder;
  const auto path = folder.write("a", text);
  const FileBytes bytes = map_file(path);
  REQUIRE(lender_of(bytes).can_copy());
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, page - 1, size - 500}) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{500}}) {
      CHECK(copied(bytes, offset, length) == text.substr(offset, length));
    }
  }
  CHECK(copied(bytes, 0, size) == text);
  bytes.witness->check();
  std::filesystem::resize_file(path, 2 * page);
  const std::string cut = copied(bytes, page, 3 * page);
  CHECK(cut == text.substr(page, page) + std::string(2 * page, '\0'));
  CHECK(contains(refusal_of(bytes), path.string() + ": was cut short while it was read"));
}

TEST_CASE("what is mapped already is not copied, whatever becomes of its pages") {
  const TemporaryFolder folder;
  const FileBytes bytes = map_file(folder.write("a", std::string(3 << 20, 'x')));
  CHECK(count_of(bytes, 'x') == bytes.size());
  for (int time = 0; time < 2; ++time) {
    CHECK_FALSE(lender_of(bytes).is_cheaper_copied());
    give_back(bytes, 0, bytes.size());
  }
}

TEST_CASE("the way in which a file is better read stays the same while it is read") {
  // In memory, where files are kept in single pages unless the kernel is told otherwise.
  const int memory = ::memfd_create("file", MFD_CLOEXEC);
  REQUIRE(::ftruncate(memory, 3 << 20) == 0);
  const FileBytes bytes = map_file("/proc/self/fd/" + std::to_string(memory));
  ::close(memory);
  const bool is_copied = lender_of(bytes).is_cheaper_copied();
  CHECK(count_of(bytes, '\0') == bytes.size());
  CHECK(lender_of(bytes).is_cheaper_copied() == is_copied);
}

TEST_CASE("small files and those after many others keep no descriptor open") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "x");
  CHECK_FALSE(lender_of(map_file(path)).can_copy());
  std::filesystem::resize_file(path, std::size_t{1} << 20);
  for (int time = 0; time < 2; ++time) {
    std::vector<FileBytes> files;
    for (int i = 0; i < 70; ++i) files.push_back(map_file(path));
    const auto can_copy = [](const FileBytes& bytes) { return lender_of(bytes).can_copy(); };
    CHECK(std::ranges::count_if(files, can_copy) == 64);
    CHECK(can_copy(files.front()));
    CHECK_FALSE(can_copy(files.back()));
  }
}

TEST_CASE("a file that shrinks within its last page, grows or is written again has changed") {
  const TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{150}, std::size_t{5000}}) {
    const auto path = folder.write("a", std::string(200, 'x'));
    const FileBytes bytes = map_file(path);
    bytes.witness->check();
    std::filesystem::resize_file(path, size);
    const char* const what = size < 200 ? ": was cut short" : ": was changed";
    CHECK(contains(refusal_of(bytes), path.string() + what + " after it was opened"));
  }
  const auto path = folder.write("a", "old");
  const FileBytes bytes = map_file(path);
  folder.write("a", "new");
  make_newer(path);
  CHECK(contains(refusal_of(bytes), "was changed"));
}

TEST_CASE("a file that was removed or replaced is still the one that was opened") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "old");
  const FileBytes bytes = map_file(path);
  std::filesystem::rename(folder.write("b", "newer"), path);
  CHECK(bytes.text() == "old");
  bytes.witness->check();
  std::filesystem::remove(path);
  bytes.witness->check();
}

TEST_CASE("many threads may meet the end of many files at once") {
  const TemporaryFolder folder;
  for (int round = 0; round < 20; ++round) {
    std::vector<FileBytes> files;
    for (int i = 0; i < 8; ++i) {
      const auto path = folder.write(std::to_string(i), std::string(16 * page, 'x'));
      files.push_back(map_file(path));
      if (i % 2 == 0) std::filesystem::resize_file(path, page);
    }
    {
      std::vector<std::jthread> readers;
      for (int reader = 0; reader < 4; ++reader) {
        readers.emplace_back([&files] {
          for (const FileBytes& file : files) static_cast<void>(count_of(file, 'x'));
        });
      }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      CHECK(count_of(files[i], 'x') == (i % 2 == 0 ? page : 16 * page));
      CHECK(contains(refusal_of(files[i]), i % 2 == 0 ? "was cut short" : "nothing was refused"));
    }
  }
}

/// Ends as the signal would have ended it; a sanitizer's own handler may exit instead.
TEST_CASE("a bus error that is not about one of our files is not survived") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", std::string(2 * page, 'x'));
  const FileBytes ours = map_file(path);  // The handler is installed.
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int silence = ::open("/dev/null", O_WRONLY);
    ::dup2(silence, STDERR_FILENO);
    const auto stranger = folder.path() / "stranger";
    const int file = ::open(stranger.c_str(), O_RDWR | O_CREAT, 0600);
    if (::ftruncate(file, static_cast<off_t>(page)) != 0) ::_exit(7);
    void* const memory = ::mmap(nullptr, page, PROT_READ, MAP_SHARED, file, 0);
    if (::ftruncate(file, 0) != 0) ::_exit(7);
    const volatile char* const byte = static_cast<const char*>(memory);
    [[maybe_unused]] const char read = *byte;
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  const bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS;
  const bool was_reported = WIFEXITED(status) && WEXITSTATUS(status) == 1;
#ifdef HQE_SANITIZED
  CHECK((was_killed || was_reported));
#else
  CHECK(was_killed);
  CHECK_FALSE(was_reported);
#endif
}

}  // namespace
}  // namespace hqe
