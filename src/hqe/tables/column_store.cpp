// SPDX-License-Identifier: MIT
#include "hqe/tables/column_store.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace hqe {
namespace {

/// What is gathered before it is written, of all columns together: writes are then large enough for
/// a file, and wide tables stay small.
constexpr std::size_t buffered_bytes = std::size_t{1} << 22;

template <std::size_t width>
void gather_wide(const std::byte* from, std::size_t step, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i, from += step, to += width) std::memcpy(to, from, width);
}

}  // namespace

void gather_values(const std::byte* from, std::size_t step, std::size_t width, std::size_t count,
                   std::byte* to) {
  if (width == 1) return gather_wide<1>(from, step, count, to);
  if (width == 2) return gather_wide<2>(from, step, count, to);
  if (width == 4) return gather_wide<4>(from, step, count, to);
  gather_wide<8>(from, step, count, to);
}

ColumnStore::ColumnStore(std::string file, std::vector<TableColumn>& columns,
                         const std::vector<std::size_t>& order, std::uint64_t most_rows)
    : scratch_(std::move(file)) {
  std::size_t size = 0;
  for (const std::size_t place : order) size += size_of(columns[place].storage);
  const std::size_t rows = std::min<std::uint64_t>(buffered_bytes / std::max<std::size_t>(1, size),
                                                   most_rows + rows_together);
  buffered_rows_ = std::max(rows / rows_together, std::size_t{1}) * rows_together;
  columns_.resize(order.size());
  std::uint64_t end = 0;
  // Wide ones first: then all are aligned.
  for (const std::size_t width : {std::size_t{8}, std::size_t{4}, std::size_t{2}, std::size_t{1}}) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      TableColumn& column = columns[order[i]];
      if (size_of(column.storage) != width) continue;
      columns_[i] = {.width = width, .offset = end, .buffer = {}};
      columns_[i].buffer.resize(width * buffered_rows_);
      column.offset = static_cast<std::size_t>(end);
      column.step = width;
      end += width * most_rows;
      last_ = i;
    }
  }
}

std::byte* ColumnStore::next(std::size_t place) {
  Column& column = columns_[place];
  return column.buffer.data() + used_ * column.width;
}

void ColumnStore::add(std::size_t count) {
  used_ += count;
  if (used_ + rows_together > buffered_rows_) write();
}

void ColumnStore::write() {
  // The last one first: room is made once, in memory or in a file.
  if (used_ > 0) write(columns_[last_]);
  for (std::size_t i = 0; i < columns_.size() && used_ > 0; ++i) {
    if (i != last_) write(columns_[i]);
  }
  written_ += used_;
  used_ = 0;
}

void ColumnStore::write(const Column& column) {
  scratch_.write_at(column.offset + written_ * column.width,
                    std::span(column.buffer).first(used_ * column.width));
}

FileBytes ColumnStore::finish() {
  write();
  return scratch_.finish();
}

}  // namespace hqe
