// SPDX-License-Identifier: MIT
#include "hqe/formats/open_pool.h"

#include <doctest/doctest.h>

#include <functional>

#include "hqe/files/npy_writer.h"
#include "tests/support/arrays.h"
#include "tests/support/io.h"
#include "tests/support/torch_builder.h"

namespace hqe {
namespace {

using namespace testing;
using Rows = std::vector<std::vector<double>>;

template <typename Number>
std::string bytes_of_numbers(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

std::string labels_npy(const std::vector<std::int32_t>& labels) {
  return npy_header(DType::int32, {static_cast<std::int64_t>(labels.size())}) +
         bytes_of_numbers(labels);
}

// Three models that predict labels, and the truth.
class LabelFolder : public TemporaryFolder {
 public:
  LabelFolder() {
    write("labels.npy", labels_npy({0, 1, 2}));
    write("m10.npy", labels_npy({0, 1, 1}));
    write("m2.npy", labels_npy({0, 0, 2}));
    write("m1.npy", labels_npy({1, 1, 2}));
  }
  [[nodiscard]] Pool open() const { return open_pool({.folder = path()}); }
  [[nodiscard]] std::string refused() const {
    return refusal([&] { static_cast<void>(open()); });
  }
};

std::vector<std::string> names(const Pool& pool) {
  std::vector<std::string> result;
  for (const Model& model : pool.models) result.push_back(model.name);
  return result;
}

TEST_CASE("a folder without pool.toml is a pool of its files in natural order") {
  const LabelFolder folder;
  folder.write("README.md", "not a model");
  folder.write(".hidden.npy", "not a model");
  const Pool pool = folder.open();

  CHECK(names(pool) == std::vector<std::string>{"m1", "m2", "m10"});
  CHECK(pool.name == folder.path().filename());
  CHECK(pool.kind == Kind::labels);
  CHECK(pool.kind_detected);
  CHECK(pool.class_count == 3);
  CHECK(rows_of(pool.truth) == Rows{{0}, {1}, {2}});
}

TEST_CASE("pool.toml gives order, names, classes and costs") {
  const LabelFolder folder;
  folder.write("pool.toml",
               "name = 'pets'\nkind = 'labels'\nmodels = ['m10', 'm1']\n"
               "classes = ['a', 'b', 'c', 'd']\n[cost.m1]\nparams = 7\n");
  const Pool pool = folder.open();

  CHECK(pool.name == "pets");
  CHECK(names(pool) == std::vector<std::string>{"m10", "m1"});
  CHECK(pool.class_count == 4);
  CHECK_FALSE(pool.kind_detected);
  CHECK(pool.models[1].costs[Cost::params] == 7);
  CHECK_FALSE(pool.models[0].costs[Cost::params]);
}

TEST_CASE("loose files are a pool in the order given, named by their stems") {
  const LabelFolder folder;
  const auto& path = folder.path();
  const Pool pool =
      open_pool({.labels = path / "labels.npy", .files = {path / "m2.npy", path / "m1.npy"}});
  CHECK(names(pool) == std::vector<std::string>{"m2", "m1"});
  CHECK(pool.labels_file == path / "labels.npy");
}

TEST_CASE("labels given beside a folder override those in it") {
  const LabelFolder folder;
  const TemporaryFolder elsewhere;
  const auto labels = elsewhere.write("truth.csv", "label\n2\n2\n2\n");
  CHECK(rows_of(open_pool({.folder = folder.path(), .labels = labels}).truth) ==
        Rows{{2}, {2}, {2}});
}

TEST_CASE("a correctness pool needs no labels") {
  const LabelFolder folder;
  std::filesystem::remove(folder.path() / "labels.npy");
  std::filesystem::remove(folder.path() / "m2.npy");
  folder.write("m1.npy", labels_npy({0, 1, 0}));
  folder.write("pool.toml", "kind = 'correctness'");
  CHECK(folder.open().class_count == 2);
}

TEST_CASE("the dots of a model's name are part of it") {
  const LabelFolder folder;
  folder.write("llama-3.1.NPY", labels_npy({0, 1, 2}));
  folder.write("pool.toml", "models = ['m1', 'llama-3.1']");
  CHECK(names(folder.open()) == std::vector<std::string>{"m1", "llama-3.1"});
}

TEST_CASE("what is wrong with a folder is said with what to do") {
  CHECK(contains(refusal([] { static_cast<void>(open_pool({.folder = "/nowhere"})); }),
                 "/nowhere: there is no such folder"));
  CHECK(contains(refusal([] { static_cast<void>(open_pool({.folder = "/nowhere.digest"})); }),
                 "/nowhere.digest: there is no such file"));
  const LabelFolder folder;
  CHECK(
      contains(refusal([&] { static_cast<void>(open_pool({.folder = folder.path() / "m1.npy"})); }),
               "is a file where a pool's folder was expected"));
  folder.write("pool.toml", "models = ['m1', 'm3']");
  CHECK(
      contains(folder.refused(), "the model \"m3\" has no file m3.* in the folder. Did you mean"));
  folder.write("pool.toml", "[cost.m3]\nparams = 1");
  CHECK(contains(folder.refused(), "[cost.m3]: there is no model of that name"));
  folder.write("pool.toml", "models = ['m1', 'labels']");
  CHECK(contains(folder.refused(), "\"labels\" cannot be a model"));
  folder.write("pool.toml", "models = ['m1']");
  CHECK(contains(folder.refused(), "one model only (\"m1\")"));
  folder.write("pool.toml", "models = ['../m1', 'm2']");
  CHECK(contains(folder.refused(), "\"../m1\" is not a model name"));
  std::filesystem::remove(folder.path() / "pool.toml");
  std::filesystem::create_directory(folder.path() / "pool.toml");
  CHECK(contains(folder.refused(), "is a directory"));
  std::filesystem::remove(folder.path() / "pool.toml");
  folder.write("m1.csv", "0\n1\n2\n");
  CHECK(contains(folder.refused(), "both m1.csv and m1.npy are called \"m1\""));
  std::filesystem::remove(folder.path() / "m1.csv");
  folder.write("labels.csv", "0\n1\n2\n");
  CHECK(contains(folder.refused(), "both labels.csv and labels.npy are called \"labels\""));
  std::filesystem::remove(folder.path() / "labels.csv");
  std::filesystem::remove(folder.path() / "labels.npy");
  CHECK_FALSE(folder.open().has_labels);
  CHECK(folder.open().labels_file == folder.path());
  std::filesystem::create_directory(folder.path() / "m3.npy");
  CHECK(contains(folder.refused(), "m3.npy: is a directory"));
  std::filesystem::remove(folder.path() / "m3.npy");
  folder.write("m\n3.npy", labels_npy({0, 1, 2}));
  CHECK(contains(folder.refused(), "m\\x0a3.npy\": the file's name holds control characters"));
  const TemporaryFolder empty;
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.folder = empty.path()})); }),
                 "no predictions in this folder"));
}

