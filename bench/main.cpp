// SPDX-License-Identifier: MIT
// hqe_bench SCENARIO FOLDER [NAME=VALUE...]: prints one JSON object of figures.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <string_view>

#include "bench/scenarios.h"

namespace {

using hqe::bench::Figures;
using hqe::bench::Settings;

const std::map<std::string_view, Figures (*)(const Settings&)> scenarios{
    {"describe", hqe::bench::describe},
    {"check", hqe::bench::check_drawn_teams},
    {"check-given", hqe::bench::check_given_teams},
    {"sum", hqe::bench::plain_sum},
    {"scores", hqe::bench::all_scores},
    {"all-teams", hqe::bench::all_teams},
    {"triples", hqe::bench::triple_counts},
    {"hierarchical", hqe::bench::hierarchical},
    {"tiers", hqe::bench::tiers},
    {"greedy", hqe::bench::greedy},
    {"output", hqe::bench::output},
};

void set(Settings& settings, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  const std::map<std::string_view, int*> numbers{{"threads", &settings.threads},
                                                 {"repeats", &settings.repeats},
                                                 {"size", &settings.size},
                                                 {"draws", &settings.draws}};
  if (const auto known = numbers.find(name); known != numbers.end()) {
    *known->second = std::stoi(value);
  } else if (name == "keep") {
    settings.keep = std::stoull(value);
  } else if (name == "team") {
    settings.teams.push_back(value);
  } else {
    throw hqe::UsageError("unknown setting '" + name + "'");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || !scenarios.contains(argv[1])) {
    std::string names;
    for (const auto& [name, scenario] : scenarios) names += " " + std::string(name);
    std::fprintf(stderr, "usage: hqe_bench SCENARIO FOLDER [NAME=VALUE...]\nscenarios:%s\n",
                 names.c_str());
    return 2;
  }
  try {
    Settings settings{.folder = argv[2]};
    for (int i = 3; i < argc; ++i) set(settings, argv[i]);
    std::string line;
    for (const auto& [name, value] : scenarios.at(argv[1])(settings)) {
      char number[32];
      std::snprintf(number, sizeof number, "%.9g", value);
      line += (line.empty() ? "\"" : ", \"") + name + "\": " + number;
    }
    std::puts(("{" + line + "}").c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hqe_bench: %s\n", error.what());
    return 1;
  }
}
