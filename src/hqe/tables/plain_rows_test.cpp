// SPDX-License-Identifier: MIT
#include "hqe/tables/plain_rows.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/predictions/pool.h"
#include "hqe/tables/table_pool.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;
using Cells = std::vector<std::vector<std::string>>;

/// Everything that a pool holds, or why there is none.
std::string told(const std::string& text, const TableColumns& columns) {
  const TemporaryFolder folder;
  std::string told;
  try {
    const Pool pool = make_pool(read_table_pool(
        {.predictions = folder.write("p.csv", text), .truth = {}, .columns = columns, .kind = {}}));
    for (const std::string& name : pool.class_names) told += name + " ";
    for (const Message& note : pool.notes) told += note.text() + "\n";
    for (std::uint64_t i = 0; i < pool.sample_count; ++i) {
      told += std::to_string(pool.true_label(i)) + " ";
    }
    for (const Model& model : pool.models) {
      told += model.name + ":";
      for (const auto& row : rows_of(model.predictions)) {
        for (const double value : row) told += " " + fmt::format("{}", value);
      }
    }
  } catch (const InputError& error) {
    told = std::string("refused: ") + error.what();
    // The folder is another each time.
    told.erase(0, told.find("p.csv"));
  }
  return told;
}

/// Quoted cells are read one by one.
std::string written(const Cells& cells, bool quoted, const std::string& line_end) {
  std::string text;
  for (const auto& row : cells) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += quoted ? '"' + row[i] + '"' : row[i];
    }
    text += line_end;
  }
  return text;
}

using Draw = std::string (*)(Random&);

/// What columns of models and true labels are made of.
const std::vector<Draw> kinds{
    [](Random& random) { return std::to_string(random.below(10)); },
    [](Random& random) { return std::to_string(random.below(4)) + ".0"; },
    [](Random& random) { return std::to_string(random.below(1200)); },
    [](Random& random) { return std::to_string(static_cast<int>(random.below(130)) - 1); },
    [](Random& random) { return std::to_string(random.below(1'000'000'000'000) % 70'000); },
    [](Random& random) { return std::string(1 + random.below(18), "abcd"[random.below(4)]); },
    [](Random& random) {
      const std::string digits = std::to_string(random.below(1'000'000'000'000));
      return "0." + digits.substr(0, 1 + random.below(digits.size()));
    },
};

/// A cell that a column of that kind may hold once, or must not.
const std::vector<std::string> odd{"",
                                   "NA",
                                   "nan",
                                   "1e0",
                                   "-0",
                                   "1.",
                                   "2.50",
                                   "word",
                                   "+1",
                                   "1e999",
                                   " 1 ",
                                   "99999",
                                   "123456789012345678901",
                                   "0.1",
                                   "-1.5",
                                   "007"};

Cells drawn(Random& random, bool text_ids) {
  const std::size_t models = 1 + random.below(12);
  Cells cells(1, {"id", "y"});
  for (std::size_t i = 0; i < models; ++i) cells[0].push_back("m" + std::to_string(i));
  const Draw truth = kinds[random.below(kinds.size() - 1)];
  const Draw said = random.below(3) == 0 ? kinds[random.below(kinds.size())] : truth;
  const std::size_t rows = 3 + random.below(150);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string number = std::to_string(random.below(5) == 0 ? rows * 2 - row : row);
    cells.push_back({text_ids ? "sample-" + number : number, truth(random)});
    for (std::size_t i = 0; i < models; ++i) cells.back().push_back(said(random));
  }
  if (random.below(2) == 0) {
    auto& row = cells[1 + random.below(rows)];
    row[random.below(row.size())] = odd[random.below(odd.size())];
  }
  return cells;
}

TEST_CASE("rows read quickly are rows read cell by cell") {
  Random random(7);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    const Cells cells = drawn(random, round % 3 == 0);
    const std::string line_end = round % 4 == 0 ? "\r\n" : "\n";
    const std::string quick = told(written(cells, false, line_end), {.id = "id"});
    CHECK_MESSAGE(quick == told(written(cells, true, line_end), {.id = "id"}), round);
    refused += quick.starts_with("p.csv") ? 1 : 0;
  }
  CHECK(refused > 100);
  CHECK(refused < 500);
}

