// SPDX-License-Identifier: MIT
#include "hqe/predictions/pool.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/predictions/detect.h"
#include "tests/support/arrays.h"

namespace hqe {
namespace {

using testing::matrix;
using testing::model;
using testing::says;

/// Two models, three samples, two classes.
PoolParts parts_of(Array first, Array second, std::optional<Kind> kind = std::nullopt) {
  PoolParts parts;
  parts.kind = kind;
  parts.models = {model("a", std::move(first)), model("b", std::move(second))};
  parts.labels = testing::vector({0, 1, 1});
  parts.labels_file = "labels.npy";
  return parts;
}

const std::vector<double> probabilities{0.5, 0.5, 0.25, 0.75, 1, 0};
const std::vector<double> logits{-3, 2, 0.5, 0.5, 7, 1};

Array scores(const std::vector<double>& values, DType dtype = DType::float32) {
  return matrix(3, 2, values, dtype);
}

std::string refusal(PoolParts parts) {
  try {
    (void)make_pool(std::move(parts));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("floats whose rows sum to 1 are detected as probabilities") {
  const Pool pool = make_pool(parts_of(scores(probabilities), scores(probabilities)));
  CHECK(pool.kind == Kind::probabilities);
  CHECK(pool.kind_detected);
  CHECK(pool.class_count == 2);
  CHECK(pool.sample_count == 3);
  CHECK(pool.true_label(1) == 1);
}

TEST_CASE("floats with values outside [0,1] are detected as logits, wherever they stand") {
  CHECK(make_pool(parts_of(scores(logits), scores(logits))).kind == Kind::logits);
  CHECK(make_pool(parts_of(scores({0.5, 0.7, 0, 1, -1, 0.5}), scores(logits))).kind ==
        Kind::logits);
}

TEST_CASE("each model that has a value outside [0,1] in any row is known to hold logits") {
  const auto shown_by = [](const std::vector<double>& first, const std::vector<double>& second) {
    return hold_logits(
        parts_of(matrix(3, 2, first, DType::float32), matrix(3, 2, second, DType::float32)).models,
        {.threads = 1});
  };
  CHECK(shown_by(probabilities, {0.5, 0.5, 0.2, 0.2, 1, 7}) == std::vector<bool>{false, true});
  // A sum that is off 1 shows nothing of the kind by itself.
  CHECK(shown_by(logits, {0.5, 0.5, 0.2, 0.2, 1, 0}) == std::vector<bool>{true, false});
  // By as much as a sum may be off, a value may exceed 1.
  CHECK(shown_by({0.5, 0.5, 1.0009, 0, 0, 1}, {0.5, 0.5, 1.002, 0, 0, 1}) ==
        std::vector<bool>{false, true});
}

TEST_CASE("a declared kind is taken as it is") {
  const Pool pool = make_pool(parts_of(scores(probabilities), scores(probabilities), Kind::logits));
  CHECK(pool.kind == Kind::logits);
  CHECK_FALSE(pool.kind_detected);
}

TEST_CASE("half precision sums may be off by a hundredth, others by a thousandth") {
  const std::vector<double> loose{0.5, 0.495, 0.25, 0.75, 1, 0};
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    CHECK(make_pool(parts_of(scores(loose, dtype), scores(probabilities))).kind ==
          Kind::probabilities);
  }
  for (const DType dtype : {DType::float32, DType::float64}) {
    const std::string text = refusal(parts_of(scores(probabilities), scores(loose, dtype)));
    CHECK(says(text, "b.npy: row 0 (counting from 0): all values lie in [0,1]"));
    CHECK(says(text, "Declare kind"));
  }
}

TEST_CASE("files of different kinds are refused by name") {
  const std::string text = refusal(parts_of(scores(probabilities), scores(logits)));
  CHECK(says(text, "b.npy: holds logits"));
  CHECK(says(text, "a.npy holds probabilities"));
  CHECK(says(refusal(parts_of(scores(probabilities), testing::vector({0, 1, 1}))),
             "b.npy: holds labels"));
}

TEST_CASE("integers in one column are labels, C the largest label or prediction + 1") {
  const Pool pool = make_pool(parts_of(testing::vector({0, -1, 4}), testing::vector({1, 1, 1})));
  CHECK(pool.kind == Kind::labels);
  CHECK(pool.class_count == 5);
  CHECK(pool.class_name(3) == "3");
}

TEST_CASE("class names fix the number of classes of a label pool") {
  PoolParts parts = parts_of(testing::vector({0, 1, 1}), testing::vector({1, 1, 1}));
  parts.class_names = {"cat", "dog", "eel"};
  const Pool pool = make_pool(parts);
  CHECK(pool.class_count == 3);
  CHECK(pool.class_name(2) == "eel");
}

TEST_CASE("correctness must be declared and needs no labels") {
  PoolParts parts =
      parts_of(testing::vector({0, 1, 1}, DType::boolean), testing::vector({1, 1, 0}));
  CHECK(make_pool(parts).kind == Kind::labels);
  parts.kind = Kind::correctness;
  parts.labels.reset();
  const Pool pool = make_pool(parts);
  CHECK(pool.class_count == 2);
  CHECK(pool.true_label(2) == 1);
  CHECK(pool.class_name(0) == "wrong");
}

TEST_CASE("shapes that are neither labels nor scores are refused with advice") {
  CHECK(says(refusal(parts_of(testing::vector({0, 2.5, 1}, DType::float32), scores(logits))),
             "a.npy: is a vector of float32"));
  CHECK(says(refusal(parts_of(matrix(3, 2, {0, 1, 1, 0, 1, 0}, DType::int64), scores(logits))),
             "a.npy: is a matrix of integers (3 x 2 of int64)"));
  CHECK(says(refusal(parts_of(matrix(3, 1, {0.5, 7.5, 1}), matrix(3, 1, {0.5, 7.5, 1}))),
             "a.npy: has 1 columns"));
  CHECK(
      says(refusal(parts_of(scores(logits), scores(logits), Kind::labels)), "a.npy: holds scores"));
}

TEST_CASE("a pool without labels is a pool, and says where they are missing") {
  PoolParts parts = parts_of(scores(logits), scores(logits));
  parts.labels.reset();
  parts.labels_file = "folder";
  const Pool pool = make_pool(std::move(parts));
  CHECK_FALSE(pool.has_labels);
  CHECK(pool.class_count == 2);
  CHECK_THROWS_WITH_AS(
      check_labels(pool),
      "folder: there are no true labels. Add labels.npy to the folder, give the option labels or, "
      "of a table, the option label_column; files of 0/1 correctness need none when kind = "
      "\"correctness\" is declared",
      InputError);
  PoolParts labels = parts_of(testing::vector({0, 4, -1}), testing::vector({0, 1, 1}));
  labels.labels.reset();
  CHECK(make_pool(std::move(labels)).class_count == 5);
}

TEST_CASE("a pool needs rows, columns and names that fit each other") {
  PoolParts parts = parts_of(scores(logits), matrix(2, 2, {0, 0, 0, 5}));
  CHECK(says(refusal(parts), "b.npy: has 2 rows, but labels.npy has 3"));

  parts = parts_of(scores(logits), matrix(3, 3, std::vector<double>(9, 2.0)));
  CHECK(says(refusal(parts), "b.npy: has 3 columns, but a.npy has 2"));

  parts = parts_of(scores(logits), scores(logits));
  parts.models[1].name = "a";
  CHECK(says(refusal(parts), "\"a\" is already taken"));

  parts = parts_of(scores(logits), scores(logits));
  parts.class_names = {"cat"};
  CHECK(says(refusal(parts), "has 2 columns, but `classes` has 1 names"));

  parts = parts_of(scores(logits), scores(logits));
  parts.labels = testing::vector({0, 0.5, 1}, DType::float64);
  CHECK(says(refusal(parts), "labels.npy: true labels must be one integer a sample"));

  CHECK(says(refusal(PoolParts{}), "no models"));
}

TEST_CASE("a true label below 0 or not below C is refused with its row") {
  PoolParts parts = parts_of(scores(logits), scores(logits));
  parts.labels = testing::vector({0, 1, 2});
  CHECK(says(refusal(parts), "labels.npy: row 2 (counting from 0): the true label 2"));
  parts.labels = testing::vector({0, -1, 1}, DType::int64);
  CHECK(says(refusal(parts), "labels.npy: row 1 (counting from 0): the true label -1"));
  parts.labels = testing::vector({0, 1, 0x1p40}, DType::int64);
  CHECK(says(refusal(parts), "the true label 1099511627776"));
}

TEST_CASE("a label that would make billions of classes is refused") {
  const std::string text =
      refusal(parts_of(testing::vector({0, 1, 0x1p40}, DType::int64), testing::vector({0, 1, 1})));
  CHECK(says(text, "a.npy: holds the label 1099511627776"));
}

TEST_CASE("more models than a team can hold are refused") {
  PoolParts parts = parts_of(scores(logits), scores(logits));
  for (int i = 0; i < max_model_count; ++i) {
    parts.models.push_back(model("m" + std::to_string(i), scores(logits)));
  }
  CHECK(says(refusal(parts), "the pool has 1026 models"));
}

TEST_CASE("NaN and infinity do not decide the kind") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> torn{nan, 0.5, infinity, 0, 0.5, 0.5};
  CHECK(make_pool(parts_of(scores(torn), scores(probabilities))).kind == Kind::probabilities);
}

TEST_CASE("a part of a pool keeps the models in the order asked for") {
  const Pool pool = make_pool(parts_of(scores(logits), scores(probabilities), Kind::logits));
  const Pool part = pool_of(pool, std::array<ModelId, 1>{1});
  CHECK(part.model_count() == 1);
  CHECK(part.models[0].name == "b");
  CHECK(part.class_count == 2);
}

TEST_CASE("models are found by name, by id, and near misses are named") {
  PoolParts parts = parts_of(scores(logits), scores(logits));
  parts.models[0].name = "resnet50";
  parts.models[1].name = "0";
  const Pool pool = make_pool(parts);
  CHECK(find_model(pool, "resnet50") == 0);
  CHECK(find_model(pool, "0") == 1);
  CHECK(find_model(pool, "1") == 1);
  CHECK_THROWS_WITH_AS((void)find_model(pool, "resnet5"),
                       "no model is called \"resnet5\"; the nearest names are \"resnet50\", \"0\"",
                       UsageError);
  CHECK_THROWS_AS((void)find_model(pool, "2"), UsageError);
  CHECK_THROWS_AS((void)find_model(pool, ""), UsageError);
  const auto found = find_models(pool, {"0", "vgg", "resnet50"});
  CHECK(found == std::vector<std::optional<ModelId>>{1, std::nullopt, 0});
}

TEST_CASE("kinds are spelled as in pool.toml") {
  for (const Kind kind : {Kind::probabilities, Kind::logits, Kind::labels, Kind::correctness}) {
    CHECK(parse_kind(to_string(kind)) == kind);
  }
  CHECK_FALSE(parse_kind("Probabilities"));
}

/// Two models and true labels, all columns of integers.
PoolParts numbers(const std::vector<double>& truth, const std::vector<double>& a,
                  const std::vector<double>& b, DType dtype = DType::int32) {
  PoolParts parts;
  parts.models = {{"a", {}, testing::vector(a, dtype), "a.npy"},
                  {"b", {}, testing::vector(b, dtype), "b.npy"}};
  parts.labels = testing::vector(truth, dtype);
  parts.labels_file = "labels.npy";
  return parts;
}

std::vector<std::int64_t> labels_of(const Array& array) {
  std::vector<std::int64_t> labels;
  for (std::int64_t row = 0; row < array.rows(); ++row) labels.push_back(read_integer(array, row));
  return labels;
}

using LabelList = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

TEST_CASE("labels that do not begin at 0 are classes named by their numbers") {
  for (const DType dtype : {DType::int32, DType::float32, DType::float64, DType::int8}) {
    const Pool from_one = make_pool(numbers({1, 2, 3}, {1, -1, 2}, {3, 2, 1}, dtype));
    CHECK(from_one.class_names == Words{"1", "2", "3"});
    CHECK(labels_of(from_one.truth) == LabelList{0, 1, 2});
    CHECK(labels_of(from_one.models[0].predictions) == LabelList{0, -1, 1});
    CHECK(from_one.notes.empty());
    const Pool from_ten = make_pool(numbers({10, 12, 19}, {10, 11, 19}, {19, 12, 10}, dtype));
    CHECK(from_ten.class_names == Words{"10", "11", "12", "19"});
    REQUIRE(from_ten.notes.size() == 1);
    CHECK(says(from_ten.notes[0].text(), "go from 10 to 19 and are 4 classes"));
    const Pool signs = make_pool(numbers({-1, 1, 1}, {-1, -1, 1}, {1, 1, 1}, dtype));
    CHECK(signs.class_names == Words{"-1", "1"});
    CHECK(labels_of(signs.models[0].predictions) == LabelList{0, 0, 1});
    const Pool plain = make_pool(numbers({0, 1, 2}, {0, -1, 2}, {2, 1, 0}, dtype));
    CHECK(plain.class_names.empty());
    CHECK(labels_of(plain.models[0].predictions) == LabelList{0, -1, 2});
  }
  // A 0 that only a model says is a class, and the numbers stay.
  CHECK(make_pool(numbers({1, 2, 2}, {1, 0, 2}, {1, 2, 2})).class_count == 3);
  CHECK(says(refusal(numbers({-2, 1, 1}, {1, 1, 1}, {1, 1, 1})), "the true label -2"));
}

TEST_CASE("a model that counts its classes from elsewhere is refused") {
  CHECK(says(refusal(numbers({0, 1, 2, 1}, {0, 1, 2, 1}, {1, 2, 3, 2})),
             "b.npy: has the classes 1 to 3, labels.npy 0 to 2: off by one. Subtract 1"));
  CHECK(says(refusal(numbers({1, 2, 3, 2}, {0, 1, 2, 1}, {1, 2, 3, 2})),
             "Add 1: so it is right on 4"));
  CHECK(refusal(numbers({0, 1, 2, 1}, {0, 1, 2, 1}, {1, 3, 1, 1})) == "accepted");
}

TEST_CASE("vectors of floats are labels if whole, else P(class 1) of two classes") {
  const Pool whole = make_pool(numbers({0, 1, 1}, {0, 1, 0}, {1, 1, 1}, DType::float64));
  CHECK(whole.kind == Kind::labels);
  PoolParts parts = numbers({0, 1, 1}, {0.25, 1, 0.5}, {1, 0, 1}, DType::float64);
  const Pool shares = make_pool(parts);
  CHECK(shares.kind == Kind::probabilities);
  CHECK(shares.class_count == 2);
  CHECK(read_number(shares.models[0].predictions, 0, 0) == 0.75);
  CHECK(read_number(shares.models[1].predictions, 2, 1) == 1);
  CHECK(says(refusal(numbers({0, 1, 2}, {0.25, 1, 0.5}, {1, 0, 1}, DType::float64)),
             "a.npy: is a vector of float64"));
  CHECK(says(refusal(numbers({0, 1, 1}, {0.25, 1.5, 0.5}, {1, 0, 1}, DType::float64)),
             "a.npy: is a vector of float64"));
  CHECK(says(refusal(numbers({0, 0.5, 1}, {0, 1, 1}, {1, 0, 1}, DType::float64)),
             "true labels must be"));
}

TEST_CASE("where classes are named by labels, labels are these, whichever occur") {
  const auto named = [](Words names, std::vector<double> truth, std::vector<double> said) {
    PoolParts parts = numbers(std::move(truth), said, said);
    parts.class_names = std::move(names);
    parts.names_are_labels = true;
    return parts;
  };
  const Pool pool = make_pool(named({"1", "2", "3"}, {1, 2, 2}, {2, -1, 3}));
  CHECK(pool.class_count == 3);
  CHECK(pool.names_are_labels);
  CHECK(labels_of(pool.truth) == LabelList{0, 1, 1});
  CHECK(labels_of(pool.models[0].predictions) == LabelList{1, -1, 2});
  const Pool signs = make_pool(named({"-1", "1"}, {1, 1}, {-1, 1}));
  CHECK(labels_of(signs.truth) == LabelList{1, 1});
  CHECK(labels_of(signs.models[0].predictions) == LabelList{0, 1});
  CHECK(says(refusal(named({"1", "2"}, {1, 0}, {1, 1})),
             "row 1 (counting from 0): 0 is not one of the classes that are named"));
  CHECK(says(refusal(named({"1", "2"}, {1, 2}, {1, 3})), "a.npy: row 1 (counting from 0): 3 is"));
  // Texts are names of classes that count from 0, whatever they say.
  PoolParts texts = named({"1", "2", "3"}, {1, 2, 2}, {2, -1, 0});
  texts.names_are_labels = false;
  CHECK(labels_of(make_pool(texts).truth) == LabelList{1, 2, 2});
  CHECK(says(refusal(numbers({1, -1, 2}, {1, 0, 1}, {2, 1, 1})), "classes = [1, 2, 3], or [-1"));
}

TEST_CASE("what rows elsewhere show of labels counts as if it stood here") {
  const auto halves = [](PoolParts one, PoolParts other) {
    one.elsewhere = shown_labels(other);
    other.elsewhere = shown_labels(one);
    return std::vector{make_pool(std::move(one)), make_pool(std::move(other))};
  };
  const auto from_one = halves(numbers({1, 1}, {1, 2}, {2, 2}), numbers({2, 3}, {2, 4}, {3, 3}));
  for (const Pool& pool : from_one) CHECK(pool.class_names == Words{"1", "2", "3", "4"});
  CHECK(labels_of(from_one[1].truth) == LabelList{1, 2});
  for (const bool said : {true, false}) {
    const auto from_zero = halves(numbers({1, 1}, {1, 2}, {2, 2}),
                                  numbers({2, said ? 3.0 : 0.0}, {2, said ? 0.0 : 3.0}, {3, 3}));
    for (const Pool& pool : from_zero) CHECK(pool.class_names.empty());
    CHECK(labels_of(from_zero[0].truth) == LabelList{1, 1});
  }
  const auto signs = halves(numbers({-1, -1}, {1, -1}, {-1, -1}), numbers({1, 1}, {1, 1}, {1, -1}));
  for (const Pool& pool : signs) CHECK(pool.class_names == Words{"-1", "1"});
  CHECK(labels_of(signs[1].models[1].predictions) == LabelList{1, 0});
  const auto shares = halves(numbers({0, 0}, {0, 1}, {0, 0}, DType::float64),
                             numbers({1, 1}, {0.5, 1}, {1, 1}, DType::float64));
  for (const Pool& pool : shares) CHECK(pool.kind == Kind::probabilities);

  const auto scores = [](std::vector<double> truth) {
    PoolParts parts = numbers(std::move(truth), {}, {});
    const auto rows = parts.labels->rows();
    std::vector<double> values;
    for (std::int64_t i = 0; i < rows; ++i) values.insert(values.end(), {0.5, 0.25, 0.25});
    for (Model& model : parts.models) model.predictions = matrix(rows, 3, values);
    return parts;
  };
  const auto sorted = halves(scores({1, 1, 2}), scores({3, 3}));
  CHECK(labels_of(sorted[0].truth) == LabelList{0, 0, 1});
  CHECK(labels_of(sorted[1].truth) == LabelList{2, 2});
  CHECK(sorted[0].notes == sorted[1].notes);
}

TEST_CASE("text labels are classes, sorted and named, or as they are named") {
  const auto words = [](const std::vector<double>& codes, const Words& list) {
    Array array = testing::vector(codes, DType::int32);
    array.words = std::make_shared<const Words>(list);
    return array;
  };
  PoolParts parts = numbers({0, 1, 1}, {0, 1, 1}, {0, 1, 1});
  parts.labels = words({0, 1, 0}, {"dog", "ape"});
  parts.models[0].predictions = words({0, 0, 1}, {"cat", "dog"});
  parts.models[1].predictions = words({0, 0, 1}, {"ape", "dog"});
  const Pool pool = make_pool(parts);
  CHECK(pool.class_names == Words{"ape", "cat", "dog"});
  CHECK(labels_of(pool.truth) == LabelList{2, 0, 2});
  CHECK(labels_of(pool.models[0].predictions) == LabelList{1, 1, 2});
  PoolParts named = parts;
  named.class_names = {"dog", "cat", "ape"};
  CHECK(labels_of(make_pool(named).truth) == LabelList{0, 2, 0});
  named.class_names = {"dog", "ape"};
  CHECK(says(refusal(named), "a.npy: row 0 (counting from 0): \"cat\" is not one of the classes"));
  parts.models[1].predictions = testing::vector({0, 1, 1}, DType::int32);
  CHECK(says(refusal(parts), "b.npy: holds numbers, and other labels are text"));
}

}  // namespace
}  // namespace hqe
