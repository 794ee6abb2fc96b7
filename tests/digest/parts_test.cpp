// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "hqe/base/option_name.h"
#include "hqe/base/random.h"
#include "hqe/hqe.h"
#include "tests/digest/answers.h"
#include "tests/support/io.h"
#include "tests/support/strange_pools.h"

namespace hqe::testing {
namespace {

/// Cuts a pool at random into some digests, named so that their names are in another order.
void write_parts(const Pool& pool, const TemporaryFolder& folder, int count, Random& random) {
  std::vector<std::uint64_t> cuts{0, pool.sample_count};
  for (int i = 1; i < count; ++i) cuts.push_back(random.below(pool.sample_count));
  std::ranges::sort(cuts);
  cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    write_digest(pool, folder.path() / (std::to_string(90 - i) + ".digest"),
                 {.rows = RowRange{cuts[i], cuts[i + 1]}}, {.threads = 1});
  }
}

TEST_CASE("parts of any rows are the pool that they were cut from") {
  Random random(5);
  for (const Kind kind : all_kinds) {
    CAPTURE(to_string(kind));
    const Pool pool = strange_pool({.kind = kind,
                                    .dtype = DType::float32,
                                    .model_count = 5,
                                    .sample_count = 90,
                                    .class_count = 5,
                                    .grid = 6,
                                    .abstain = 0.1,
                                    .seed = 11});
    const TemporaryFolder folder;
    write_parts(pool, folder, 4, random);
    check_same_answers(pool, open_pool({.folder = folder.path()}));
  }
}

/// The refusal of a folder of two digests.
std::string refusal_of(const Pool& first, const RowRange& rows, const Pool& second,
                       const RowRange& others) {
  const TemporaryFolder folder;
  write_digest(first, folder.path() / "a.digest", {.rows = rows});
  write_digest(second, folder.path() / "b.digest", {.rows = others});
  return refusal([&] { static_cast<void>(open_pool({.folder = folder.path()})); });
}

TEST_CASE("digests that are no pool together are refused by name") {
  const StrangeOptions options{.model_count = 3, .sample_count = 40, .class_count = 4};
  const Pool pool = strange_pool(options);
  CHECK(contains(refusal_of(pool, {0, 20}, pool, {25, 40}), "b.digest: begins at row 25"));
  CHECK(contains(refusal_of(pool, {0, 20}, pool, {25, 40}), "rows 20 to 24 are in no digest"));
  CHECK(contains(refusal_of(pool, {0, 20}, pool, {19, 40}), "row 19 is in"));
  CHECK(contains(refusal_of(pool, {0, 20}, pool, {0, 20}), "rows 0 to 19 are in"));
  CHECK(contains(refusal_of(pool, {5, 20}, pool, {20, 40}), "rows 0 to 4 are in no digest"));

  StrangeOptions other = options;
  other.model_count = 4;
  CHECK(contains(refusal_of(pool, {0, 20}, strange_pool(other), {20, 40}),
                 "has the model \"model_3\" where there is none"));
  CHECK(contains(refusal_of(pool, {0, 20}, strange_pool(other), {20, 40}),
                 "from the predictions of all models"));
  other = options;
  other.class_count = 5;
  CHECK(contains(refusal_of(pool, {0, 20}, strange_pool(other), {20, 40}), "has other classes"));
  Pool named = pool, renamed = pool;
  named.class_names = {"a", "b", "c", "d"};
  renamed.class_names = {"a", "b", "d", "c"};
  CHECK(contains(refusal_of(named, {0, 20}, renamed, {20, 40}),
                 "has other classes: 4, not 4, or others of these names"));
  CHECK(contains(refusal_of(pool, {0, 20}, named, {20, 40}), "names the 4 classes (\"a\", \"b\""));
  CHECK(contains(refusal_of(named, {0, 20}, pool, {20, 40}), "does not name the 4 classes"));
  other = options;
  other.kind = Kind::logits;
  CHECK(contains(refusal_of(pool, {0, 20}, strange_pool(other), {20, 40}),
                 "holds logits, not probabilities"));
  other = options;
  other.dtype = DType::float32;
  CHECK(contains(refusal_of(pool, {0, 20}, strange_pool(other), {20, 40}), "has float32 of model"));
  Pool costly = pool;
  costly.models[1].costs[Cost::params] = 3;
  CHECK(contains(refusal_of(pool, {0, 20}, costly, {20, 40}), "has other costs of model"));
}

TEST_CASE("a pool of its own says where its rows belong") {
  const Pool pool = strange_pool({.model_count = 3, .sample_count = 40});
  const TemporaryFolder folder;
  write_digest(pool, folder.path() / "b.digest");
  const DigestSummary summary =
      write_digest(pool, folder.path() / "a.digest", {.rows = RowRange{10, 30}, .first_row = 40});
  CHECK(summary.first_row == 40);
  CHECK(open_pool({.folder = folder.path()}).sample_count == 60);
  CHECK_THROWS_AS(write_digest(pool, folder.path() / "c.digest", {.first_row = 1u << 31}),
                  UsageError);
}

TEST_CASE("the classes of labels are those of all parts") {
  const auto labels = [](std::vector<double> truth, std::vector<double> a, std::vector<double> b) {
    PoolParts parts{.kind = Kind::labels, .labels = vector(truth)};
    parts.models = {model("a", vector(a)), model("b", vector(b))};
    return make_pool(std::move(parts));
  };
  const TemporaryFolder folder;
  // Rows of a pool that grew: its new rows have a class that the old ones have not.
  write_digest(labels({0, 1}, {0, 1}, {1, 1}), folder.path() / "old.digest");
  write_digest(labels({0, 1, 0, 4}, {0, 1, 1, 4}, {1, 1, -1, 2}), folder.path() / "new.digest",
               {.rows = RowRange{2, 4}});
  const Pool pool = open_pool({.folder = folder.path()});
  CHECK(pool.class_count == 5);
  CHECK(to_json(evaluate(pool, {})) ==
        to_json(evaluate(labels({0, 1, 0, 4}, {0, 1, 1, 4}, {1, 1, -1, 2}), {})));
}

TEST_CASE("rows that a pool has not, predictions beside digests and other files are refused") {
  const Pool pool = strange_pool({.model_count = 3, .sample_count = 40});
  const TemporaryFolder folder;
  for (const RowRange rows : {RowRange{0, 41}, RowRange{7, 7}, RowRange{9, 3}}) {
    CHECK_THROWS_AS(write_digest(pool, folder.path() / "a.digest", {.rows = rows}), UsageError);
  }
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a.digest"));
  write_digest(pool, folder.path() / "a.digest");
  const auto path = folder.path() / "a.digest";
  CHECK(contains(
      refusal([&] { static_cast<void>(open_pool({.files = {path}, .kind = Kind::logits})); }),
      "a digest has its true labels and its kind"));
  const auto other = folder.write("b.npy", "no array");
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.folder = folder.path()})); }),
                 "holds digests (a.digest) and predictions (b.npy)"));
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.files = {path, other}})); }),
                 "is no digest, and others are"));
  const auto text = folder.write("c.digest", "this is no digest at all");
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.files = {text}})); }), "c.digest"));
}

