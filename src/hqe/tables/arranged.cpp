// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "hqe/files/scratch.h"
#include "hqe/tables/column_store.h"
#include "hqe/tables/records.h"

namespace hqe {
namespace {

template <typename Value>
void put_value(std::byte* at, Value value) {
  std::memcpy(at, &value, sizeof value);
}

void copy_value(const Records& from, std::int64_t row, const TableColumn& source, Storage storage,
                std::byte* at) {
  if (source.storage == storage) {
    std::memcpy(at, from.at(row, source), size_of(storage));
    return;
  }
  const double value = from.number(row, source);
  if (storage == Storage::number) return put_value(at, value);
  if (storage == Storage::small) return put_value(at, static_cast<std::int8_t>(value));
  if (storage == Storage::medium) return put_value(at, static_cast<std::int16_t>(value));
  put_value(at, static_cast<std::int32_t>(value));
}

/// The same table without its values; those that `layout` has will lie in new places.
Records without_values(const Records& records, const std::vector<Arranged>& layout,
                       std::vector<std::size_t>& places) {
  Records made = records;
  for (TableColumn& column : made.columns) column.storage = Storage::nothing;
  for (const Arranged& one : layout) {
    made.columns[one.column].storage = one.storage;
    places.push_back(one.column);
  }
  return made;
}

}  // namespace

Records arranged(const Records& records, const std::vector<std::int64_t>& order,
                 const std::vector<Arranged>& layout) {
  constexpr std::size_t buffered_records = 1024;
  std::vector<std::size_t> places;
  Records made = without_values(records, layout, places);
  const std::size_t size = lay_out(made.columns, places);
  Scratch scratch(records.text.file);
  std::vector<std::byte> buffer;
  for (std::int64_t row = 0; row < records.count; ++row) {
    const std::int64_t source = order.empty() ? row : order[static_cast<std::size_t>(row)];
    const std::size_t at = buffer.size();
    buffer.resize(at + size);
    for (const std::size_t place : places) {
      const TableColumn& target = made.columns[place];
      copy_value(records, source, records.columns[place], target.storage,
                 buffer.data() + at + target.offset);
    }
    if (buffer.size() < buffered_records * size && row + 1 < records.count) continue;
    scratch.append(buffer);
    buffer.clear();
  }
  made.records = scratch.finish();
  return made;
}

Records by_column(const Records& records, const std::vector<std::int64_t>& order,
                  const std::vector<Arranged>& layout) {
  std::vector<std::size_t> places;
  Records made = without_values(records, layout, places);
  ColumnStore store(records.text.file, made.columns, places,
                    static_cast<std::uint64_t>(records.count));
  constexpr auto together = static_cast<std::int64_t>(ColumnStore::rows_together);
  for (std::int64_t begin = 0; begin < records.count; begin += together) {
    const std::int64_t end = std::min(begin + together, records.count);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const TableColumn& column = records.columns[places[i]];
      std::byte* to = store.next(i);
      for (std::int64_t row = begin; row < end; ++row, to += made.columns[places[i]].step) {
        const std::int64_t source = order.empty() ? row : order[static_cast<std::size_t>(row)];
        copy_value(records, source, column, layout[i].storage, to);
      }
    }
    store.add(static_cast<std::size_t>(end - begin));
  }
  made.records = store.finish();
  return made;
}

}  // namespace hqe
