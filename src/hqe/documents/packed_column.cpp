// SPDX-License-Identifier: MIT
#include "hqe/documents/packed_column.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "hqe/base/error.h"

namespace hqe {
namespace {

/// The lowest byte of every value, then the next of every value: equal bytes lie together, which
/// deflate likes.
std::string byte_planes(std::span<const std::uint32_t> integers, int width) {
  std::string planes;
  planes.reserve(integers.size() * static_cast<std::size_t>(width));
  for (int plane = 0; plane < width; ++plane) {
    for (const std::uint32_t value : integers) {
      planes.push_back(static_cast<char>((value >> (8 * plane)) & 0xFF));
    }
  }
  return planes;
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < left ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text.push_back(i <= left ? digits[(group >> (18 - 6 * i)) & 63] : '=');
    }
  }
  return text;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  if (deflateInit2(&stream, 9, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("zlib could not start. There may be too little memory");
  }
  std::string out;
  std::array<char, 1 << 16> buffer{};
  constexpr std::size_t piece = std::size_t{1} << 30;  // avail_in is an unsigned int.
  int flush = Z_NO_FLUSH;
  do {
    const std::size_t take = std::min(piece, bytes.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(take);
    bytes.remove_prefix(take);
    flush = bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      out.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (flush != Z_FINISH);
  deflateEnd(&stream);
  return out;
}

void write_packed_column(JsonWriter& json, std::string_view name,
                         std::span<const std::uint32_t> integers, double offset, double step) {
  const std::uint32_t largest =
      integers.empty() ? 0 : *std::max_element(integers.begin(), integers.end());
  const int width = largest <= std::numeric_limits<std::uint8_t>::max()    ? 1
                    : largest <= std::numeric_limits<std::uint16_t>::max() ? 2
                                                                           : 4;
  json.line()
      .key(name)
      .begin_object()
      .field("dtype", width == 1   ? "u8"
                      : width == 2 ? "u16"
                                   : "u32")
      .field("length", std::uint64_t{integers.size()})
      .field("offset", offset)
      .field("step", step)
      .field("data", std::string_view(base64(gzip(byte_planes(integers, width)))))
      .end_object();
}

}  // namespace hqe
