// SPDX-License-Identifier: MIT
/// A place for numbers that do not lie in a file as they are: inflated, parsed, or gathered from
/// pieces. Small ones stay in memory, large ones go to an unlinked temporary file that is mapped,
/// so that a pool larger than the memory still works.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "hqe/files/descriptor.h"
#include "hqe/files/mapped_file.h"

namespace hqe {

/// What all scratch of the process together may keep in memory.
inline constexpr std::size_t scratch_memory_limit = std::size_t{64} << 20;

/// Grows by what is written, never by a promise: what is not written costs nothing. The temporary
/// file lies in $TMPDIR, else /var/tmp, else /tmp, and vanishes with the last owner of its bytes.
/// Throws OutputError where it cannot be written. Not for several threads.
class Scratch {
 public:
  /// `file` is the name that messages use. `memory_limit` is for tests.
  explicit Scratch(std::string file, std::size_t memory_limit = scratch_memory_limit);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Of so many bytes more that may come: where memory would not hold them, they need not be moved
  /// out of it later.
  void expect(std::uint64_t more);
  void append(std::span<const std::byte> bytes);
  /// Writes at a place of its own. What is left out below it must not be read until it is written.
  void write_at(std::uint64_t position, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool is_in_memory() const { return !descriptor_; }

  /// The bytes written. Requires: size() > 0; nothing is appended afterwards.
  [[nodiscard]] FileBytes finish();

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  void reserve(std::uint64_t size);
  void spill();
  void write(std::uint64_t position, std::span<const std::byte> bytes);

  std::string file_;
  std::size_t memory_limit_;
  std::uint64_t size_ = 0;
  std::unique_ptr<std::byte, Free> memory_;
  std::uint64_t capacity_ = 0;  ///< Bytes that memory_ has room for.
  std::size_t reserved_ = 0;    ///< Our share of what the process keeps in memory.
  Descriptor descriptor_;
};

}  // namespace hqe