TEST_CASE("a missing last part is named, since every part of a whole knows how long it is") {
  const Pool pool = strange_pool({.model_count = 3, .sample_count = 40});
  const TemporaryFolder folder;
  const auto first = folder.path() / "a.digest", second = folder.path() / "b.digest";
  write_digest(pool, first, {.rows = RowRange{0, 20}});
  const auto opened = [&] { static_cast<void>(open_pool({.folder = folder.path()})); };
  CHECK(contains(refusal(opened), "a.digest: is of 40 rows, and rows 20 to 39 are in no digest"));
  CHECK(contains(refusal(opened), "Add the digest of those rows"));
  // One that is named alone is what somebody wants to see; several are a pool.
  CHECK(open_pool({.files = {first}}).sample_count == 20);
  write_digest(pool, second, {.rows = RowRange{20, 39}});
  CHECK(contains(refusal(opened), "row 39 is in no digest"));
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.files = {first, second}})); }),
                 "row 39 is in no digest"));
  write_digest(pool, second, {.rows = RowRange{20, 40}});
  CHECK(open_pool({.folder = folder.path()}).sample_count == 40);
  // New rows: those that were there first know of fewer.
  write_digest(pool, folder.path() / "c.digest", {.first_row = 40, .pool_rows = 100});
  CHECK(contains(refusal(opened), "c.digest: is of 100 rows, and rows 80 to 99 are in no digest"));
  write_digest(pool, folder.path() / "c.digest", {.first_row = 40});
  CHECK(open_pool({.folder = folder.path()}).sample_count == 80);
  CHECK_THROWS_AS(write_digest(pool, second, {.pool_rows = 39}), UsageError);
}

