// SPDX-License-Identifier: MIT
#include "hqe/tables/joining.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

std::string column_place(const TableColumn& column) {
  return fmt::format("column {}", printable(column.name));
}

/// Ids of one file, row by row.
struct Ids {
  const Records& records;
  const TableColumn& id;

  [[nodiscard]] int compare(std::int64_t a, std::int64_t b) const {
    return records.compare_ids(a, id, records, b, id);
  }
  [[nodiscard]] std::string text(std::int64_t row) const {
    return printable(records.spelled(row, id));
  }
};

[[noreturn]] void refuse_double(const Ids& ids, std::int64_t a, std::int64_t b,
                                const TableColumn* model) {
  const std::string of_model =
      model == nullptr ? ""
                       : fmt::format(" of model {}", printable(ids.records.spelled(a, *model)));
  throw InputError(
      ids.records.text.file, column_place(ids.id),
      fmt::format("the id {}{} comes twice, in rows {} and {} (counting from 0)", ids.text(a),
                  of_model, std::min(a, b), std::max(a, b)),
      model == nullptr
          ? message("Leave one out; name another column of ids with {}, or in a table with a row "
                    "a model and sample the models' with {}",
                    option("id_column"), option("model_column"))
          : message("Leave one out, or name another column of ids with {}", option("id_column")));
}

}  // namespace

std::vector<std::int64_t> order_of_ids(const Records& records, const TableColumn& id,
                                       const TableColumn* model,
                                       const std::vector<std::int32_t>& rank) {
  if (model == nullptr && id.is_counting) return {};
  const Ids ids{records, id};
  const auto rank_of = [&](std::int64_t row) {
    return model == nullptr ? 0 : rank[static_cast<std::size_t>(records.number(row, *model))];
  };
  const auto compare = [&](std::int64_t a, std::int64_t b) {
    const int difference = rank_of(a) - rank_of(b);
    return difference != 0 ? difference : ids.compare(a, b);
  };
  std::vector<std::int64_t> order(static_cast<std::size_t>(records.count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  // Stable, so that of ids that come twice the same two rows are named on every machine.
  std::ranges::stable_sort(order,
                           [&](std::int64_t a, std::int64_t b) { return compare(a, b) < 0; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (compare(order[i - 1], order[i]) == 0) refuse_double(ids, order[i - 1], order[i], model);
  }
  return order;
}

std::int64_t rows_a_model(const Records& records, const TableColumn& id, const TableColumn& model) {
  const Ids ids{records, id};
  const auto end_of = [&](std::int64_t begin) {
    const double number = records.number(begin, model);
    std::int64_t end = begin;
    while (end < records.count && records.number(end, model) == number) ++end;
    return end;
  };
  const std::int64_t rows = end_of(0);
  for (std::int64_t begin = rows; begin < records.count;) {
    const std::int64_t end = end_of(begin);
    for (std::int64_t i = 0; i < std::max(rows, end - begin); ++i) {
      const bool is_short = begin + i == end;
      const int order = is_short ? -1 : i == rows ? 1 : ids.compare(i, begin + i);
      if (order == 0) continue;
      const std::int64_t other = order < 0 ? begin : 0;
      throw InputError(
          records.text.file, column_place(id),
          fmt::format("model {} has no row of the id {}, which model {} has",
                      printable(records.spelled(other, model)), ids.text(order < 0 ? i : begin + i),
                      printable(records.spelled(order < 0 ? 0 : begin, model))),
          "Give every model a row for every sample, or leave the sample out for all");
    }
    begin = end;
  }
  return rows;
}

void check_same_ids(const Records& records, const TableColumn& id, std::int64_t count,
                    const Records& truth, const TableColumn& truth_id) {
  for (std::int64_t i = 0; i < std::max(count, truth.count); ++i) {
    const int order = i == count         ? 1
                      : i == truth.count ? -1
                                         : records.compare_ids(i, id, truth, i, truth_id);
    if (order == 0) continue;
    const bool lacks_truth = order < 0;
    const Records& has = lacks_truth ? records : truth;
    const Records& lacks = lacks_truth ? truth : records;
    throw InputError(
        lacks.text.file, column_place(lacks_truth ? truth_id : id),
        fmt::format("the id {} of {} is missing",
                    printable(has.spelled(i, lacks_truth ? id : truth_id)), has.text.file),
        "Give both tables the same samples, in any order");
  }
}

}  // namespace hqe
