// SPDX-License-Identifier: MIT
#include "hqe/tables/table_pool.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hqe/predictions/pool.h"
#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;
using Values = std::vector<std::vector<double>>;

/// A pool as plain values.
struct Plain {
  std::vector<std::string> names, classes, notes;
  std::vector<std::int32_t> truth;
  std::vector<Values> predictions;
  bool operator==(const Plain&) const = default;
};

Plain plain_of(const Pool& pool) {
  Plain plain;
  plain.classes = pool.class_names;
  for (const Message& note : pool.notes) plain.notes.push_back(note.text());
  for (std::uint64_t i = 0; i < pool.sample_count; ++i) plain.truth.push_back(pool.true_label(i));
  for (const Model& model : pool.models) {
    plain.names.push_back(model.name);
    plain.predictions.push_back(rows_of(model.predictions));
  }
  return plain;
}

Plain read(const std::string& text, const TableColumns& columns = {}, const std::string& truth = "",
           std::optional<Kind> kind = {}) {
  const TemporaryFolder folder;
  TablePath path{
      .predictions = folder.write("p.csv", text), .truth = {}, .columns = columns, .kind = kind};
  if (!truth.empty()) path.truth = folder.write("truth.csv", truth);
  return plain_of(make_pool(read_table_pool(path)));
}

std::string table_refusal(const std::string& text, const TableColumns& columns = {},
                          const std::string& truth = "", std::optional<Kind> kind = {}) {
  return refusal([&] { static_cast<void>(read(text, columns, truth, kind)); });
}

TEST_CASE("a column of labels a model, by its headers") {
  const Plain plain = read("y,a,b\n0,0,1\n1,1,1\n1,0,1\n");
  CHECK(plain.names == std::vector<std::string>{"a", "b"});
  CHECK(plain.truth == std::vector{0, 1, 1});
  CHECK(plain.predictions == std::vector<Values>{{{0}, {1}, {0}}, {{1}, {1}, {1}}});
  CHECK(plain.classes.empty());
  CHECK(plain.notes.empty());
}

TEST_CASE("quotes, carriage returns, a byte order mark and whole fractions change nothing") {
  const Plain plain = read("y,a,b\n0,0,1\n1,1,1\n1,0,1\n");
  CHECK(read("\xEF\xBB\xBFy,\"a\",b\r\n0,0,1\r\n\"1\",1.0, 1 \r\n1,0,1e0") == plain);
  CHECK(read("y,a,b\n0,0,1\n1,1,1\n1,0,1\n\n\n") == plain);
}

TEST_CASE("text labels are classes, sorted and named; truth values are 0 and 1") {
  const Plain plain = read("y,a,b\ndog,dog,ape\ncat,cat,cat\n\"c,\"\"at\"\"\",dog,dog\n");
  CHECK(plain.classes == std::vector<std::string>{"ape", "c,\"at\"", "cat", "dog"});
  CHECK(plain.truth == std::vector{3, 2, 1});
  CHECK(plain.predictions[1] == Values{{0}, {2}, {3}});
  CHECK(read("y,a,b\nTrue,True,True\nTrue,True,False\n") == read("y,a,b\n1,1,1\n1,1,0\n"));
  CHECK(read("y,a,b\n1,True,True\n0,True,True\n") == read("y,a,b\n1,1,1\n0,1,1\n"));
}

TEST_CASE("a word or number that comes late is read as if it had come first") {
  std::string early = "id,y,a,b\n";
  for (int i = 0; i < 200; ++i) early += std::to_string(i) + ",m,m,z\n";
  const Plain plain = read(early + "1000,a,m,b\n", {.id = "id"});
  CHECK(plain.classes == std::vector<std::string>{"a", "b", "m", "z"});
  CHECK(plain.truth.back() == 0);
  CHECK(plain.truth.front() == 2);
  std::string numbers = "y,a,b\n";
  for (int i = 0; i < 200; ++i) numbers += "0,1,1\n";
  const Plain wide = read(numbers + "70000,300,1\n");
  CHECK(wide.predictions[0].back() == std::vector{300.0});
  CHECK(wide.truth.back() == 70000);
  const Plain shares = read(numbers + "1,0.5,1\n", {.models = {"a", "b"}});
  CHECK(shares.predictions[0].back() == std::vector{0.5, 0.5});
  CHECK(shares.predictions[1].back() == std::vector{0.0, 1.0});
}

