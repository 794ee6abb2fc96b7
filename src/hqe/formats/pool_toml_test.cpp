// SPDX-License-Identifier: MIT
#include "hqe/formats/pool_toml.h"

#include <doctest/doctest.h>

#include "tests/support/io.h"

namespace hqe {
namespace {

using namespace testing;

std::string toml_refusal(const std::string& text) {
  return refusal([&] { static_cast<void>(read_pool_toml(text, "pool.toml")); });
}

TEST_CASE("everything that the format knows is read") {
  const PoolToml toml = read_pool_toml(R"(
name = "pets"
kind = "labels"
models = ["b", "a.v2"]
classes = ["cat", "dog"]
about = "A"
licence = "B"
source = "C"
[cost."a.v2"]
params = 25.6e6
gflops = 4
latency_ms = 23.0
memory_mb = 0
lipschitz = 12.5
)",
                                       "pool.toml");
  CHECK(toml.name == "pets");
  CHECK(toml.kind == Kind::labels);
  CHECK(toml.models == std::vector<std::string>{"b", "a.v2"});
  CHECK(toml.classes == std::vector<std::string>{"cat", "dog"});
  CHECK(toml.about + toml.licence + toml.source == "ABC");
  REQUIRE(toml.costs.size() == 1);
  const auto& [model, costs] = toml.costs[0];
  CHECK(model == "a.v2");
  CHECK(costs[Cost::params] == 25.6e6);
  CHECK(costs[Cost::gflops] == 4);
  CHECK(costs[Cost::latency_ms] == 23);
  CHECK(costs[Cost::memory_mb] == 0);
  CHECK(costs.lipschitz == 12.5);
}

TEST_CASE("classes may be the numbers that labels are") {
  const PoolToml toml = read_pool_toml("classes = [-1, 12]", "pool.toml");
  CHECK(toml.classes == std::vector<std::string>{"-1", "12"});
  CHECK(toml.classes_are_labels);
  CHECK_FALSE(read_pool_toml("classes = ['1', '2']", "pool.toml").classes_are_labels);
  CHECK(contains(toml_refusal("classes = [1, '2']"), "must be all texts or all whole numbers"));
  CHECK(contains(toml_refusal("classes = ['1', 2]"), "must be a text in quotes"));
  CHECK(contains(toml_refusal("classes = [1, 2.5]"), "all whole numbers"));
  CHECK(contains(toml_refusal("classes = [3, 3]"), "the class 3 is listed twice"));
}

TEST_CASE("a Lipschitz bound may be an estimate, and hold near samples only") {
  const PoolToml toml = read_pool_toml(
      "[cost.a]\nlipschitz = 2\nlipschitz_radius = 0.5\nlipschitz_norm = 'l2'\n"
      "lipschitz_estimated = true\n[cost.b]\nlipschitz = 3\n",
      "pool.toml");
  REQUIRE(toml.costs.size() == 2);
  CHECK(toml.costs[0].second.lipschitz_radius == 0.5);
  CHECK(toml.costs[0].second.lipschitz_estimated);
  CHECK_FALSE(toml.costs[1].second.lipschitz_radius);
  CHECK_FALSE(toml.costs[1].second.lipschitz_estimated);
  CHECK(contains(toml_refusal("[cost.a]\nlipschitz_estimated = 1"), "must be true or false"));
  CHECK(contains(toml_refusal("[cost.a]\nlipschitz_norm = 'l3'"), "must be \"l2\" or \"linf\""));
  CHECK(
      contains(toml_refusal("[cost.a]\nlipschitz_radius = -1"), "must be finite and not negative"));
}

TEST_CASE("how costs were measured may be said, in numbers") {
  const std::string text =
      "[cost.a]\nlatency_ms = 2\nlatency_spread_ms = 0.1\nlatency_batch = 1\ncpu_ms = 1.9\n"
      "file_bytes = 123456\n";
  const PoolToml toml = read_pool_toml(text, "pool.toml");
  REQUIRE(toml.costs.size() == 1);
  CHECK(toml.costs[0].second[Cost::latency_ms] == 2);
  CHECK_FALSE(toml.costs[0].second[Cost::params]);
  CHECK(contains(toml_refusal("[cost.a]\ncpu_ms = 'some'"), "\"cpu_ms\" must be a number"));
  CHECK(contains(toml_refusal("[cost.a]\nfile_bytes = -1"), "must be finite and not negative"));
  CHECK(contains(toml_refusal("[cost.a]\nfile_byte = 1"), "Did you mean \"file_bytes\"?"));
}

TEST_CASE("an empty file says nothing") {
  const PoolToml toml = read_pool_toml("", "pool.toml");
  CHECK_FALSE(toml.kind);
  CHECK_FALSE(toml.models);
  CHECK(toml.costs.empty());
}

TEST_CASE("an unknown key is refused with the nearest known one") {
  CHECK(contains(toml_refusal("modles = []"),
                 "line 1, column 10: unknown key \"modles\". Did you mean \"models\"?"));
  CHECK(contains(toml_refusal("license = 'MIT'"), "Did you mean \"licence\"?"));
  CHECK(contains(toml_refusal("[cost.a]\nflops = 1"), "Did you mean \"gflops\"?"));
  CHECK(contains(toml_refusal("kind = 'probability'"), "Did you mean \"probabilities\"?"));
}

TEST_CASE("values of the wrong type are refused") {
  CHECK(contains(toml_refusal("name = 3"), "\"name\" must be a text in quotes"));
  CHECK(contains(toml_refusal("models = 'a'"), "\"models\" must be a list of texts"));
  CHECK(contains(toml_refusal("models = ['a', 1]"), "\"models\" must be a text"));
  CHECK(contains(toml_refusal("cost = 1"), "\"cost\" must be one table a model"));
  CHECK(contains(toml_refusal("[cost]\na = 1"), "\"a\" must be a table of costs"));
  CHECK(contains(toml_refusal("[cost.a]\nparams = 'many'"), "\"params\" must be a number"));
  CHECK(contains(toml_refusal("[cost.a]\nparams = true"), "\"params\" must be a number"));
}

TEST_CASE("costs are finite and not negative") {
  for (const char* value : {"-1", "inf", "nan", "-0.5"}) {
    CAPTURE(value);
    CHECK(contains(toml_refusal(std::string("[cost.a]\nparams = ") + value),
                   "A cost must be finite and not negative"));
  }
}

TEST_CASE("a model name cannot leave the folder, nor occur twice") {
  for (const char* name : {"../x", "a/b", "a\\\\b", "..", ".", "", "/etc/passwd", "a\\u0000"}) {
    CAPTURE(name);
    CHECK(
        contains(toml_refusal(std::string("models = [\"") + name + "\"]"), "is not a model name"));
  }
  CHECK(contains(toml_refusal("models = ['a', 'b', 'a']"), "the model \"a\" is listed twice"));
  CHECK(contains(toml_refusal("models = []"), "empty"));
}

TEST_CASE("what is not TOML is refused with its place") {
  CHECK(contains(toml_refusal("name = \n"), "pool.toml: line 1, column 8: not valid TOML"));
  CHECK(contains(toml_refusal("name = 'a'\nname = 'b'"), "line 2"));
  CHECK(contains(toml_refusal("a = " + std::string(10'000, '[')), "not valid TOML"));
}

TEST_CASE("letters beyond ASCII are understood in quotes and refused elsewhere") {
  CHECK(contains(toml_refusal("name = 'a'\nname1= \xCF\xBD"
                              "79\x01$-81{F\n"),
                 "pool.toml: line 2, column 8: not valid TOML"));
  CHECK(read_pool_toml("\xEF\xBB\xBFname = \"K\xC3\xB6ln\" # \xC3\xA4", "").name == "K\xC3\xB6ln");
  CHECK(read_pool_toml("[cost.\"\xC3\xA4\"]\nparams = 1", "").costs.size() == 1);
}

TEST_CASE("a key of very many parts is refused, wherever it hides") {
  std::string deep = "a";
  for (int i = 0; i < 200'000; ++i) deep += ".a";
  const std::vector<std::string> hideouts{"",
                                          "[",
                                          "x = {",
                                          "x = ['a.b', {",
                                          "# '\n",
                                          "x = '''\n\"''' # \"\n",
                                          "x = \"\"\"a\\\"\"\"\"\"\n",
                                          "x = \"\\\"\" # \"\n"};
  for (const std::string& start : hideouts) {
    CAPTURE(start);
    CHECK(contains(toml_refusal(start + deep + " = 1\n"), "a key of too many parts"));
  }
  const std::string harmless = "about = '1.2.3.4.5.6.7.8.9.10.11' # 1.2.3.4.5.6.7.8.9.10";
  CHECK(read_pool_toml(harmless, "").about == "1.2.3.4.5.6.7.8.9.10.11");
}

}  // namespace
}  // namespace hqe
