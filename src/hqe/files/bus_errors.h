// SPDX-License-Identifier: MIT
/// Surviving the loss of a mapped file. Whoever reads beyond the end of a file that shrank, or from
/// a disk that failed, gets SIGBUS.

#pragma once

#include <cstddef>

namespace hqe {

/// Mapped memory in which a bus error does not end the process: the page it hit and all after it
/// read as zeros from then on, and the range is damaged for good.
///
/// The first range installs a handler of SIGBUS for the process, for good; nothing is installed
/// before. Signals that are not about a range go to the handler that was there before, or end the
/// process as they would have. A handler that is installed later and keeps such signals to itself
/// (Python's faulthandler, where it is enabled after the first file was opened) comes first.
/// Any thread may make, read and destroy ranges.
class GuardedRange {
 public:
  /// Requires: [begin, begin + size) is mapped, and is unmapped only after destruction.
  GuardedRange(const void* begin, std::size_t size);
  ~GuardedRange();
  GuardedRange(const GuardedRange&) = delete;
  GuardedRange& operator=(const GuardedRange&) = delete;

  [[nodiscard]] bool is_damaged() const;

  struct Slot;  ///< Private to bus_errors.cpp.

 private:
  Slot* slot_;
};

}  // namespace hqe
