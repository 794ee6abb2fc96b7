// SPDX-License-Identifier: MIT
/// A place for numbers that do not lie in a file as they are: inflated, parsed, or gathered from
/// pieces. Small ones stay in memory, large ones go to an unlinked temporary file that is mapped,
/// so that a pool larger than the memory still works.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hqe/files/descriptor.h"
#include "hqe/files/mapped_file.h"

namespace hqe {

/// What all scratch of the process together may keep in memory.
inline constexpr std::size_t scratch_memory_limit = std::size_t{64} << 20;

/// Grows by append(), never by a promise: what is not written costs nothing. The temporary file
/// lies in $TMPDIR, else /var/tmp, else /tmp, and vanishes with the last owner of its bytes.
/// Throws OutputError where it cannot be written. Not for several threads.
class Scratch {
 public:
  /// `file` is the name that messages use. `memory_limit` is for tests.
  explicit Scratch(std::string file, std::size_t memory_limit = scratch_memory_limit);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void append(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool is_in_memory() const { return !descriptor_; }

  /// The bytes written. Requires: size() > 0; nothing is appended afterwards.
  [[nodiscard]] FileBytes finish();

 private:
  void spill();
  void write(std::span<const std::byte> bytes);

  std::string file_;
  std::size_t memory_limit_;
  std::uint64_t size_ = 0;
  std::vector<std::byte> memory_;
  std::size_t reserved_ = 0;  ///< Our share of what the process keeps in memory.
  Descriptor descriptor_;
};

}  // namespace hqe
