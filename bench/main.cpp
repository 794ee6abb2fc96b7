// SPDX-License-Identifier: MIT
// hqe_bench SCENARIO FOLDER THREADS [numbers...]: prints one JSON object of figures.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/scenarios.h"

namespace {

hqe::bench::Figures run(const std::string& scenario, const std::string& folder,
                        const std::vector<int>& numbers) {
  namespace bench = hqe::bench;
  const auto number = [&](std::size_t place, int otherwise) {
    return place < numbers.size() ? numbers[place] : otherwise;
  };
  const int threads = number(0, 0);
  if (scenario == "sum") return bench::plain_sum(folder, threads);
  if (scenario == "scores") return bench::all_scores(folder, threads, number(1, 5));
  if (scenario == "all-teams") return bench::all_teams(folder, threads, number(1, 3));
  if (scenario == "triples") return bench::triple_counts(folder, threads, number(1, 3));
  if (scenario == "tiers") return bench::tiers(folder, threads, number(1, 5), number(2, 5));
  if (scenario == "hierarchical") {
    return bench::hierarchical(folder, threads, number(1, 5),
                               static_cast<std::uint64_t>(number(2, 0)), number(3, 1));
  }
  throw hqe::UsageError("unknown scenario '" + scenario +
                        "'. Use sum, scores, all-teams, triples, tiers or hierarchical");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: hqe_bench SCENARIO FOLDER [THREADS [NUMBERS...]]\n", stderr);
    return 2;
  }
  try {
    std::vector<int> numbers;
    for (int i = 3; i < argc; ++i) numbers.push_back(std::stoi(argv[i]));
    std::string line = "{";
    for (const auto& [name, value] : run(argv[1], argv[2], numbers)) {
      char text[64];
      std::snprintf(text, sizeof text, "%s\"%s\": %.9g", line.size() > 1 ? ", " : "", name.c_str(),
                    value);
      line += text;
    }
    std::puts((line + "}").c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hqe_bench: %s\n", error.what());
    return 1;
  }
}
