// SPDX-License-Identifier: MIT
/// Zip archives for tests, honest or lying.

#pragma once

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hqe::testing {

struct ZipItem {
  std::string name, data;
  bool deflate = false;
  std::optional<std::uint32_t> claimed_size;
  bool overlaps_first = false;  ///< The directory points at the first item's bytes.
  int method = -1;
  int flags = 0;
  std::optional<std::uint32_t> checksum;
};

inline std::string little_endian(std::uint64_t number, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += static_cast<char>(number >> (8 * i) & 0xFF);
  return text;
}

inline std::string deflated(const std::string& data) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, data.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

/// The archive; with `zip64` all sizes and offsets stand in zip64 fields.
inline std::string make_zip(const std::vector<ZipItem>& items, bool zip64 = false) {
  std::string file, directory;
  for (const ZipItem& item : items) {
    const std::string packed = item.deflate ? deflated(item.data) : item.data;
    const std::uint64_t offset = item.overlaps_first ? 0 : file.size();
    const auto sum = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(item.data.data()), static_cast<uInt>(item.data.size())));
    const std::uint64_t size = item.claimed_size.value_or(item.data.size());
    const std::string method =
        little_endian(static_cast<std::uint64_t>(item.method >= 0 ? item.method
                                                 : item.deflate   ? 8
                                                                  : 0),
                      2);
    const std::string names = little_endian(item.name.size(), 2);
    const std::string start = little_endian(20, 2) + little_endian(item.flags, 2) + method +
                              little_endian(0, 4) + little_endian(item.checksum.value_or(sum), 4);
    const std::string sizes = little_endian(zip64 ? 0xFFFFFFFF : packed.size(), 4) +
                              little_endian(zip64 ? 0xFFFFFFFF : size, 4);
    const std::string extra =
        !zip64 ? ""
               : little_endian(1, 2) + little_endian(24, 2) + little_endian(size, 8) +
                     little_endian(packed.size(), 8) + little_endian(offset, 8);
    file += little_endian(0x04034b50, 4) + start + sizes + names + little_endian(0, 2) + item.name +
            packed;
    directory += little_endian(0x02014b50, 4) + little_endian(20, 2) + start + sizes + names +
                 little_endian(extra.size(), 2) + little_endian(0, 2) + little_endian(0, 8) +
                 little_endian(zip64 ? 0xFFFFFFFF : offset, 4) + item.name + extra;
  }
  const std::uint64_t begin = file.size();
  file += directory;
  if (zip64) {
    const std::uint64_t end = file.size();
    file += little_endian(0x06064b50, 4) + little_endian(44, 8) + little_endian(45, 2) +
            little_endian(45, 2) + little_endian(0, 8) + little_endian(items.size(), 8) +
            little_endian(items.size(), 8) + little_endian(directory.size(), 8) +
            little_endian(begin, 8);
    file += little_endian(0x07064b50, 4) + little_endian(0, 4) + little_endian(end, 8) +
            little_endian(1, 4);
  }
  return file + little_endian(0x06054b50, 4) + little_endian(0, 4) +
         little_endian(zip64 ? 0xFFFF : items.size(), 2) +
         little_endian(zip64 ? 0xFFFF : items.size(), 2) +
         little_endian(zip64 ? 0xFFFFFFFF : directory.size(), 4) +
         little_endian(zip64 ? 0xFFFFFFFF : begin, 4) + little_endian(0, 2);
}

}  // namespace hqe::testing
