// SPDX-License-Identifier: MIT
/// Whether numbers that lie in a file are still what they were.

#pragma once

namespace hqe {

/// Whoever lends the numbers of an Array and may see them change: a mapped file. Any thread may
/// ask.
class Witness {
 public:
  Witness() = default;
  virtual ~Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// Throws InputError where they changed since they were lent: what was read meanwhile means
  /// nothing.
  virtual void check() const = 0;
};

}  // namespace hqe
