// SPDX-License-Identifier: MIT
/// Writes JSON as it is told to, without building it in memory first: documents of millions of
/// teams leave at hundreds of megabytes a second.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hqe/ensemble/team.h"
#include "hqe/text/byte_buffer.h"
#include "hqe/text/sink.h"

namespace hqe {

/// The largest integer that every reader of JSON holds exactly: 2^53.
inline constexpr std::uint64_t largest_json_integer = std::uint64_t{1} << 53;

/// Commas and quotes are its business; balance of begin and end is the caller's. The bytes depend
/// on the calls alone. Call finish() at the end. Throws what the sink throws.
class JsonWriter {
 public:
  explicit JsonWriter(Sink sink) : out_(std::move(sink)) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  /// Requires: a name that needs no escape.
  JsonWriter& key(std::string_view name);

  /// The next key or value begins a line: for readers that compare documents line by line.
  JsonWriter& line();

  JsonWriter& null();
  JsonWriter& value(bool truth);
  /// Shortest digits that read back to the same number, always with a point or an exponent; null
  /// for NaN and infinities.
  JsonWriter& value(double number);
  /// Null above 2^53.
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(std::uint32_t number) { return value(std::uint64_t{number}); }
  JsonWriter& value(int number);
  /// Escaped; bytes that are not UTF-8 become U+FFFD.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  /// An array of ids.
  JsonWriter& value(TeamView team);
  template <typename T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  template <typename T>
  JsonWriter& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  /// Ends the document with a newline and hands over what is left.
  void finish();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  ByteBuffer out_;
  bool needs_comma_ = false;
  bool needs_line_ = false;
};

}  // namespace hqe