TEST_CASE("what is wrong with loose files is said with what to do") {
  const LabelFolder folder;
  const TemporaryFolder other;
  const auto a = folder.path() / "m1.npy";
  const auto same = other.write("m1.npy", labels_npy({0, 1, 2}));
  const auto text = other.write("m1.txt", "0");
  const auto refused = [](PoolPath path) {
    return refusal([&] { static_cast<void>(open_pool(path)); });
  };
  CHECK(contains(refused({}), "no pool was given"));
  CHECK(contains(refused({.files = {a, same}}), "the model name \"m1\" is already taken by"));
  CHECK(contains(refused({.files = {a, text}}), "m1.txt: not a file of a known format"));
  const Pool loose = open_pool({.files = {a, folder.path() / "m2.npy"}});
  CHECK_FALSE(loose.has_labels);
  CHECK(loose.labels_file == a);
  CHECK(open_pool({.files = {a}, .single = true}).model_count() == 1);
  CHECK(contains(refused({.labels = same, .files = {a}}), "one model only"));
}

// A .pt file of the authors with labels of its own.
std::string authors_file(const std::vector<std::int64_t>& labels) {
  const auto count = static_cast<std::int64_t>(labels.size());
  const std::string body =
      "}(" + pickled("predictionVectors") +
      pickled(TorchTensor{.elements = 2 * count, .shape = {count, 2}, .strides = {2, 1}}) +
      pickled("labelVectors") +
      pickled(TorchTensor{
          .type = "LongStorage", .key = "1", .elements = count, .shape = {count}, .strides = {1}}) +
      "u";
  return torch_file(
      body, {bytes_of_numbers(std::vector<float>(2 * labels.size(), 3)), bytes_of_numbers(labels)});
}

TEST_CASE("labels inside the files count where there are no others, and must agree") {
  const TemporaryFolder folder;
  const auto refused = [&] {
    return refusal([&] { static_cast<void>(open_pool({.folder = folder.path()})); });
  };
  folder.write("a.pt", authors_file({0, 1, 1}));
  folder.write("b.pt", authors_file({0, 1, 1}));
  const Pool pool = open_pool({.folder = folder.path()});
  CHECK(rows_of(pool.truth) == Rows{{0}, {1}, {1}});
  CHECK(pool.labels_file == folder.path() / "a.pt");
  CHECK(pool.kind == Kind::logits);

  folder.write("b.pt", authors_file({0, 1, 0}));
  CHECK(contains(refused(), "b.pt: label of row 2: is 0, but"));
  folder.write("b.pt", authors_file({0, 1}));
  CHECK(contains(refused(), "b.pt: labels: 2 labels, but"));
  folder.write("b.pt", authors_file({0, 1, 1}));
  const auto labels = folder.write("labels.csv", "0\n0\n0\n");
  CHECK(contains(refused(), "labels.csv: label of row 1: is 0, but"));
  CHECK(rows_of(open_pool({.folder = folder.path(), .labels = labels}).truth) ==
        Rows{{0}, {0}, {0}});
}

