// SPDX-License-Identifier: MIT
#include "hqe/documents/answers.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hqe/documents/json.h"
#include "tests/support/hostile_documents.h"
#include "tests/support/small_pools.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using testing::DocumentJson;

/// Two models that give class x % 2 most, or half of it; more samples than a block holds.
Pool long_pool(bool labels) {
  constexpr std::size_t samples = 70'000;
  std::vector<double> sure, unsure, truth;
  for (std::size_t x = 0; x < samples; ++x) {
    const double first = x % 2 == 0 ? 0.75 : 0.25;
    sure.insert(sure.end(), {first, 1 - first});
    unsure.insert(unsure.end(), {0.5, 0.5});
    truth.push_back(0);
  }
  PoolParts parts{.name = "long", .kind = Kind::probabilities};
  parts.models = {testing::model("sure", testing::matrix(samples, 2, sure)),
                  testing::model("unsure", testing::matrix(samples, 2, unsure))};
  if (labels) parts.labels = testing::vector(truth);
  parts.class_names = {"=cat", "dog"};
  return make_pool(std::move(parts));
}

std::string csv_of(const Pool& pool, int threads) {
  std::string text;
  const auto rows = answers_as_csv([&text](std::string_view bytes) { text.append(bytes); });
  const Combined combined = apply(pool, Team{0, 1}, {}, {.threads = threads}, *rows);
  CHECK(combined.labels.empty());
  CHECK(combined.answers == pool.sample_count);
  return text;
}

TEST_CASE("answers are written in the order of the samples, the same for any number of threads") {
  const std::string text = csv_of(long_pool(true), 1);
  CHECK(csv_of(long_pool(true), 3) == text);
  CHECK(
      text.starts_with("sample,label,probability,margin,agree,correct\n"
                       "0,'=cat,0.625,0.25,2,1\n"
                       "1,dog,0.625,0.25,1,0\n"));
  CHECK(text.ends_with("\n69999,dog,0.625,0.25,1,0\n"));
  CHECK(csv_of(long_pool(false), 2).ends_with("\n69999,dog,0.625,0.25,1,\n"));
}

TEST_CASE("the document of answers has a row a sample, and what there is to say of them all") {
  testing::Thinned thinned(2);
  for (const bool labels : {true, false}) {
    if (thinned.leaves_out()) continue;
    std::string text;
    const auto rows = answers_as_json([&text](std::string_view bytes) { text.append(bytes); });
    const TeamFile::Expected expected{.accuracy = 0.5, .interval = {0.25, 0.75}, .samples = 8};
    const Combined combined =
        apply(long_pool(labels), Team{0, 1}, {.temperature = 2, .expected = expected}, {}, *rows);
    auto document = DocumentJson::parse(text);
    CHECK(document["rows"].size() == 70'000);
    CHECK(document["rows"][0]["label"] == "=cat");
    CHECK(document["rows"][0]["agree"] == 2);
    CHECK(document["rows"][0]["correct"] == (labels ? DocumentJson(true) : DocumentJson(nullptr)));
    document.erase("rows");
    CHECK(document == DocumentJson::parse(to_json(combined)));
    CHECK(document["temperature"] == 2.0);
    CHECK(document["names"] == DocumentJson::parse(R"(["sure","unsure"])"));
    CHECK(document["expected"]["accuracy"] == 0.5);
    CHECK(document["correct"] == (labels ? DocumentJson(35'000) : DocumentJson(nullptr)));
    CHECK(document["accuracy"].is_null() == !labels);
    CHECK(document["interval"].is_null() == !labels);
    CHECK(document["pool"]["models"][0]["correct"].is_null() == !labels);
  }
}

}  // namespace
}  // namespace hqe