TEST_CASE("rows are sorted by id, numbers by size and text by bytes") {
  const Plain sorted = read("id,y,a,b\n2,0,0,1\n10,1,1,1\n11,1,0,1\n", {.id = "id"});
  CHECK(read("id,y,a,b\n11,1,0,1\n2,0,0,1\n10,1,1,1\n", {.id = "id"}) == sorted);
  CHECK(read("id,y,a,b\nx2,1,0,1\n\"b,1\",0,0,1\nx10,1,1,1\n", {.id = "id"}) == sorted);
  CHECK(read("y,b,a,key\n1,1,0,s\n0,1,0,q\n1,1,1,r\n", {.id = "key", .models = {"a", "b"}}) ==
        sorted);
}

TEST_CASE("a header that says id is an id, with a note; a column that counts is left out") {
  const Plain named = read("id,y,a,b\n2,1,1,1\n1,0,0,1\n");
  CHECK(named.truth == std::vector{0, 1});
  REQUIRE(named.notes.size() == 1);
  CHECK(contains(named.notes[0], "\"id\" is taken as the samples' id"));
  const Plain counting = read("n,y,a,b\n7,0,0,1\n8,1,1,1\n9,0,0,0\n");
  CHECK(counting.names == std::vector<std::string>{"a", "b"});
  CHECK(contains(counting.notes.at(0), "\"n\" counts the rows and is left out"));
}

TEST_CASE("columns called model.class or model_class are shares") {
  const std::string rows = "\n0,0.25,0.75,1,0\n1,0.5,0.5,0.125,0.875\n";
  const Plain dots = read("y,a.0,a.1,b.0,b.1" + rows);
  CHECK(dots.names == std::vector<std::string>{"a", "b"});
  CHECK(dots.predictions[1] == Values{{1, 0}, {0.125, 0.875}});
  CHECK(read("y,a_0,a_1,b_0,b_1" + rows) == dots);
  CHECK(read("y,a_1,b_1,a_0,b_0\n0,0.75,0,0.25,1\n1,0.5,0.875,0.5,0.125\n") == dots);
  const Plain words =
      read("y,my_net_dog,my_net_cat,b_dog,b_cat\ndog,0.25,0.75,1,0\ncat,0.5,0.5,0,1\n");
  CHECK(words.names == std::vector<std::string>{"my_net", "b"});
  CHECK(words.classes == std::vector<std::string>{"cat", "dog"});
  CHECK(words.truth == std::vector{1, 0});
  CHECK(words.predictions[0][0] == std::vector{0.75, 0.25});
  const Plain from_one = read("y,a.1,a.2,b.1,b.2\n1,0.25,0.75,1,0\n2,0.5,0.5,0,1\n");
  CHECK(from_one.classes == std::vector<std::string>{"1", "2"});
  CHECK(from_one.truth == std::vector{0, 1});
}

TEST_CASE("one column a model of fractions is the second class's probability") {
  const Plain plain = read("target,xgb,mlp\n0,0.25,0.5\n1,1,0.75\n");
  CHECK(plain.predictions[0] == Values{{0.75, 0.25}, {0, 1}});
  CHECK(read("target,xgb,mlp\nno,0.25,0.5\nyes,1,0.75\n").classes ==
        std::vector<std::string>{"no", "yes"});
}

TEST_CASE("long tables are joined by id, whatever the order of their rows") {
  const Plain wide = read("id,y,a,b\n1,0,0,1\n2,1,1,1\n", {.id = "id"});
  const TableColumns long_columns{.label = "y", .id = "id", .model = "m"};
  CHECK(read("m,id,y,said\na,1,0,0\nb,1,0,1\na,2,1,1\nb,2,1,1\n", long_columns) == wide);
  CHECK(read("m,id,y,said\nb,2,1,1\nb,1,0,1\na,2,1,1\na,1,0,0\n", long_columns) == wide);
  const Plain shares =
      read("id,y,a.0,a.1,b.0,b.1\n1,0,0.25,0.75,1,0\n2,1,0.5,0.5,0,1\n", {.id = "id"});
  for (const char* names : {"0,1", "p_0,p_1", "class.0,class.1"}) {
    CHECK(read("m,id,y," + std::string(names) +
                   "\nb,1,0,1,0\na,2,1,0.5,0.5\na,1,0,0.25,0.75\nb,2,1,0,1\n",
               long_columns) == shares);
  }
}

