// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "hqe/formats/open_pool.h"
#include "hqe/synth/synth.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;

std::vector<double> numbers_of(const Array& array) {
  std::vector<double> all(static_cast<std::size_t>(array.rows() * array.columns()));
  const auto columns = static_cast<std::size_t>(array.columns());
  for (std::size_t row = 0; row < static_cast<std::size_t>(array.rows()); ++row) {
    read_row(array, static_cast<std::int64_t>(row), std::span(all).subspan(row * columns, columns));
  }
  return all;
}

TEST_CASE("a written pool is the one in memory, for any number of threads") {
  for (const Kind kind : all_kinds) {
    const SynthOptions options{
        .model_count = 3, .sample_count = 1000, .class_count = 50, .kind = kind, .seed = 3};
    const Pool expected = synthetic_pool(options, {.threads = 1});
    for (const int threads : {1, 2, 7}) {
      const TemporaryFolder parent;
      const auto folder = parent.path() / "pool";
      write_synthetic_pool(folder, options, {.threads = threads});
      const Pool written = open_pool({.folder = folder});
      CHECK(written.kind == kind);
      CHECK(written.name == "synth-3x1000x50");
      CHECK(numbers_of(written.truth) == numbers_of(expected.truth));
      for (std::size_t m = 0; m < 3; ++m) {
        CHECK(written.models[m].name == expected.models[m].name);
        CHECK(numbers_of(written.models[m].predictions) ==
              numbers_of(expected.models[m].predictions));
      }
    }
  }
}

}  // namespace
}  // namespace hqe
