// SPDX-License-Identifier: MIT
// What it writes is read back in formats/npy_test.cpp.
#include "hqe/files/npy_writer.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;

TEST_CASE("the writer refuses to publish other numbers than it promised") {
  const TemporaryFolder folder;
  NpyWriter writer(folder.path() / "a.npy", DType::float32, {2});
  const std::vector<float> one{1};
  const std::vector<double> doubles{1};
  writer.write<float>(one);
  CHECK_THROWS_AS(writer.commit(), std::logic_error);
  CHECK_THROWS_AS(writer.write<double>(doubles), std::logic_error);
  writer.write<float>(one);
  CHECK_THROWS_AS(writer.write<float>(one), std::logic_error);
}

}  // namespace
}  // namespace hqe
