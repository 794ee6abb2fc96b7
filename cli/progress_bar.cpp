// SPDX-License-Identifier: MIT
#include "cli/progress_bar.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "hqe/report/display.h"

namespace hqe::cli {

namespace {

constexpr auto patience = std::chrono::milliseconds(400);
constexpr auto interval = std::chrono::milliseconds(100);
constexpr auto hurry = std::chrono::milliseconds(20);
constexpr int bar_width = 30;

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

void write_terminal(const std::string& text) {
  // Nothing can be done where even the terminal refuses.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string duration_text(double duration) {
  const auto whole = std::lround(duration);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

/// "reading predictions  ━━━━━━━━            43 %  12 s left".
std::string progress_text(std::string_view stage, double share, double seconds_left) {
  const int filled = std::clamp(static_cast<int>(share * bar_width), 0, bar_width);
  std::string bar;
  for (int i = 0; i < filled; ++i) bar += "\u2501";
  bar.append(static_cast<std::size_t>(bar_width - filled), ' ');
  std::string text =
      fmt::format("{:<26} {} {:3.0f} %", shorten(displayable(stage), 40), bar, 100 * share);
  if (seconds_left >= 0) text += fmt::format("  {} left", duration_text(seconds_left));
  return text;
}

}  // namespace

void ProgressBar::show(const Progress& progress) {
  const auto now = Clock::now();
  const std::optional<double> seconds_left = time_left_.estimate(seconds(now - started_), progress);
  // What a stage says last stays on the screen until the next one says something.
  const bool is_news = progress.stage != stage_ || progress.done == progress.total;
  if (now - started_ < patience || now - drawn_ < (is_news ? hurry : interval)) return;
  const double share =
      progress.total == 0
          ? 0
          : std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  draw(now, progress.stage, progress_text(progress.stage, share, seconds_left.value_or(-1)));
}

void ProgressBar::show(std::string_view stage) {
  const auto now = Clock::now();
  if (now - started_ >= patience) draw(now, stage, std::string(stage));
}

void ProgressBar::draw(Clock::time_point now, std::string_view stage, const std::string& text) {
  drawn_ = now;
  stage_ = stage;
  write_terminal("\r\x1b[K" + text);
  is_visible_ = true;
}

void ProgressBar::erase() {
  if (is_visible_) write_terminal("\r\x1b[K");
  is_visible_ = false;
}

}  // namespace hqe::cli
