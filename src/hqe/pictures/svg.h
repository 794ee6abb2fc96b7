// SPDX-License-Identifier: MIT
/// A small drawing board that writes SVG: what the static figures share.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hqe {

/// Colours that stay apart for colour-blind readers (Okabe and Ito 2008).
namespace ink {
inline constexpr std::string_view text = "#1f2933";
inline constexpr std::string_view faint = "#9aa5b1";
inline constexpr std::string_view grid = "#e4e7eb";
inline constexpr std::string_view kept = "#d55e00";
inline constexpr std::string_view pruned = "#8593a3";
inline constexpr std::string_view accent = "#0072b2";
inline constexpr std::string_view paper = "#ffffff";
}  // namespace ink

/// Whole or half steps of 1, 2 or 5 times a power of ten that cover [low, high] in about `count`.
[[nodiscard]] std::vector<double> nice_ticks(double low, double high, int count);

/// A line from data to pixels.
struct Axis {
  double low = 0, high = 1;   ///< In data.
  double begin = 0, end = 1;  ///< In pixels.
  bool logarithmic = false;

  [[nodiscard]] double at(double value) const;
  /// Where marks stand.
  [[nodiscard]] std::vector<double> ticks(int count) const;
  /// An axis for these values with a little room at both ends.
  [[nodiscard]] static Axis around(double low, double high, double begin, double end);
};

enum class Anchor { start, middle, end };

/// Collects marks in drawing order.
class Svg {
 public:
  Svg(int width, int height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view colour,
            std::string_view dash = "", double width = 1);
  void circle(double x, double y, double radius, std::string_view colour, double opacity = 1,
              std::string_view outline = "none");
  void square(double x, double y, double half, std::string_view colour, double opacity = 1);
  void box(double x, double y, double width, double height, std::string_view colour,
           std::string_view tooltip = "");
  void text(double x, double y, std::string_view words, Anchor anchor = Anchor::start,
            int size = 12, std::string_view colour = ink::text, bool bold = false);
  /// Text that stays readable on top of marks: it has a rim of paper.
  void label(double x, double y, std::string_view words, Anchor anchor = Anchor::start,
             std::string_view colour = ink::text, bool bold = false);
  /// Reads upwards.
  void text_upwards(double x, double y, std::string_view words, int size = 12);
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                std::string_view dash = "");

  /// Grid, marks and names of both axes; `percent` writes an axis' numbers as percentages.
  void axes(const Axis& x, std::string_view x_name, bool x_percent, const Axis& y,
            std::string_view y_name, bool y_percent);

  [[nodiscard]] std::string finish() const;

 private:
  void write_text(double x, double y, std::string_view words, Anchor anchor, int size,
                  std::string_view colour, std::string_view more);

  std::string body_;
  int width_, height_;
};

}  // namespace hqe
