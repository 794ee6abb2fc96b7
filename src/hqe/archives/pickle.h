// SPDX-License-Identifier: MIT
/// Reads a Python pickle as data. Nothing is ever executed: a call of a Python function is kept as
/// a call, with its arguments, and only functions on a short list may occur at all.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/files/mapped_file.h"

namespace hqe {

/// A number that stands for a value of a Pickle.
using PickleId = std::uint32_t;

enum class PickleType : std::uint8_t {
  none,
  boolean,
  integer,
  number,
  text,
  tuple,
  list,
  dict,         ///< Also an OrderedDict.
  global,       ///< A Python function or class, by name.
  call,         ///< A function and its tuple of arguments, not called.
  persistent,   ///< Something kept outside the pickle, by its description.
  big_integer,  ///< Beyond 64 bits; its value is not kept.
};

/// The values of a pickle. Memory grows with the pickle's size only.
class Pickle {
 public:
  /// Reads protocols 2 to 5. Throws InputError for a damaged pickle, an unknown operation, more
  /// than 2^23 values or 2^25 operations, or a global that is not on the list of pickle_globals.h.
  explicit Pickle(const FileBytes& bytes);

  [[nodiscard]] PickleId root() const { return root_; }
  [[nodiscard]] PickleType type(PickleId id) const { return values_[id].type; }

  /// Requires: type is integer or boolean.
  [[nodiscard]] std::int64_t integer(PickleId id) const { return values_[id].integer; }
  /// Requires: type is text; of a global "module.name".
  [[nodiscard]] std::string_view text(PickleId id) const;
  /// The items of a tuple or list; key, value, key, value .. of a dict; function and arguments of a
  /// call; the description of a persistent. Empty for anything else. Valid while the Pickle lives.
  [[nodiscard]] std::span<const PickleId> items(PickleId id) const;

 private:
  friend class PickleMachine;

  struct Value {
    PickleType type = PickleType::none;
    std::uint32_t container = 0;  ///< Index into texts_ or containers_.
    std::int64_t integer = 0;
  };

  std::vector<Value> values_;
  std::vector<std::string> texts_;
  std::vector<std::vector<PickleId>> containers_;
  PickleId root_ = 0;
};

}  // namespace hqe
