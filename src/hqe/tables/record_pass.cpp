// SPDX-License-Identifier: MIT
#include "hqe/tables/record_pass.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::size_t given_back_together = std::size_t{1} << 24;

}  // namespace

RecordPass::RecordPass(const FileBytes& text, std::vector<TableColumn> columns)
    : text_(text), columns_(std::move(columns)), plain_(text.text()) {}

void RecordPass::look(std::int64_t row_limit) {
  static_cast<void>(pass(row_limit));
  expected_rows_ =
      text_.size() / std::max<std::size_t>(1, position_ / static_cast<std::size_t>(count_));
  static_cast<void>(words_.sort());
  // Fractions in one column make shares of all: see them so from the start.
  const auto is_number = [](const TableColumn& column) { return column.has_fractions; };
  if (!std::ranges::any_of(columns_, is_number)) return;
  for (TableColumn& column : columns_) {
    if (column.role == Role::values && !column.is_text) column.storage = Storage::number;
  }
}

bool RecordPass::read() {
  const bool fits = pass(std::numeric_limits<std::int64_t>::max());
  return !words_.sort() && fits;
}

Records RecordPass::finish() {
  for (std::size_t place = 0; place < columns_.size() && store_; ++place) {
    columns_[place].offset = stored_[place].offset;
    columns_[place].step = stored_[place].step;
  }
  Records records{.text = text_,
                  .records = store_ ? store_->finish() : scratch_->finish(),
                  .count = count_,
                  .columns = columns_,
                  .words = nullptr,
                  .models = models_.words()};
  if (words_.is_truth_values()) {
    for (TableColumn& column : records.columns) {
      if (column.role >= Role::truth && column.is_text) {
        column.is_text = false;
        column.is_counting = false;
      }
    }
  }
  records.words = std::make_shared<const std::vector<std::string>>(words_.words());
  return records;
}

bool RecordPass::pass(std::int64_t row_limit) {
  start();
  CsvCells cells(text_);
  while (cells.next() && !cells.is_last_of_line()) {
  }
  read_rows(cells, row_limit);
  position_ = cells.position();
  flush();
  plain_.tell(columns_);
  if (count_ == 0) {
    throw InputError(text_.file, "", "no rows below the header", "Write one row a sample");
  }
  return fits_;
}

void RecordPass::start() {
  readings_.assign(columns_.size(), {});
  for (TableColumn& column : columns_) {
    column.is_counting = true;
    column.least = HUGE_VAL;
    column.most = -HUGE_VAL;
  }
  plain_ = PlainRows(text_.text());
  make_room();
  fits_ = true;
  count_ = 0;
  given_back_ = 0;
  scratch_.emplace(text_.file);
  store_.reset();
  if (!is_by_column()) return scratch_->expect(expected_rows_ * size_);
  stored_ = columns_;
  kept_.clear();
  std::size_t least_bytes = columns_.size();  // Of a row: a cell that is skipped may be empty.
  for (std::size_t place = 0; place < columns_.size(); ++place) {
    if (columns_[place].storage == Storage::nothing) continue;
    kept_.push_back(place);
    ++least_bytes;
  }
  store_.emplace(text_.file, stored_, kept_, text_.size() / least_bytes + 1);
}

/// Labels, one column a model, are looked at a model at a time.
bool RecordPass::is_by_column() const {
  return std::ranges::none_of(columns_, [](const TableColumn& column) {
    return column.role == Role::model || (column.role == Role::values && column.has_fractions);
  });
}

void RecordPass::make_room() {
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  size_ = lay_out(columns_, order);
  buffer_.assign(size_ * ColumnStore::rows_together, std::byte{0});
  used_ = 0;
  lies_so_ = true;
  plain_.tell(columns_);
  plain_.lay_out(columns_);
  watched_.clear();
  for (std::size_t place = 0; place < columns_.size(); ++place) {
    const TableColumn& column = columns_[place];
    const bool may_count =
        column.role == Role::id || (column.role >= Role::truth && !column.is_text);
    if (may_count) watched_.push_back(place);
  }
}

void RecordPass::read_rows(CsvCells& cells, std::int64_t row_limit) {
  const std::size_t width = columns_.size();
  double value = 0;
  while (count_ < row_limit) {
    if (read_plain_row(cells)) continue;
    for (std::size_t place = 0; place < width; ++place) {
      if (cells.next_number(value)) {
        take_number(place, value, cells);
      } else {
        if (!cells.next()) return;
        if (cells.is_last_of_line() != (place + 1 == width)) refuse_width(cells);
        take_cell(place, cells);
      }
      if (cells.is_last_of_line() != (place + 1 == width)) refuse_width(cells);
    }
    end_row(cells);
  }
}

bool RecordPass::read_plain_row(CsvCells& cells) {
  // The first row settles which columns hold text.
  const std::size_t length = count_ == 0 ? 0 : plain_.read(cells.rest(), buffer_.data() + used_);
  if (length == 0) return false;
  cells.skip_line(length);
  watch_counting();
  end_row(cells);
  return true;
}

void RecordPass::watch_counting() {
  const std::byte* const record = buffer_.data() + used_;
  std::erase_if(watched_, [&](std::size_t place) {
    TableColumn& column = columns_[place];
    Reading& reading = readings_[place];
    if (column.storage == Storage::spelled) {
      const std::string_view id = spelled_id(text_, record + column.offset);
      column.is_counting = column.is_counting && id > reading.previous_id;
      reading.previous_id = id;
    } else {
      const double value = stored_number(column.storage, record + column.offset);
      column.is_counting = column.is_counting && value > reading.previous;
      reading.previous = value;
    }
    return !column.is_counting;
  });
}

void RecordPass::end_row(const CsvCells& cells) {
  ++count_;
  // What is read on is not kept, but shows what else does not fit.
  if (!lies_so_) make_room();
  used_ += size_;
  if (used_ < buffer_.size()) return;
  flush();
  if (cells.position() - given_back_ < given_back_together) return;
  give_back(text_, given_back_, cells.position());
  given_back_ = cells.position();
}

void RecordPass::flush() {
  if (fits_ && used_ > 0 && store_) {
    const std::size_t rows = used_ / size_;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const TableColumn& column = columns_[kept_[i]];
      gather_values(buffer_.data() + column.offset, size_, size_of(column.storage), rows,
                    store_->next(i));
    }
    store_->add(rows);
  } else if (fits_ && used_ > 0) {
    scratch_->append(std::span(buffer_).first(used_));
  }
  used_ = 0;
}

void RecordPass::refuse_width(const CsvCells& cells) const {
  const auto width = static_cast<std::int64_t>(columns_.size());
  if (cells.column() == 1 && cells.cell().empty()) {
    throw InputError(text_.file, fmt::format("line {}", cells.line()), "the line is blank",
                     "Remove it");
  }
  throw InputError(
      text_.file, cells.place(),
      fmt::format("{} {} columns, but the header names {}",
                  cells.column() < width ? "only" : "more than", cells.column(), width),
      "Give every row the same number of columns");
}

}  // namespace hqe
