// SPDX-License-Identifier: MIT
#include "hqe/predictions/digest_part.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "tests/support/arrays.h"

namespace hqe {
namespace {

using testing::says;

/// Two samples of 1,000 classes: class 7 of the first is kept alone, classes 3, 9 and 500 of the
/// second, whose true class is 9.
struct ListedParts {
  std::vector<double> classes{3, 9, 500};
  std::vector<double> extra_counts;
  DType class_type = DType::uint16;
  DType count_type = DType::uint8;

  [[nodiscard]] DigestPart make() const {
    const auto models = static_cast<std::int64_t>(extra_counts.size());
    const auto count = static_cast<std::size_t>(models);
    const std::size_t extras =
        static_cast<std::size_t>(std::accumulate(extra_counts.begin(), extra_counts.end(), 0.0));
    const DigestColumns columns{
        .truth = testing::vector({7, 9}, DType::uint16),
        .kept = testing::vector({1, 3}, DType::uint16),
        .own = testing::matrix(1, models, std::vector<double>(count, 1)),
        .classes = testing::vector(classes, class_type),
        .values = testing::matrix(3, models, std::vector<double>(3 * count, 0.25)),
        .extra_counts = testing::matrix(1, models, extra_counts, count_type),
        .extra_classes = testing::vector(std::vector<double>(extras, 1), DType::uint16),
        .extra_values = testing::vector(std::vector<double>(extras, 0.125), DType::float32)};
    return {"a.digest",
            {.kind = Kind::probabilities,
             .sample_count = 2,
             .class_count = 1000,
             .model_count = static_cast<int>(models),
             .types = std::vector<DType>(count, DType::float32)},
            columns};
  }
};

std::string digest_refusal(const ListedParts& parts) {
  try {
    static_cast<void>(parts.make());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("likeliest classes of any number of models are found behind each other") {
  for (const DType type : {DType::uint8, DType::int16}) {
    for (std::size_t models = 1; models <= 26; ++models) {
      CAPTURE(models);
      ListedParts parts{.extra_counts = std::vector<double>(models), .count_type = type};
      std::uint64_t extras = 0;
      for (std::size_t m = 0; m < models; ++m) {
        parts.extra_counts[m] = static_cast<double>((m * m + models) % 4);
        extras += (m * m + models) % 4;
      }
      const DigestPlace place = parts.make().find(1);
      CHECK(place.kept == 3);
      CHECK(place.extras == 0);
      CHECK(place.extras_end == extras);
    }
  }
}

TEST_CASE("more than three likeliest classes are refused, whichever model has them") {
  for (const DType type : {DType::uint8, DType::int16}) {
    for (const std::size_t models : {1, 7, 8, 9, 16, 19}) {
      for (std::size_t m = 0; m < models; ++m) {
        for (const int count : {4, 8, 64, 128, 255}) {
          ListedParts parts{.extra_counts = std::vector<double>(models, 3), .count_type = type};
          parts.extra_counts[m] = count;
          CAPTURE(m);
          CHECK(says(digest_refusal(parts), "sample 1 (counting from 0): keeps " +
                                                std::to_string(count) +
                                                " of three likeliest classes"));
        }
      }
    }
  }
}

TEST_CASE("classes are kept in ascending order, the true one among them") {
  for (const DType type : {DType::uint16, DType::int32}) {
    const auto refusal_of = [&](const std::vector<double>& classes) {
      return digest_refusal({.classes = classes, .extra_counts = {1, 2}, .class_type = type});
    };
    CHECK(refusal_of({3, 9, 500}).empty());
    CHECK(says(refusal_of({9, 3, 500}), "sample 1 (counting from 0): keeps the class 3 out of"));
    CHECK(says(refusal_of({9, 9, 500}), "keeps the class 9 out of order"));
    CHECK(says(refusal_of({3, 9, 1000}), "keeps the class 1000 out of order"));
    CHECK(says(refusal_of({3, 8, 500}), "does not keep its true class"));
  }
}

TEST_CASE("likeliest classes that are counted otherwise by now are read within the file") {
  const ListedParts parts{.extra_counts = {1, 2, 3}, .count_type = DType::int8};
  const DigestPart part = parts.make();
  auto* const bytes = const_cast<std::byte*>(part.columns().extra_counts.data);
  for (const int count : {-128, -1, 127}) {
    for (int m = 0; m < 3; ++m) bytes[m] = static_cast<std::byte>(count);
    for (std::size_t m = 0; m < 3; ++m) {
      int visited = 0;
      part.visit_extras(part.find(1), m, [&](std::int32_t, double value) {
        CHECK(value == 0.125);
        ++visited;
      });
      CHECK(visited <= 3);
    }
  }
}

TEST_CASE("a tensor that the kind has not is refused") {
  const auto refusal_of = [](Kind kind, const DigestColumns& columns) -> std::string {
    try {
      static_cast<void>(DigestPart("a.digest",
                                   {.kind = kind,
                                    .sample_count = 2,
                                    .class_count = 2,
                                    .model_count = 2,
                                    .types = std::vector<DType>(2, DType::float32)},
                                   columns));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  DigestColumns labels{.truth = testing::vector({0, 1}, DType::uint8),
                       .labels = testing::matrix(2, 2, {0, 1, 1, 1}, DType::uint8)};
  CHECK(refusal_of(Kind::labels, labels).empty());
  CHECK(says(refusal_of(Kind::correctness, labels), "tensor truth: belongs to no digest of corr"));
  const Array bytes = testing::vector({1, 1}, DType::uint8);
  for (Array DigestColumns::* column :
       {&DigestColumns::kept, &DigestColumns::own, &DigestColumns::classes, &DigestColumns::values,
        &DigestColumns::sums, &DigestColumns::extra_counts, &DigestColumns::extra_classes,
        &DigestColumns::extra_values, &DigestColumns::rounded}) {
    DigestColumns more = labels;
    more.*column = bytes;
    CHECK(says(refusal_of(Kind::labels, more), "belongs to no digest of labels"));
  }
  DigestColumns scores{.truth = testing::vector({0, 1}, DType::uint8),
                       .values = testing::matrix(4, 2, std::vector<double>(8, 0.5))};
  CHECK(refusal_of(Kind::probabilities, scores).empty());
  scores.labels = labels.labels;
  CHECK(
      says(refusal_of(Kind::probabilities, scores), "tensor labels: belongs to no digest of pro"));
}

}  // namespace
}  // namespace hqe
