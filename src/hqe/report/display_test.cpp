// SPDX-License-Identifier: MIT
#include "hqe/report/display.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "hqe/report/numbers.h"
#include "hqe/report/table.h"

namespace hqe {
namespace {

TEST_CASE("a stranger's name cannot move the cursor or colour the screen") {
  CHECK(displayable("\x1b[31mred\n\xff") == "\\x1b[31mred\\x0a\\xff");
  CHECK(displayable("\xc2\x9b") == "\\u009b");  // the one-byte escape sequence of ISO 6429
  CHECK(displayable("\u202Eabc\uFEFF") == "\\u202eabc\\ufeff");
  CHECK(displayable("\U000E0041") == "\\U000e0041");
  CHECK(displayable("Zürich 東京") == "Zürich 東京");
}

TEST_CASE("a page keeps its own line feeds and colours, and nobody else's") {
  const std::string page = painted("good", Paint::good, true) + "\n";
  CHECK(page_text(page, true) == page);
  CHECK(page_text(page, false) == "\\x1b[32mgood\\x1b[0m\n");
  CHECK(page_text("a\x1b[2Jb\u202Ec\n", true) == "a\\x1b[2Jb\\u202ec\n");
}

TEST_CASE("a message of usual length stays, and a long name in it loses its middle") {
  CHECK(message_text("pool/a.npy: row 3: NaN found") == "pool/a.npy: row 3: NaN found");
  const std::string long_name(10'000, 'n');
  const std::string message = message_text(long_name + ": there is no such folder");
  CHECK(message.ends_with("n: there is no such folder"));
  CHECK(display_width(message) < 240);
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "ab ";
  CHECK(display_width(message_text(many)) == 1'000);
}

TEST_CASE("cells of a table cannot leave it") {
  Table table({{"model", Table::Align::left}, {"size"}});
  table.add({"a\nb\x1b[1m", std::string(10'000, '9')});
  const std::string text = table.text(100, false);
  CHECK(text.find("a\\x0ab\\x1b[1m") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 2);
  CHECK(text.size() < 300);
}

TEST_CASE("width counts columns, not bytes") {
  CHECK(display_width("resnet50") == 8);
  CHECK(display_width("Zürich") == 6);
  CHECK(display_width("東京") == 4);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("🙂") == 2);
}

TEST_CASE("a long name loses its middle and keeps its ends") {
  CHECK(shorten("Meta-Llama-3_1-70B-Instruct", 11) == "Meta-\u2026truct");
  CHECK(shorten("resnet50", 8) == "resnet50");
  CHECK(shorten("resnet50", 1) == "\u2026");
  for (int width = 1; width < 12; ++width) {
    CHECK(display_width(shorten("東京都港区芝公園", width)) <= width);
  }
}

TEST_CASE("wrapped lines fit, and no word is lost") {
  const auto lines = wrap("one two  three four", 9);
  CHECK(lines == std::vector<std::string>{"one two", "three", "four"});
  CHECK(wrap("of 25.4 %), more", 8) == std::vector<std::string>{"of", "25.4 %),", "more"});
  CHECK(wrap("", 9) == std::vector<std::string>{""});
  CHECK(wrap("abcdefghijkl", 5) == std::vector<std::string>{"ab\u2026kl"});
}

TEST_CASE("a table aligns numbers to the right and names to the left") {
  Table table({{"model", Table::Align::left}, {"correct"}});
  table.add({"a", "9"});
  table.add({"Zürich", "1,234"});
  CHECK(table.text(100, false) ==
        "  model   correct\n"
        "  a             9\n"
        "  Zürich    1,234\n");
}

TEST_CASE("a table that is too wide wraps the column that gives way") {
  Table table({{"team", Table::Align::left, true}, {"score"}});
  table.add({"alexnet, resnet50, vgg16, densenet161", "0.5"});
  CHECK(table.text(30, false) ==
        "  team                   score\n"
        "  alexnet, resnet50,       0.5\n"
        "  vgg16, densenet161\n");
}

TEST_CASE("an extra column goes before a word is cut") {
  Table table({{"team", Table::Align::left, true},
               {"accuracy"},
               {"params", Table::Align::right, false, true}});
  table.add({"9,10,11,12,13", "91.20 %", "-99 %"});
  CHECK(table.text(29, false, 0) == "team           accuracy\n9,10,11,12,13   91.20 %\n");
  CHECK(table.text(31, false, 0).find("-99 %") != std::string::npos);
}

TEST_CASE("colour changes no width and is absent unless asked for") {
  Table table({{""}, {""}});
  table.add({{"1", Paint::good}, "2"});
  CHECK(table.text(100, false) == "  1  2\n");
  CHECK(table.text(100, true) == "  \x1b[32m1\x1b[0m  2\n");
}

TEST_CASE("numbers read as people write them") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(1234567) == "1,234,567");
  CHECK(accuracy_text(9431, 10000) == "94.31 %");
  CHECK(accuracy_text(0, 0) == "-");
  CHECK(gain_text(9510, 9431, 10000) == "+0.79");
  CHECK(gain_text(9431, 9431, 10000) == "0.00");
  CHECK(gain_text(9400, 9431, 10000) == "-0.31");
  CHECK(reduction_text(0.618) == "-62 %");
  CHECK(reduction_text(-0.05) == "+5 %");
  CHECK(reduction_text(0.001) == "0 %");
  CHECK(quantity_text(25.6e6) == "25.6 M");
  CHECK(quantity_text(0.71) == "0.710");
  CHECK(quantity_text(0) == "0");
  CHECK(quantity_text(1) == "1.00");
  CHECK(quantity_text(12.34) == "12.3");
  CHECK(quantity_text(123.4) == "123");
  CHECK(quantity_text(9.996) == "10.0");
  CHECK(quantity_text(999.4) == "999");
  CHECK(quantity_text(999.6) == "1.00 k");
  CHECK(quantity_text(1234) == "1.23 k");
  CHECK(quantity_text(0.0009996) == "0.00100");
  CHECK(quantity_text(0.000123456) == "0.000123");
  CHECK(quantity_text(1.234e-9) == "1.23e-09");
  CHECK(quantity_text(4.5e15) == "4500 T");
  CHECK(quantity_text(1.5e300) == "1.50e+288 T");
  CHECK(quantity_text(999999) == "1.00 M");
  CHECK(counted(1, "team") == "1 team");
  CHECK(counted(1000, "team") == "1,000 teams");
}

}  // namespace
}  // namespace hqe
