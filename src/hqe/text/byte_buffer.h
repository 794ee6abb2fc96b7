// SPDX-License-Identifier: MIT
/// Collects small pieces of text and hands large ones to a sink.

#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "hqe/text/sink.h"

namespace hqe {

/// Appends are a few nanoseconds; the sink is called once a mebibyte. Numbers are written the
/// shortest way that reads back to the same value. Call flush() at the end: the destructor does
/// not, because a sink may throw.
class ByteBuffer {
 public:
  explicit ByteBuffer(Sink sink)
      : sink_(std::move(sink)), bytes_(std::make_unique_for_overwrite<char[]>(capacity)) {}

  void append(char byte) { *room(1) = byte, ++size_; }

  void append(std::string_view text) {
    if (text.size() > capacity / 2) {
      flush();
      sink_(text);
      return;
    }
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }

  void append_number(std::uint64_t number) { append_chars(number); }
  void append_number(std::int64_t number) { append_chars(number); }
  /// Requires: finite.
  void append_number(double number) { append_chars(number); }

  void flush() {
    if (size_ > 0) sink_({bytes_.get(), std::exchange(size_, 0)});
  }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 20;
  static constexpr std::size_t longest_number = 32;

  char* room(std::size_t bytes) {
    if (size_ + bytes > capacity) flush();
    return bytes_.get() + size_;
  }

  void append_chars(auto number) {
    char* const begin = room(longest_number);
    size_ +=
        static_cast<std::size_t>(std::to_chars(begin, begin + longest_number, number).ptr - begin);
  }

  Sink sink_;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

}  // namespace hqe