TEST_CASE("long tables and columns left out are read quickly and cell by cell alike") {
  Random random(8);
  for (int round = 0; round < 60; ++round) {
    Cells cells{{"model", "id", "note", "y", "said"}};
    const std::uint64_t samples = 5 + random.below(40);
    for (std::uint64_t i = 0; i < samples * 3; ++i) {
      const std::string id = std::to_string(i / 3 * 7 % 1'000'003);
      cells.push_back({"model " + std::to_string(i % 3), id, random.below(3) == 0 ? "" : "kept out",
                       std::to_string(i / 3 % 4), std::to_string(random.below(4))});
    }
    const TableColumns columns{.id = "id", .model = "model", .models = {"said"}};
    const std::string quick = told(written(cells, false, "\n"), columns);
    CHECK(quick == told(written(cells, true, "\n"), columns));
    CHECK(quick.find("model 2:") != std::string::npos);
  }
}

/// A number in [0, 1) as somebody's program writes it.
std::string share(Random& random) {
  const double value = static_cast<double>(random.below(std::uint64_t{1} << 53)) / 9007199254740992;
  const double small = value / static_cast<double>(1 + random.below(1'000'000));
  switch (random.below(9)) {
    case 0:
      return fmt::format("{}", value);  // As pandas and polars do.
    case 1:
      return fmt::format("{}", small);
    case 2:
      return fmt::format("{}", static_cast<float>(value));
    case 3:
      return fmt::format("{:.3e}", small);
    case 4:
      return fmt::format("{:.18e}", value);  // As np.savetxt does.
    case 5:
      return fmt::format("{:.{}f}", value, random.below(25));
    case 6:
      return random.below(2) == 0 ? "0" : "1";
    case 7:
      return random.below(2) == 0 ? "0.0" : "1.0";
    default:
      return fmt::format("{:.7f}", small);
  }
}

TEST_CASE("shares are the nearest doubles, however they are written") {
  Random random(9);
  for (const std::string line_end : {"\n", "\r\n"}) {
    const TemporaryFolder folder;
    std::string text = "id,y,a.0,a.1,a.2,b.0,b.1,b.2" + line_end;
    std::vector<std::vector<double>> expected;
    for (int row = 0; row < 4000; ++row) {
      text += fmt::format("{},{}", row, row % 3);
      expected.emplace_back();
      for (int i = 0; i < 6; ++i) {
        const std::string cell = share(random);
        text += "," + cell;
        expected.back().push_back(std::strtod(cell.c_str(), nullptr));
      }
      text += line_end;
    }
    const PoolParts parts =
        read_table_pool({.predictions = folder.write("p.csv", text), .columns = {}, .kind = {}});
    REQUIRE(parts.models.size() == 2);
    const auto first = rows_of(parts.models[0].predictions);
    const auto second = rows_of(parts.models[1].predictions);
    std::size_t different = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      std::vector<double> said = first[row];
      said.insert(said.end(), second[row].begin(), second[row].end());
      different += said == expected[row] ? 0 : 1;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("pairs of short labels are read as one after another, whatever stands beside them") {
  Random random(10);
  for (int round = 0; round < 200; ++round) {
    Cells cells{{"id", "y", "a", "b", "c", "d", "e"}};
    for (std::uint64_t row = 0; row < 60; ++row) {
      cells.push_back({std::to_string(row)});
      for (int i = 0; i < 6; ++i) {
        std::string cell = std::to_string(random.below(random.below(2) == 0 ? 12 : 30'000));
        if (random.below(3) == 0) cell = cell.substr(0, 1 + random.below(cell.size()));
        cells.back().push_back(cell);
      }
    }
    if (round % 2 == 1) {
      const std::vector<std::string> strange{"-1", "1.0", "\x8A", "\xFF", "40000", "", "x"};
      cells[1 + random.below(60)][1 + random.below(6)] = strange[random.below(strange.size())];
    }
    if (round % 4 == 2) {  // A row in two lines.
      auto& whole = cells[1 + random.below(60)];
      const auto middle = whole.begin() + 2 + static_cast<std::ptrdiff_t>(random.below(4));
      std::vector<std::string> rest(middle, whole.end());
      whole.erase(middle, whole.end());
      cells.insert(cells.begin() + (&whole - cells.data()) + 1, std::move(rest));
    }
    const std::string quick = told(written(cells, false, "\n"), {.id = "id"});
    CHECK(quick == told(written(cells, true, "\n"), {.id = "id"}));
    if (round % 4 == 2) CHECK(quick.starts_with("p.csv"));
  }
}

}  // namespace
}  // namespace hqe
