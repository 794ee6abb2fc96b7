// SPDX-License-Identifier: MIT
#include "hqe/base/time_left.h"

#include <doctest/doctest.h>

#include <functional>

namespace hqe {
namespace {

/// Plays work of `seconds`, of which share_at(t) is done after t seconds, and calls `check` with
/// every estimate and what is really left.
void play(double seconds, const std::function<double(double)>& share_at,
          const std::function<void(double at, double told, double left)>& check) {
  TimeLeft time_left;
  constexpr std::uint64_t total = 1'000'000;
  for (double at = 0; at < seconds; at += 0.05) {
    const auto done = static_cast<std::uint64_t>(share_at(at) * static_cast<double>(total));
    if (const auto told = time_left.estimate(100 + at, {"work", done, total})) {
      check(at, *told, seconds - at);
    }
  }
}

TEST_CASE("time left is exact for work of a steady pace, and told within its first second") {
  const auto first_told = [](double seconds) {
    double first = -1;
    play(
        seconds, [&](double at) { return at / seconds; },
        [&](double at, double told, double left) {
          if (first < 0) first = at;
          CHECK(told == doctest::Approx(left).epsilon(0.02));
        });
    return first;
  };
  CHECK(first_told(20) == doctest::Approx(1).epsilon(0.06));
  CHECK(first_told(2) == doctest::Approx(0.25).epsilon(0.21));
}

TEST_CASE("a first piece that is slow, or was done before, is nothing to go by") {
  TimeLeft time_left;
  // Threads start, tables are filled: half a second for a hundredth of what is left.
  CHECK(!time_left.estimate(0, {"comparing", 7, 100}));
  CHECK(!time_left.estimate(0.6, {"comparing", 8, 100}));
  CHECK(!time_left.estimate(0.8, {"comparing", 12, 100}));
  CHECK(*time_left.estimate(1.2, {"comparing", 30, 100}) < 7);
}

TEST_CASE("time left is right within a factor of two soon after the pace has changed") {
  // A third of the work in the first half of the time, or two thirds of it.
  for (const double early : {1.0 / 3, 2.0 / 3}) {
    const auto share_at = [&](double at) {
      return at < 10 ? early * at / 10 : early + (1 - early) * (at - 10) / 10;
    };
    play(20, share_at, [&](double at, double told, double left) {
      INFO(early, " ", at);
      CHECK(told <= 2 * left + 0.3);
      CHECK(told >= left / 2 - 0.3);
    });
  }
}

TEST_CASE("a stage that begins again is a new one, under its old name too") {
  TimeLeft time_left;
  for (int tenth = 0; tenth <= 100; ++tenth) {
    (void)time_left.estimate(tenth * 0.1, {"growing", static_cast<std::uint64_t>(tenth), 100});
  }
  CHECK(!time_left.estimate(10.1, {"growing", 1, 100}));
  CHECK(*time_left.estimate(11.6, {"growing", 16, 100}) == doctest::Approx(8.4));
  CHECK(!time_left.estimate(11.7, {"counting", 50, 100}));
}

TEST_CASE("nothing is told while nothing is known") {
  TimeLeft time_left;
  CHECK(!time_left.estimate(0, {"work", 0, 0}));
  CHECK(!time_left.estimate(5, {"work", 0, 0}));
  CHECK(!time_left.estimate(9, {"work", 0, 10}));
}

}  // namespace
}  // namespace hqe
