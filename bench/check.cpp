// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "bench/scenarios.h"

namespace hqe::bench {

void check_correct_counts(const Pool& pool, const Contests& contests,
                          const std::vector<Team>& teams,
                          const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> literal(teams.size());
  parallel_for({}, "checking", teams.size(), 1, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t i = begin; i < end; ++i) {
      for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
        literal[i] +=
            team_answer(pool, contests.rule(), teams[i].view(), sample) == pool.true_label(sample);
      }
    }
  });
  for (std::size_t i = 0; i < teams.size(); ++i) {
    if (literal[i] == counts[i]) continue;
    throw std::runtime_error("wrong answer for team " + to_string(teams[i].view()) + ": " +
                             std::to_string(counts[i]) + ", literally " +
                             std::to_string(literal[i]));
  }
}

double anonymous_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("RssAnon:")) continue;
    double kilobytes = 0;
    std::istringstream(line.substr(8)) >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}

struct MemoryWatch::State {
  std::atomic<double> peak{0};
  std::jthread thread;
};

MemoryWatch::MemoryWatch() : state_(new State) {
  state_->thread = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      state_->peak = std::max(state_->peak.load(), anonymous_megabytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
}

MemoryWatch::~MemoryWatch() { delete state_; }

double MemoryWatch::peak_megabytes() const {
  return std::max(state_->peak.load(), anonymous_megabytes());
}

double median_seconds(int repeats, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace hqe::bench
