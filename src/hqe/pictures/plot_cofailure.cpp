// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "hqe/base/percentage.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/numbers.h"

namespace hqe {
namespace {

constexpr double cofailure_left = 230;
constexpr double cofailure_top = 80;

/// |fail_i & fail_j| / |fail_i | fail_j|: 1 = they always fail together.
double similarity(const StudyDetail& detail, std::size_t models, std::size_t i, std::size_t j) {
  const auto both = static_cast<double>(detail.co_failures[i * models + j]);
  const auto either = static_cast<double>(detail.co_failures[i * models + i]) +
                      static_cast<double>(detail.co_failures[j * models + j]) - both;
  return either > 0 ? both / either : 0;
}

/// Neighbours are alike: each next model is the one most similar to the last.
std::vector<std::size_t> similarity_order(const StudyDetail& detail, std::size_t models) {
  std::vector<std::size_t> left_over(models);
  std::iota(left_over.begin(), left_over.end(), std::size_t{0});
  std::vector<std::size_t> order;
  while (!left_over.empty()) {
    auto next = left_over.begin();
    if (!order.empty()) {
      next =
          std::max_element(left_over.begin(), left_over.end(), [&](std::size_t a, std::size_t b) {
            return similarity(detail, models, order.back(), a) <
                   similarity(detail, models, order.back(), b);
          });
    }
    order.push_back(*next);
    left_over.erase(next);
  }
  return order;
}

/// White to deep blue.
std::string shade(double share) {
  const auto mix = [share](int from, int to) {
    return static_cast<int>(std::lround(from + share * (to - from)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xf4, 0x08), mix(0xf7, 0x30), mix(0xfb, 0x6b));
}

/// What the picture shows of a study, and how large a cell of it is.
struct Matrix {
  const Study& study;
  const StudyDetail& detail;
  std::vector<std::size_t> order;  ///< Of the models.
  std::vector<std::string> names;  ///< Each stands in as many boxes as there are models.
  double cell, side;
};

Matrix matrix_of(const Study& study) {
  const StudyDetail& detail = required_detail(study, "cofailure");
  const std::size_t models = study.pool.models.size();
  const double cell = std::clamp(560.0 / static_cast<double>(models), 6.0, 40.0);
  Matrix matrix{.study = study,
                .detail = detail,
                .order = similarity_order(detail, models),
                .names = {},
                .cell = cell,
                .side = cell * static_cast<double>(models)};
  for (const PoolSummary::Member& one : study.pool.models) {
    matrix.names.push_back(shorten(one.name, 80));
  }
  return matrix;
}

void draw_row(Svg& svg, const Matrix& matrix, std::size_t row, double y) {
  const auto& [study, detail, order, names, cell, side] = matrix;
  const std::size_t models = order.size();
  const PoolSummary::Member& model = study.pool.models[order[row]];
  if (cell >= 10) {
    svg.text(cofailure_left - 8, y + cell / 2 + 4,
             fmt::format("{} {}", shorten(model.name, 26), order[row]), Anchor::end, 11);
    svg.text(cofailure_left + side + 8, y + cell / 2 + 4,
             accuracy_text(model.correct, study.pool.sample_count), Anchor::start, 11);
  }
  for (std::size_t column = 0; column < models; ++column) {
    const double share = similarity(detail, models, order[row], order[column]);
    const double x = cofailure_left + cell * static_cast<double>(column);
    svg.box(x, y, cell - 1, cell - 1, row == column ? std::string(ink::grid) : shade(share),
            fmt::format("{} and {}: {} samples", names[order[row]], names[order[column]],
                        detail.co_failures[order[row] * models + order[column]]));
    if (cell >= 26 && row != column) {
      svg.text(x + cell / 2, y + cell / 2 + 4, fraction_percentage(share, 0), Anchor::middle, 11,
               share > 0.45 ? ink::paper : ink::text);
    }
  }
}

/// What stands above the columns.
void draw_heads(Svg& svg, const Matrix& matrix) {
  for (std::size_t column = 0; matrix.cell >= 18 && column < matrix.order.size(); ++column) {
    svg.text(cofailure_left + matrix.cell * (static_cast<double>(column) + 0.5), cofailure_top - 8,
             std::to_string(matrix.order[column]), Anchor::middle, 11);
  }
  if (matrix.cell >= 10) {
    svg.text(cofailure_left + matrix.side + 8, cofailure_top - 8, "accuracy", Anchor::start, 11);
  }
}

}  // namespace

std::string plot_cofailure(const Study& study) {
  const Matrix matrix = matrix_of(study);
  Svg svg(static_cast<int>(cofailure_left + matrix.side + 90),
          static_cast<int>(cofailure_top + matrix.side + 40),
          fmt::format("{}: which models fail together", study.pool.name));
  svg.text(24, 28, fmt::format("{}: which models fail together", shorten(study.pool.name, 50)),
           Anchor::start, 15, ink::text, true);
  svg.text(24, 48,
           "Darker: a larger share of the failures of either are failures of both (number: "
           "percent).",
           Anchor::start, 12);
  for (std::size_t row = 0; row < matrix.order.size(); ++row) {
    draw_row(svg, matrix, row, cofailure_top + matrix.cell * static_cast<double>(row));
  }
  draw_heads(svg, matrix);
  return svg.finish();
}

}  // namespace hqe
