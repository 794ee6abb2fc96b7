// SPDX-License-Identifier: MIT
// What readers and verbs say of files that change while they are mapped.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "hqe/documents/json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/files/npy_writer.h"
#include "hqe/formats/open_pool.h"
#include "hqe/saved/saved.h"
#include "hqe/verbs/verbs.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;

const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

TEST_CASE("what a reader stumbled over in a file cut short is not what is said") {
  const TemporaryFolder folder;
  const auto path = folder.write("study.json", "{" + std::string(3 * page, ' ') + "}");
  const FileBytes bytes = map_file(path);
  std::filesystem::resize_file(path, page);
  CHECK(contains(refusal([&] { static_cast<void>(read_document(bytes, study_from_json)); }),
                 "study.json: was cut short while it was read"));
}

/// A folder of three models and labels, all of them right.
std::filesystem::path pool_folder(const TemporaryFolder& folder) {
  std::vector<std::int32_t> labels(40000, 1);
  labels.front() = 0;  // Classes that begin elsewhere are numbered anew, in memory.
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
