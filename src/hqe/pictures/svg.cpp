// SPDX-License-Identifier: MIT
#include "hqe/pictures/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hqe/report/display.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::string_view heavy = " font-weight=\"600\"";

std::string number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e9) return fmt::format("{:g} G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:g} M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:g} k", value / 1e3);
  return fmt::format("{:.6g}", value);
}

std::string tick_text(double value, bool percent) {
  return percent ? fmt::format("{:.6g} %", std::round(value * 1e7) / 1e5) : number(value);
}

std::string dashed(std::string_view dash) {
  return dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dash);
}

std::string_view anchor_word(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
  }
  return "start";
}

/// Text for SVG: markup escaped, displayable, so never a character that XML forbids.
std::string svg_text(std::string_view text) {
  std::string safe;
  for (const char letter : displayable(text)) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe.push_back(letter);
    }
  }
  return safe;
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int count) {
  if (!(high > low)) return {low};
  const double rough = (high - low) / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  // Between neighbouring numbers there is no room for steps, nor for so many ticks.
  for (int i = 0; i <= 2 * std::max(1, count); ++i) {
    const double tick = (first + i) * step;
    if (!(tick <= high + step * 1e-9) || (!ticks.empty() && tick <= ticks.back())) break;
    ticks.push_back(tick == 0 ? 0.0 : tick);  // Never -0.
  }
  return ticks;
}

double Axis::at(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return begin + share * (end - begin);
}

std::vector<double> Axis::ticks(int count) const {
  if (!logarithmic) return nice_ticks(low, high, count);
  std::vector<double> marks;
  const auto last = static_cast<int>(std::floor(std::log10(high)));
  for (auto exponent = static_cast<int>(std::floor(std::log10(low))); exponent <= last;
       ++exponent) {
    const double power = std::pow(10.0, exponent);
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double mark = factor * power;
      if (mark >= low && mark <= high) marks.push_back(mark);
    }
  }
  return marks;
}

Axis Axis::around(double low, double high, double begin, double end) {
  const double room = high > low ? (high - low) * 0.05 : std::max(std::abs(low) * 0.05, 1e-3);
  return {.low = low - room, .high = high + room, .begin = begin, .end = end};
}

Svg::Svg(int width, int height, std::string_view title) : width_(width), height_(height) {
  body_ = fmt::format("<title>{}</title>\n", svg_text(message_text(title)));
  box(0, 0, width, height, ink::paper);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour,
               std::string_view dash, double width) {
  body_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{}\"{}/>\n",
      x1, y1, x2, y2, colour, width, dashed(dash));
}

void Svg::circle(double x, double y, double radius, std::string_view colour, double opacity,
                 std::string_view outline) {
  body_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" fill-opacity=\"{}\" "
      "stroke=\"{}\"/>\n",
      x, y, radius, colour, opacity, outline);
}

void Svg::square(double x, double y, double half, std::string_view colour, double opacity) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
      "fill-opacity=\"{}\"/>\n",
      x - half, y - half, 2 * half, 2 * half, colour, opacity);
}

void Svg::box(double x, double y, double width, double height, std::string_view colour,
              std::string_view tooltip) {
  body_ +=
      fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"",
                  x, y, width, height, colour);
  body_ += tooltip.empty()
               ? std::string("/>\n")
               : fmt::format("><title>{}</title></rect>\n", svg_text(message_text(tooltip)));
}

void Svg::write_text(double x, double y, std::string_view words, Anchor anchor, int size,
                     std::string_view colour, std::string_view more) {
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\"{}>"
      "{}</text>\n",
      x, y, anchor_word(anchor), size, colour, more, svg_text(words));
}

void Svg::text(double x, double y, std::string_view words, Anchor anchor, int size,
               std::string_view colour, bool bold) {
  write_text(x, y, words, anchor, size, colour, bold ? heavy : "");
}

void Svg::label(double x, double y, std::string_view words, Anchor anchor, std::string_view colour,
                bool bold) {
  write_text(x, y, words, anchor, 11, colour,
             fmt::format(" paint-order=\"stroke\" stroke=\"{}\" stroke-width=\"4\"{}", ink::paper,
                         bold ? heavy : ""));
}

void Svg::text_upwards(double x, double y, std::string_view words, int size) {
  body_ += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\" "
      "font-size=\"{}\" fill=\"{}\">{}</text>\n",
      x, y, size, ink::text, svg_text(words));
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                   std::string_view dash) {
  body_ += fmt::format("<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"{}\"{} points=\"",
                       colour, dashed(dash));
  for (const auto& [x, y] : points) {
    body_ += fmt::format("{:.1f},{:.1f} ", x, y);
  }
  body_ += "\"/>\n";
}

void Svg::axes(const Axis& x, std::string_view x_name, bool x_percent, const Axis& y,
               std::string_view y_name, bool y_percent) {
  for (const double tick : y.ticks(6)) {
    line(x.begin, y.at(tick), x.end, y.at(tick), ink::grid);
    text(x.begin - 8, y.at(tick) + 4, tick_text(tick, y_percent), Anchor::end, 11);
  }
  for (const double tick : x.ticks(7)) {
    line(x.at(tick), y.begin, x.at(tick), y.begin + 5, ink::faint);
    text(x.at(tick), y.begin + 19, tick_text(tick, x_percent), Anchor::middle, 11);
  }
  line(x.begin, y.begin, x.end, y.begin, ink::faint);
  text((x.begin + x.end) / 2, y.begin + 40, x_name, Anchor::middle);
  text_upwards(x.begin - 56, (y.begin + y.end) / 2, y_name);
}

std::string Svg::finish() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"Helvetica Neue, Helvetica, Arial, sans-serif\">\n{2}</svg>\n",
      width_, height_, body_);
}

}  // namespace hqe