TEST_CASE("two tables are joined by id") {
  const Plain wide = read("id,y,a,b\n1,0,0,1\n2,1,1,1\n", {.id = "id"});
  CHECK(read("id,a,b\n2,1,1\n1,0,1\n", {.id = "id"}, "y,id\n0,1\n1,2\n") == wide);
  CHECK(read("m,id,said\nb,2,1\nb,1,1\na,2,1\na,1,0\n", {.id = "id", .model = "m"},
             "answer,id\n1,2\n0,1\n") == wide);
  CHECK(contains(table_refusal("id,a,b\n2,1,1\n1,0,1\n", {.id = "id"}, "y,id\n0,1\n1,3\n"),
                 "truth.csv: column \"id\": the id \"2\" of "));
  CHECK(contains(table_refusal("id,a,b\n2,1,1\n1,0,1\n", {.id = "id"}, "y,id\n0,1\n1,2\n1,3\n"),
                 "p.csv: column \"id\": the id \"3\" of "));
}

TEST_CASE("what is wrong is said with file, column and the way out") {
  const TableColumns ids{.id = "id"};
  const auto says = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) CHECK_MESSAGE(contains(text, part), text, " lacks ", part);
  };
  says(table_refusal("id,y,a,b\n1,0,0,1\n1,1,1,1\n", ids),
       {"p.csv", "column \"id\"", "the id \"1\" comes twice, in rows 0 and 1", "id_column"});
  says(table_refusal("m,id,y,p\na,1,0,0\nb,1,0,1\na,2,1,1\n", {.id = "id", .model = "m"}),
       {"model \"b\" has no row of the id \"2\", which model \"a\" has"});
  says(table_refusal("m,id,y,p\nb,1,0,0\na,1,0,1\nb,2,1,1\n", {.id = "id", .model = "m"}),
       {"model \"a\" has no row of the id \"2\", which model \"b\" has"});
  says(table_refusal("m,id,y,p\na,1,0,0\nb,1,1,1\n", {.id = "id", .model = "m"}),
       {"column \"y\"", "the id \"1\" is \"0\" for model \"a\", but \"1\" for model \"b\""});
  says(table_refusal("y,label,a,b\n0,0,0,1\n"),
       {"columns \"y\", \"label\": all look like true labels", "label_column"});
  says(table_refusal("y,a,b\n0,0,1\n1,,1\n"), {"column \"a\", line 3", "an empty cell"});
  says(table_refusal("y,a,b\n0,0,1\n1,nan,1\n"), {"column \"a\", line 3", "\"nan\" is no value"});
  says(table_refusal("y,a,b\n0,0,1\n1,dog,1\n"),
       {"column \"a\", line 3", "mixed types", "columns"});
  says(table_refusal("y,a,b\ncat,cat,1\ndog,dog,1\n"), {"column \"b\"", "holds numbers"});
  says(table_refusal("y,a,b\n1,2,0\n0,1,1\n2,3,2\n"), {"column \"a\"", "off by one", "Subtract 1"});
  says(table_refusal("y,a,b\n0,0,1\n1,1\n"),
       {"line 3, column 2", "only 2 columns, but the header names 3"});
  says(table_refusal("y,a,b\n0,0,1,2\n"), {"line 2", "columns, but the header names 3"});
  says(table_refusal("y,a,b\n0,0.5,1.5\n1,0.5,0.25\n"), {"column \"b\"", "goes from 0.25 to 1.5"});
  says(table_refusal("y,a,b\n0,0.5,0.5\n1,0.5,0.25\n2,0.5,0.5\n"),
       {"column \"a\"", "no model and class", "\"0\", \"1\", \"2\""});
  says(table_refusal("0,1,2\n0,0,1\n"), {"line 1", "names of its columns"});
  says(table_refusal("y,a,a\n0,0,1\n"), {"two columns are called \"a\""});
  says(table_refusal("y,a,b\n0,0,1\n", {.label = "z"}),
       {"no column is called \"z\"", "label_column", "\"y\", \"a\", \"b\""});
  says(table_refusal("y,a.cat,a.dog,b.cat,b.dog\ncow,0.5,0.5,1,0\n"),
       {"the true label \"cow\"", "\"cat\", \"dog\""});
  says(table_refusal("y,a,b\n0.5,0,1\n"), {"column \"y\"", "fractions"});
  says(table_refusal("y,a,b\n"), {"no rows"});
}

TEST_CASE("a table larger than every buffer is read whole") {
  std::string text = "id,y,a,b\n";
  for (int i = 0; i < 100'000; ++i) {
    text += std::to_string(99'999 - i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 5) +
            ",0\n";
  }
  const Plain plain = read(text, {.id = "id"});
  REQUIRE(plain.truth.size() == 100'000);
  for (int i = 0; i < 100'000; ++i) {
    const int row = 99'999 - i;
    REQUIRE(plain.truth[static_cast<std::size_t>(i)] == row % 7);
    REQUIRE(plain.predictions[0][static_cast<std::size_t>(i)][0] == row % 5);
  }
}

}  // namespace
}  // namespace hqe
