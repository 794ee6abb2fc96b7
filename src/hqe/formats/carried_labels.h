// SPDX-License-Identifier: MIT
/// True labels that models' files carry.

#pragma once

#include <optional>
#include <string>

#include "hqe/predictions/array.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// Files that carry true labels, as they are found; all must say the same.
class CarriedLabels {
 public:
  /// Throws InputError where they differ from those of an earlier file.
  void add(const Array& labels, const std::string& file);

  /// The labels that count: those given, or else those carried. Given labels of a folder must agree
  /// with the carried ones. Throws InputError.
  void settle(std::optional<Array> given, const std::string& given_file, PoolParts& parts);

 private:
  void check_same(const Array& labels, const std::string& file) const;
  void check_same_words(const Array& labels, const std::string& file) const;

  std::optional<Array> labels_;
  std::string file_;
};

}  // namespace hqe
