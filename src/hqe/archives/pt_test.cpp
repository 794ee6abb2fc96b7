// SPDX-License-Identifier: MIT
// The files of tests/fixtures/pt were written by torch itself (scripts/make-fixtures).
#include "hqe/archives/pt.h"

#include <doctest/doctest.h>

#include <map>

#include "tests/support/io.h"
#include "tests/support/torch_builder.h"

namespace hqe {
namespace {

using namespace testing;
using Rows = std::vector<std::vector<double>>;

const Rows probabilities{
    {0.125, 0.25, 0.625}, {0.5, 0.375, 0.125}, {0, 1, 0}, {0.75, 0.125, 0.125}};
const Rows labels{{2}, {0}, {1}, {0}};

FileBytes fixture(const std::string& name) { return map_file(HQE_FIXTURES_DIR "/pt/" + name); }

std::string pt_refusal(const FileBytes& bytes) {
  return refusal([&] {
    for (const Member& member : read_pt(bytes)) static_cast<void>(member.read());
  });
}

// A pickle in the archive that torch would put around it, with a storage "0" of twelve floats.
FileBytes archive(const std::string& pickle) {
  return bytes_of(make_zip({{"a/data.pkl", pickle}, {"a/data/0", std::string(48, '\0')}}));
}

// The refusal of a matrix over that storage with any claims.
std::string pt_refusal(std::int64_t offset, std::vector<std::int64_t> shape,
                       std::vector<std::int64_t> strides, std::int64_t elements = 12) {
  const TorchTensor tensor{
      .elements = elements, .offset = offset, .shape = shape, .strides = strides};
  return pt_refusal(archive("\x80\x02" + pickled(tensor) + "."));
}

TEST_CASE("a bare tensor of every float type is read exactly, wherever it was saved") {
  for (const char* name :
       {"float16.pt", "bfloat16.pt", "float32.pt", "float64.pt", "transposed.pt", "sliced.pt",
        "protocol4.pt", "big_endian.pt", "little_endian.pt", "compressed.pt", "views.pt"}) {
    CAPTURE(name);
    const auto members = read_pt(fixture(name));
    REQUIRE(members.size() == 1);
    CHECK(members[0].name.empty());
    CHECK(rows_of(members[0].read()) == probabilities);
  }
}

TEST_CASE("a bare tensor of every integer type is read exactly") {
  for (const char* name :
       {"uint8.pt", "int8.pt", "int16.pt", "int32.pt", "int64.pt", "uint16.pt"}) {
    CAPTURE(name);
    CHECK(rows_of(read_pt(fixture(name)).at(0).read()) == labels);
  }
  CHECK(rows_of(read_pt(fixture("bool.pt")).at(0).read()) == Rows{{0}, {1}, {0}, {1}});
}

TEST_CASE("the authors' dict gives predictions and labels, whole or in pieces") {
  for (const char* name : {"authors.pt", "batches.pt", "samples.pt"}) {
    CAPTURE(name);
    const auto members = read_pt(fixture(name));
    REQUIRE(members.size() == 2);
    CHECK(members[0].name == "predictionVectors");
    CHECK(rows_of(members[0].read()) == probabilities);
    CHECK(members[1].name == "labelVectors");
    CHECK(rows_of(members[1].read()) == labels);
  }
}

TEST_CASE("pieces that lie behind each other are not copied") {
  const FileBytes bytes = fixture("views.pt");
  const Array array = read_pt(bytes).at(0).read();
  CHECK(array.data > bytes.bytes.data());
  CHECK(array.data < bytes.bytes.data() + bytes.size());
}

TEST_CASE("a parameter is its tensor, and values that are no tensors are left out") {
  const auto members = read_pt(fixture("parameter.pt"));
  REQUIRE(members.size() == 1);
  CHECK(members[0].name == "predictionVectors");
  CHECK(rows_of(members[0].read()) == probabilities);
}

TEST_CASE("an expanded tensor repeats its row") {
  CHECK(rows_of(read_pt(fixture("expanded.pt")).at(0).read()) == Rows(4, probabilities[0]));
}

TEST_CASE("what must not be loaded is refused with the reason") {
  const std::map<std::string, std::string> reasons{
      {"legacy.pt", "legacy format"},
      {"foreign.pt", "\"posix.system\""},
      {"numpy.pt", "numpy.core.multiarray._reconstruct"},
      {"module.pt", "torch.nn.modules.linear.Linear"},
      {"complex.pt", "torch.ComplexFloatStorage"},
      {"no_tensor.pt", "no tensor"},
  };
  for (const auto& [name, reason] : reasons) {
    CAPTURE(name);
    CHECK(contains(pt_refusal(fixture(name)), reason));
  }
  CHECK(contains(pt_refusal(bytes_of("hello")), "begins with \"hell\""));
  CHECK(contains(pt_refusal(bytes_of(make_zip({{"a/b", "c"}}))), "without data.pkl"));
  CHECK(contains(pt_refusal(bytes_of(make_zip({{"a/data.pkl", "."}, {"a/constants.pkl", "."}}))),
                 "TorchScript"));
}

TEST_CASE("a tensor cannot reach outside its storage") {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  CHECK(pt_refusal(0, {4, 3}, {3, 1}) == "nothing was refused");
  CHECK(pt_refusal(11, {4, 3}, {-3, -1}) == "nothing was refused");
  CHECK(contains(pt_refusal(1, {4, 3}, {3, 1}), "promises"));
  CHECK(contains(pt_refusal(10, {4, 3}, {-3, -1}), "promises"));
  CHECK(contains(pt_refusal(-1, {4, 3}, {3, 1}), "reaches outside"));
  CHECK(
      contains(pt_refusal(0, {4, 3}, {4, 1}), "with strides (4, 1) reaches outside its 48 bytes"));
  CHECK(contains(pt_refusal(0, {1 << 30, 3}, {3, 1}), "promises"));
  CHECK(contains(pt_refusal(0, {4, 3}, {huge, 1}), "reaches outside"));
  CHECK(contains(pt_refusal(0, {huge, 3}, {3, 1}), "promises"));
  CHECK(contains(pt_refusal(huge, {4, 3}, {3, 1}), "beyond its storage"));
  CHECK(contains(pt_refusal(0, {4, 3}, {3, 1}, 13), "has 48 bytes, but should have 52"));
  CHECK(contains(pt_refusal(0, {4, 3}, {3}), "more sizes than strides"));
}

TEST_CASE("a few bytes cannot stand for a huge array") {
  CHECK(contains(pt_refusal(0, {1 << 30, 3}, {0, 1}), "its numbers repeated"));
  // A list that names one tensor again and again, which alone would do.
  const TorchTensor repeated{.elements = 12, .shape = {4000, 3}, .strides = {0, 1}};
  CHECK(pt_refusal(0, repeated.shape, repeated.strides) == "nothing was refused");
  std::string list = "\x80\x02](" + pickled(repeated) + "q\x01";
  for (int i = 0; i < 1999; ++i) list += "h\x01";
  const std::string refused = pt_refusal(archive(list + "e."));
  CHECK(contains(refused, "8000000"));
  CHECK(contains(refused, "its numbers repeated"));
}

TEST_CASE("a list of tensors that do not fit together is refused") {
  const std::string list =
      "\x80\x02](" + pickled(TorchTensor{.elements = 12, .shape = {4, 3}, .strides = {3, 1}}) +
      pickled(TorchTensor{.elements = 12, .shape = {4, 2}, .strides = {3, 1}}) + "e.";
  CHECK(contains(pt_refusal(archive(list)), "tensor[1]: 2 numbers of type float32 a sample"));
}

TEST_CASE("a damaged pickle is refused with the place of the damage") {
  const auto refused = [](const std::string& pickle) { return pt_refusal(archive(pickle)); };
  CHECK(contains(refused("\x80\x02"), "byte 2 of its pickle: the pickle ends too early"));
  CHECK(contains(refused("\x80\x01."), "protocol 1"));
  CHECK(contains(refused("\x80\x02."), "a value is missing"));
  CHECK(contains(refused("\x80\x02t."), "a mark is missing"));
  CHECK(contains(refused("\x80\x02\xFF."), "unknown operation \\xff"));
  CHECK(contains(refused("\x80\x02h\x05."), "the memo 5 was never set"));
  CHECK(contains(refused("\x80\x02}(K\x01u."), "a key without a value"));
  CHECK(contains(refused("\x80\x02K\x01K\x02"
                         "a."),
                 "no container"));
  CHECK(contains(refused("\x80\x02K\x01)R."), "no function"));
  CHECK(contains(refused("\x80\x02X\xFF\xFF\xFF\xFF."), "ends too early"));
  CHECK(contains(refused("\x80\x02"
                         "ctorch._utils\n_rebuild_tensor_v2\n)R."),
                 "unexpected arguments"));
}

TEST_CASE("every .pt file cut anywhere is refused, and none crashes the reader when bent") {
  const FileBytes whole = fixture("authors.pt");
  const std::string text(reinterpret_cast<const char*>(whole.bytes.data()), whole.size());
  for (std::size_t length = 1; length < text.size(); ++length) {
    CHECK(pt_refusal(bytes_of(text.substr(0, length))) != "nothing was refused");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string bent = text;
    bent[i] = static_cast<char>(~bent[i]);
    static_cast<void>(pt_refusal(bytes_of(bent)));
  }
}

}  // namespace
}  // namespace hqe