TEST_CASE("a choice among several arrays is made only where it is clear") {
  const std::string numpy = HQE_FIXTURES_DIR "/numpy/";
  const auto refused = [&](const std::string& name) {
    return refusal([&] {
      static_cast<void>(read_pool_parts({.files = {numpy + name, numpy + "stored.npz"}}));
    });
  };
  CHECK(refused("unnamed.npz") == "nothing was refused");
  CHECK(contains(refused("ambiguous.npz"),
                 "several arrays could be the predictions: the file holds \"arr_0\", \"arr_1\""));
  CHECK(contains(refused("../pt/weights.pt"), "the file holds \"weight\", \"bias\""));
  const TemporaryFolder folder;
  const std::string only_labels =
      make_zip({{"labels.npy", labels_npy({0, 1}), true}, {"note.txt", "hello"}});
  const auto path = folder.write("a.npz", only_labels);
  CHECK(contains(refusal([&] { static_cast<void>(read_pool_parts({.files = {path, path}})); }),
                 "already taken"));
  CHECK(contains(refusal([&] { static_cast<void>(read_pool_parts({.files = {path}})); }),
                 "no predictions: the file holds only \"labels\""));
}

// Sixteenths that sum to 1, so that every type holds them exactly.
Rows random_probabilities(int seed) {
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    const int a = (i * 7 + seed * 5) % 9, b = (i * 3 + seed) % 5;
    rows.push_back({a / 16.0, b / 16.0, (16 - a - b) / 16.0});
  }
  return rows;
}

template <typename Number>
std::string dense(const Rows& rows) {
  std::vector<Number> numbers;
  for (const auto& row : rows) {
    for (const double value : row) numbers.push_back(static_cast<Number>(value));
  }
  return bytes_of_numbers(numbers);
}

std::string as_npy(const Rows& rows) {
  return npy_header(DType::float32, {40, 3}) + dense<float>(rows);
}
std::string as_transposed_half_pt(const Rows& rows) {
  std::vector<std::uint16_t> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    for (const auto& row : rows) columns.push_back(half_from_double(row[j]));
  }
  const TorchTensor tensor{
      .type = "HalfStorage", .elements = 120, .shape = {40, 3}, .strides = {1, 40}};
  return torch_file(pickled(tensor), {bytes_of_numbers(columns)});
}
std::string as_safetensors(const Rows& rows) {
  const std::string header =
      R"({"predictions":{"dtype":"F64","shape":[40,3],"data_offsets":[0,960]}})";
  return little_endian(header.size(), 8) + header + dense<double>(rows);
}
std::string as_csv(const Rows& rows) {
  std::string text = "\"cat\",\"dog\",\"bird\"\r\n";
  for (const auto& row : rows) {
    text += std::to_string(row[0]) + "," + std::to_string(row[1]) + ", " + std::to_string(row[2]) +
            "\r\n";
  }
  return text;
}

TEST_CASE("the same pool in every format gives the same numbers") {
  const std::vector<std::pair<std::string, std::function<std::string(const Rows&)>>> formats{
      {".npy", as_npy},
      {".pt", as_transposed_half_pt},
      {".npz", [](const Rows& rows) { return make_zip({{"predictions.npy", as_npy(rows)}}); }},
      {".npz", [](const Rows& rows) { return make_zip({{"arr_0.npy", as_npy(rows), true}}); }},
      {".safetensors", as_safetensors},
      {".csv", as_csv},
  };
  for (const auto& [extension, write] : formats) {
    CAPTURE(extension);
    const TemporaryFolder folder;
    folder.write("labels.npy", labels_npy(std::vector<std::int32_t>(40, 1)));
    for (int model = 0; model < 3; ++model) {
      folder.write("m" + std::to_string(model) + extension, write(random_probabilities(model)));
    }
    const Pool pool = open_pool({.folder = folder.path()});
    REQUIRE(pool.model_count() == 3);
    CHECK(pool.kind == Kind::probabilities);
    for (int model = 0; model < 3; ++model) {
      CHECK(rows_of(pool.models[static_cast<std::size_t>(model)].predictions) ==
            random_probabilities(model));
    }
  }
}

}  // namespace
}  // namespace hqe
