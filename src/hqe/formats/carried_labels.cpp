// SPDX-License-Identifier: MIT
#include "hqe/formats/carried_labels.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/text/printable.h"

namespace hqe {

void CarriedLabels::add(const Array& labels, const std::string& file) {
  if (!labels_) {
    labels_ = labels;
    file_ = file;
    return;
  }
  check_same(labels, file);
}

void CarriedLabels::settle(std::optional<Array> given, const std::string& given_file,
                           PoolParts& parts) {
  if (given && labels_) check_same(*given, given_file);
  parts.labels = given ? std::move(given) : labels_;
  parts.labels_file = parts.labels ? (given_file.empty() ? file_ : given_file) : "";
}

void CarriedLabels::check_same(const Array& labels, const std::string& file) const {
  if (is_float(labels.dtype) || is_float(labels_->dtype)) return;  // make_pool checks these.
  if (labels.words || labels_->words) return check_same_words(labels, file);
  if (labels.rows() != labels_->rows() || labels.columns() != labels_->columns()) {
    throw InputError(
        file, "labels",
        fmt::format("{} labels, but {} holds {}", labels.rows(), file_, labels_->rows()),
        message("All files must come from the same samples; {} overrides them", option("labels")));
  }
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    const std::int64_t here = read_integer(labels, row);
    const std::int64_t there = read_integer(*labels_, row);
    if (here != there) {
      throw InputError(file, fmt::format("label of row {}", row),
                       fmt::format("is {}, but {} says {}", here, file_, there),
                       message("All files must hold the same samples in the same order; {} "
                               "overrides them",
                               option("labels")));
    }
  }
}

void CarriedLabels::check_same_words(const Array& labels, const std::string& file) const {
  const auto word = [](const Array& array, std::int64_t row) {
    return array.words ? (*array.words)[static_cast<std::size_t>(read_integer(array, row))]
                       : fmt::format("{}", read_integer(array, row));
  };
  for (std::int64_t row = 0; row < std::max(labels.rows(), labels_->rows()); ++row) {
    const bool is_short = row >= labels.rows() || row >= labels_->rows();
    if (!is_short && word(labels, row) == word(*labels_, row)) continue;
    throw InputError(file, fmt::format("label of row {}", row),
                     is_short
                         ? fmt::format("one of the files has no such row; the other is {}", file_)
                         : fmt::format("is {}, but {} says {}", printable(word(labels, row)), file_,
                                       printable(word(*labels_, row))),
                     message("All files must hold the same samples in the same order; {} "
                             "overrides them",
                             option("labels")));
  }
}

}  // namespace hqe