TEST_CASE("how long a pool is, and what its notes name, is checked like all that a stranger says") {
  Pool pool = strange_pool({.model_count = 3, .sample_count = 40});
  pool.notes = {message("{} says so", option("id_column")), "a text",
                message("{}", option("k", 3))};
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.digest";
  write_digest(pool, path, {.rows = RowRange{0, 20}});
  const Pool read = open_pool({.files = {path}});
  CHECK(read.notes == pool.notes);
  const std::string whole = content(path);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    REQUIRE(contains(text, from));
    REQUIRE(from.size() == to.size());
    text.replace(text.find(from), from.size(), to);
    folder.write("a.digest", text);
    return refusal([&] { static_cast<void>(open_pool({.files = {path}})); });
  };
  for (const char* value : {"19", "-4", "[]", "{}", "\"\""}) {
    CHECK(contains(changed(R"("pool_rows":40)", R"("pool_rows":)" + std::string(value)),
                   "about: pool_rows: is no whole number from 20 to 2147483648"));
  }
  CHECK(changed(R"("pool_rows":40)", R"("pool_rows":99)") == "nothing was refused");
  CHECK(contains(changed(R"(says so"],["a text")", R"(says no"],["a text")"),
                 "differs from the notes"));
  CHECK(contains(changed(R"("option":"id_column")", R"("option":"id column")"), "is no name"));
  CHECK(contains(changed(R"("option":"id_column")", R"("optiom":"id_column")"), "is missing"));
  CHECK(contains(changed(R"(["a text"])", R"(["a texts])"), "about"));
  CHECK(contains(changed(R"(["a text"])", R"(          )"), "about"));
  CHECK(contains(changed(R"(["a text"])", R"([[[[[ ]]]])"), "about"));
  CHECK(contains(changed(R"(["a text"])", R"("a text"  )"), "holds what is no list"));
  CHECK(contains(changed(R"(["a text"])", R"([12345678])"), "neither texts nor what they name"));
}

/// Rows of a pool as a folder of their own has them.
struct Shard {
  std::vector<double> truth;
  std::vector<std::vector<double>> said;  ///< Of each model: labels, or nothing of scores.

  [[nodiscard]] PoolParts parts(const std::vector<std::string>& names) const {
    PoolParts parts;
    parts.labels = vector(truth);
    parts.labels_file = "labels.npy";
    parts.class_names = names;
    parts.names_are_labels = !names.empty();
    for (std::size_t m = 0; m < said.size(); ++m) {
      std::vector<double> scores;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        // Two of eight for the class that is said, the others alike.
        for (int k = 0; k < 3; ++k) scores.push_back(said[m][i] == k ? 0.5 : 0.25);
      }
      const auto rows = static_cast<std::int64_t>(truth.size());
      parts.models.push_back(
          model("m" + std::to_string(m), has_scores ? matrix(rows, 3, scores) : vector(said[m])));
    }
    return parts;
  }
  bool has_scores = false;
};

/// The answers that hang on what labels mean; a refusal is one, too.
std::string answers_on(const std::function<Pool()>& make) {
  try {
    const Pool pool = make();
    return to_json(evaluate(pool, {})) + to_json(inspect(pool));
  } catch (const InputError& error) {
    return std::string("refused: ") + error.what();
  }
}

std::string answers_on_shards(const std::vector<Shard>& shards,
                              const std::vector<std::string>& names) {
  return answers_on([&] {
    const TemporaryFolder folder;
    std::uint64_t row = 0;
    for (const Shard& shard : shards) {
      write_digest(make_pool(shard.parts(names)), folder.path() / (std::to_string(row) + ".digest"),
                   {.first_row = row});
      row += shard.truth.size();
    }
    return open_pool({.folder = folder.path()});
  });
}

TEST_CASE(
    "shards that show some labels alone are the pool, or are refused and named are the pool") {
  Random random(7);
  const std::vector<std::vector<int>> labels{{0, 1, 2}, {1, 2, 3}, {-1, 1}, {1, 2}, {5, 7, 9}};
  int joined = 0, refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::vector<int>& known = labels[static_cast<std::size_t>(trial) % labels.size()];
    std::vector<std::string> names;
    for (const int label : known) names.push_back(std::to_string(label));
    const auto any = [&] { return known[random.below(known.size())]; };
    Shard whole{
        .truth = {}, .said = std::vector<std::vector<double>>(2), .has_scores = trial % 2 == 1};
    if (whole.has_scores && known.size() != 3) continue;
    std::vector<Shard> shards(2 + random.below(2), whole);
    for (Shard& shard : shards) {
      for (std::uint64_t i = 0, rows = 1 + random.below(4); i < rows; ++i) {
        const double truth = any();
        shard.truth.push_back(truth);
        whole.truth.push_back(truth);
        for (std::size_t m = 0; m < 2; ++m) {
          const double said = whole.has_scores ? static_cast<double>(random.below(3)) : any();
          shard.said[m].push_back(said);
          whole.said[m].push_back(said);
        }
      }
    }
    const std::string expected = answers_on([&] { return make_pool(whole.parts({})); });
    if (expected.starts_with("refused")) continue;
    const std::string found = answers_on_shards(shards, {});
    CAPTURE(found);
    CHECK((found == expected || found.starts_with("refused")));
    ++(found == expected ? joined : refused);
    if (found != expected) {
      CHECK((contains(found, "classes = [1, 2, 3]") || contains(found, "off by one")));
    }
    const std::string named = answers_on([&] { return make_pool(whole.parts(names)); });
    CHECK(!named.starts_with("refused"));
    CHECK(answers_on_shards(shards, names) == named);
  }
  CHECK(joined > 20);
  CHECK(refused > 20);
}

