// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "hqe/files/scratch.h"
#include "hqe/tables/records.h"

namespace hqe {
namespace {

template <typename Value>
void put_value(std::byte* at, Value value) {
  std::memcpy(at, &value, sizeof value);
}

void copy_value(const Records& from, std::int64_t row, const TableColumn& source,
                const TableColumn& target, std::byte* record) {
  std::byte* const at = record + target.offset;
  if (source.storage == target.storage) {
    std::memcpy(at, from.at(row) + source.offset, size_of(source.storage));
    return;
  }
  const double value = from.number(row, source);
  if (target.storage == Storage::number) return put_value(at, value);
  if (target.storage == Storage::small) return put_value(at, static_cast<std::int8_t>(value));
  put_value(at, static_cast<std::int32_t>(value));
}

}  // namespace

Records arranged(const Records& records, const std::vector<std::int64_t>& order,
                 const std::vector<Arranged>& layout) {
  constexpr std::size_t buffered_records = 1024;
  Records made = records;
  for (TableColumn& column : made.columns) column.storage = Storage::nothing;
  std::vector<std::size_t> places;
  for (const Arranged& one : layout) {
    made.columns[one.column].storage = one.storage;
    places.push_back(one.column);
  }
  made.size = std::max<std::size_t>(1, lay_out(made.columns, places));
  Scratch scratch(records.text.file);
  std::vector<std::byte> buffer;
  for (std::int64_t row = 0; row < records.count; ++row) {
    const std::int64_t source = order.empty() ? row : order[static_cast<std::size_t>(row)];
    const std::size_t at = buffer.size();
    buffer.resize(at + made.size);
    for (const std::size_t place : places) {
      copy_value(records, source, records.columns[place], made.columns[place], buffer.data() + at);
    }
    if (buffer.size() < buffered_records * made.size && row + 1 < records.count) continue;
    scratch.append(buffer);
    buffer.clear();
  }
  made.records = scratch.finish();
  return made;
}

}  // namespace hqe
