// SPDX-License-Identifier: MIT
// Where results go: names, links, modes, and files that must not be written.
#include "hqe/files/atomic_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "hqe/files/output_place.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

namespace fs = std::filesystem;
using namespace testing;

std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

std::string output_refusal(const fs::path& path) {
  std::string said = "nothing was refused";
  try {
    check_output(path);
  } catch (const OutputError& error) {
    said = error.what();
  }
  try {
    write_file(path, "x");
  } catch (const OutputError& error) {
    CHECK(said == error.what());
  }
  return said;
}

std::string same_file_refusal(const std::vector<std::string>& outputs,
                              const std::vector<std::string>& inputs) {
  try {
    check_outputs(outputs, inputs);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST_CASE("a name as long as the file system allows can be written") {
  const TemporaryFolder folder;
  const std::string longest(255, 'n');
  write_file(folder.path() / longest, "whole");
  CHECK(content(folder.path() / longest) == "whole");
  CHECK(contains(output_refusal(folder.path() / (longest + "n")), "file name too long"));
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a link stays, also one to nothing yet; links in a circle are refused") {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("second", folder.path() / "first");
  fs::create_symlink("sub/target", folder.path() / "second");
  for (const char* text : {"one", "two"}) {
    write_file(folder.path() / "first", text);
    CHECK(content(folder.path() / "sub" / "target") == text);
  }
  CHECK(fs::is_symlink(folder.path() / "first"));
  CHECK(fs::is_symlink(folder.path() / "second"));
  CHECK(entries(folder.path()) == 3);
  CHECK(entries(folder.path() / "sub") == 1);
  fs::create_symlink("loop", folder.path() / "loop");
  CHECK(contains(output_refusal(folder.path() / "loop"), "links lead in a circle"));
  CHECK(fs::is_symlink(folder.path() / "loop"));
  fs::create_symlink("missing/x", folder.path() / "lost");
  CHECK(contains(output_refusal(folder.path() / "lost"), "no such file or directory"));
  CHECK(fs::is_symlink(folder.path() / "lost"));
}

TEST_CASE("the mode of a file that is replaced stays, and its owner where that is allowed") {
  const TemporaryFolder folder;
  for (const mode_t mode : {0600U, 0640U, 0664U, 0755U}) {
    const auto path = folder.write("a", "old");
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    const bool is_root = ::geteuid() == 0;
    if (is_root) REQUIRE(::chown(path.c_str(), 12, 34) == 0);
    write_file(path, "new");
    struct stat status{};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == mode);
    CHECK(content(path) == "new");
    if (is_root) CHECK((status.st_uid == 12 && status.st_gid == 34));
    fs::remove(path);
  }
}

TEST_CASE("an output that is an input is refused, whatever it is called") {
  const TemporaryFolder folder;
  const std::string input = folder.write("in", "x").string();
  const auto at = [&](const char* name) { return (folder.path() / name).string(); };
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("in", at("link"));
  fs::create_hard_link(input, at("hard"));
  for (const std::string& output : {input, at("link"), at("hard"), at("sub/../in"), at("./in")}) {
    CAPTURE(output);
    CHECK(contains(same_file_refusal({output}, {at("other"), input}), "is read, and would be"));
  }
  folder.write("out", "x");
  CHECK(same_file_refusal({at("out"), at("new")}, {input}) == "nothing was refused");
  CHECK(same_file_refusal({}, {input}) == "nothing was refused");
}

TEST_CASE("two outputs that are one file are refused, also before it is there") {
  const TemporaryFolder folder;
  const auto at = [&](const char* name) { return (folder.path() / name).string(); };
  fs::create_directory_symlink(folder.path(), at("same"));
  fs::create_symlink("new", at("link"));
  for (const std::string& second : {at("new"), at("same/new"), at("link"), at("./new")}) {
    CAPTURE(second);
    CHECK(contains(same_file_refusal({at("new"), second}, {}), "two results"));
  }
  CHECK(same_file_refusal({at("new"), at("newer")}, {}) == "nothing was refused");
  CHECK(same_file_refusal({"/dev/null", "/dev/null"}, {}) == "nothing was refused");
}

TEST_CASE("a write that waits for a reader ends when its check throws") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  int asked = 0;
  const auto lose_patience = [&asked] {
    if (++asked > 30) throw Cancelled("enough");
  };
  CHECK_THROWS_AS(write_file(pipe, "x", lose_patience), Cancelled);  // Nobody opens it.
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  asked = 0;
  CHECK_THROWS_AS(write_file(pipe, std::string(1 << 20, 'x'), lose_patience), Cancelled);
  ::close(reader);
  std::string read;
  std::jthread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    read = content(pipe);
  });
  write_file(pipe, std::string(1 << 20, 'y'));
  late.join();
  CHECK(read == std::string(1 << 20, 'y'));
}

}  // namespace
}  // namespace hqe