TEST_CASE("digests of labels that name classes, and of places among the same names, are no pool") {
  const TemporaryFolder folder;
  Shard shard{.truth = {1, 2}, .said = {{1, 2}, {2, 2}}};
  PoolParts places = shard.parts({"1", "2", "3"});
  places.names_are_labels = false;
  write_digest(make_pool(places), folder.path() / "a.digest");
  write_digest(make_pool(shard.parts({"1", "2", "3"})), folder.path() / "b.digest",
               {.first_row = 2});
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.folder = folder.path()})); }),
                 "its labels were the numbers that name the classes \"1\", \"2\", \"3\""));
}

TEST_CASE("what labels meant is compared where the first digest does not say it") {
  const TemporaryFolder folder;
  Shard shard{.truth = {1, 2}, .said = {{1, 2}, {2, 2}}};
  PoolParts places = shard.parts({"1", "2", "3"});
  places.names_are_labels = false;
  const Pool counted = make_pool(places), named = make_pool(shard.parts({"1", "2", "3"}));
  write_digest(counted, folder.path() / "a.digest");
  std::string text = content(folder.path() / "a.digest");
  REQUIRE(contains(text, "names_are_labels"));
  folder.write("a.digest", text.replace(text.find("names_are_labels"), 5, "other"));
  write_digest(named, folder.path() / "b.digest", {.first_row = 2});
  CHECK(open_pool({.folder = folder.path()}).sample_count == 4);
  write_digest(counted, folder.path() / "c.digest", {.first_row = 4});
  CHECK(contains(refusal([&] { static_cast<void>(open_pool({.folder = folder.path()})); }),
                 "its labels counted from 0"));
}

/// Models whose numbers a digest has to keep in types of their own.
std::vector<Pool> pools_of_types() {
  PoolParts labels{.kind = Kind::labels, .labels = vector({0, 200, 1})};
  labels.models = {model("a", vector({0, 200, 3}, DType::uint8)),
                   model("b", vector({-1, 100, 1}, DType::int8))};
  PoolParts shares{.kind = Kind::probabilities, .labels = vector({0, 1, 1})};
  shares.models = {model("a", vector({0.25, 0.5, 0.75}, DType::float16)),
                   model("b", vector({0.1, 0.6, 0.3}, DType::float64)),
                   model("c", matrix(3, 2, {0.5, 0.5, 0.3, 0.7, 0.9, 0.1}, DType::float32))};
  return {make_pool(std::move(labels)), make_pool(std::move(shares))};
}

/// What any byte changed to another brings: a refusal, or a pool that every verb can read.
TEST_CASE("a digest with any byte changed is refused or read, and never worse") {
  std::vector<Pool> pools = pools_of_types();
  for (const Kind kind : {Kind::probabilities, Kind::logits, Kind::labels}) {
    pools.push_back(strange_pool(
        {.kind = kind, .dtype = DType::float32, .model_count = 2, .sample_count = 6, .seed = 4}));
  }
  for (const Pool& pool : pools) {
    const TemporaryFolder folder;
    write_digest(pool, folder.path() / "a.digest");
    const std::string whole = content(folder.path() / "a.digest");
    for (std::size_t place = 0; place < whole.size(); ++place) {
      std::string changed = whole;
      changed[place] = static_cast<char>(changed[place] ^ (place % 2 == 0 ? 1 : 0xFF));
      folder.write("b.digest", changed);
      try {
        Pool opened = open_pool({.files = {folder.path() / "b.digest"}});
        static_cast<void>(evaluate(opened, {}));
        static_cast<void>(prune(opened, {.merit = Merit::balanced, .detail = true}));
      } catch (const Error&) {
      }
    }
    for (std::size_t length = 1; length < whole.size(); length += 7) {
      folder.write("b.digest", whole.substr(0, length));
      CHECK_THROWS_AS(static_cast<void>(open_pool({.files = {folder.path() / "b.digest"}})),
                      InputError);
    }
  }
}

}  // namespace
}  // namespace hqe::testing
