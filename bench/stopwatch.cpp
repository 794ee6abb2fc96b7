// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "bench/scenarios.h"

namespace hqe::bench {
namespace {

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

}  // namespace

struct MemoryWatch::State {
  std::atomic<double> peak{0};
  std::jthread thread;  // Last: it must end before the rest goes away.
};

MemoryWatch::MemoryWatch() : state_(std::make_unique<State>()) {
  state_->thread = std::jthread([state = state_.get()](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      state->peak = std::max(state->peak.load(), anonymous_megabytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
}

MemoryWatch::~MemoryWatch() = default;

double MemoryWatch::peak_megabytes() const {
  return std::max(state_->peak.load(), anonymous_megabytes());
}

double median_seconds(int repeats, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < std::max(1, repeats); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace hqe::bench
