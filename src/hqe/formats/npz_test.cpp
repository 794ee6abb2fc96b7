// SPDX-License-Identifier: MIT
#include "hqe/formats/npz.h"

#include <doctest/doctest.h>

#include "hqe/files/npy_writer.h"
#include "tests/support/io.h"
#include "tests/support/zip_builder.h"

namespace hqe {
namespace {

using namespace testing;
using Rows = std::vector<std::vector<double>>;

TEST_CASE("both kinds of .npz hold the same arrays") {
  for (const char* name : {"stored.npz", "compressed.npz"}) {
    const auto members = read_npz(map_file(HQE_FIXTURES_DIR "/numpy/" + std::string(name)));
    REQUIRE(members.size() == 2);
    CHECK(members[0].name == "predictions");
    CHECK(rows_of(members[0].read())[3] == std::vector{0.75, 0.125, 0.125});
    CHECK(members[1].name == "labels");
    CHECK(rows_of(members[1].read()) == Rows{{2}, {0}, {1}, {0}});
  }
}

TEST_CASE("a compressed array is believed only if its header and the archive agree") {
  const std::string array = npy_header(DType::float32, {1'000'000, 1000}) + std::string(4000, '\0');
  const auto members = read_npz(bytes_of(make_zip({{"a.npy", array, true}})));
  CHECK(contains(refusal([&] { static_cast<void>(members[0].read()); }),
                 "the archive promises 4128 bytes, but the array of shape (1000000, 1000)"));
}

TEST_CASE("an archive without arrays is refused") {
  CHECK(contains(refusal([] { static_cast<void>(read_npz(bytes_of(make_zip({{"a", "b"}})))); }),
                 "no .npy array among its 1 entries"));
}

}  // namespace
}  // namespace hqe
