// SPDX-License-Identifier: MIT
// Files that change while they are mapped.
#include "hqe/io/mapped_file.h"

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
#include <thread>

#include "hqe/io/json.h"
#include "hqe/io/npy_writer.h"
#include "hqe/io/open_pool.h"
#include "hqe/study/verbs.h"
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

TEST_CASE("a file that shrinks within its last page, grows or is written again has changed") {
  const TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{150}, std::size_t{5000}}) {
    const auto path = folder.write("a", std::string(200, 'x'));
    const FileBytes bytes = map_file(path);
    bytes.witness->check();
    std::filesystem::resize_file(path, size);
    CHECK(contains(refusal_of(bytes), path.string() + ": was changed after it was opened"));
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

TEST_CASE("what a reader stumbled over in a file cut short is not what is said") {
  const TemporaryFolder folder;
  const auto path = folder.write("study.json", "{" + std::string(3 * page, ' ') + "}");
  const FileBytes bytes = map_file(path);
  std::filesystem::resize_file(path, page);
  CHECK(contains(refusal([&] { static_cast<void>(read_document(bytes, study_from_json)); }),
                 "study.json: was cut short while it was read"));
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

/// A folder of three models and labels, all of them right.
std::filesystem::path pool_folder(const TemporaryFolder& folder) {
  const std::vector<std::int32_t> labels(40000, 1);
  for (const char* name : {"labels", "a", "b", "c"}) {
    NpyWriter file(folder.path() / (std::string(name) + ".npy"), DType::int32, {40000});
    file.write<std::int32_t>(labels);
    file.commit();
  }
  return folder.path();
}

TEST_CASE("no verb answers from a model's file that was cut short") {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& what, const auto& verb) {
    CAPTURE(what);
    const Pool pool = open_pool({.folder = pool_folder(folder)});
    std::filesystem::resize_file(folder.path() / "b.npy", page);
    CHECK(contains(refusal([&] { verb(pool); }), "b.npy: was cut short while it was read"));
    CHECK(contains(refusal([&] { verb(pool); }), "b.npy: was cut short while it was read"));
  };
  refuses("inspect", [](const Pool& pool) { static_cast<void>(inspect(pool)); });
  refuses("score",
          [](const Pool& pool) { static_cast<void>(score(pool, {.size_min = 2, .size_max = 2})); });
  refuses("evaluate", [](const Pool& pool) { static_cast<void>(evaluate(pool, {})); });
  refuses("prune", [](const Pool& pool) { static_cast<void>(prune(pool, {.size = 2})); });
  refuses("explain",
          [](const Pool& pool) { static_cast<void>(explain(pool, {Team({0, 1})}, {.size = 2})); });
  refuses("sweep", [](const Pool& pool) { static_cast<void>(sweep(pool, {2}, {0.1}, {})); });
  refuses("apply", [](const Pool& pool) { static_cast<void>(apply(pool, Team({0, 1}), {})); });
}

TEST_CASE("a pool keeps the labels that it was opened with") {
  const TemporaryFolder folder;
  const Pool pool = open_pool({.folder = pool_folder(folder)});
  std::filesystem::resize_file(folder.path() / "labels.npy", page);
  CHECK(pool.true_label(39999) == 1);
  CHECK(inspect(pool).correct_max == 40000);
}

}  // namespace
}  // namespace hqe
