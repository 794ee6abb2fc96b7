// SPDX-License-Identifier: MIT
/// Numbers that somebody else changes while they are read.

#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hqe/files/npy_writer.h"
#include "hqe/predictions/array.h"

namespace hqe::testing {

/// The same memory mapped twice, as of two processes: one place to read, one to change. The memory
/// ends with a page that cannot be read, and begins with one.
template <typename Number>
class SharedNumbers {
 public:
  explicit SharedNumbers(const std::vector<Number>& numbers) : count_(numbers.size()) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = count_ * sizeof(Number);
    const std::size_t whole = (bytes + page - 1) / page * page;
    const int descriptor = ::memfd_create("hqe-test", MFD_CLOEXEC);
    REQUIRE(descriptor >= 0);
    REQUIRE(::ftruncate(descriptor, static_cast<off_t>(whole)) == 0);
    void* const guarded =
        ::mmap(nullptr, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(guarded != MAP_FAILED);
    std::byte* const read = static_cast<std::byte*>(guarded) + page;
    REQUIRE(::mmap(read, whole, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0) == read);
    void* const written = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    REQUIRE(written != MAP_FAILED);
    ::close(descriptor);
    // The numbers end where the memory does: one too far is a fault.
    const std::size_t start = (whole - bytes) / 64 * 64;
    owner_ = std::shared_ptr<const void>(guarded, [=](const void*) {
      ::munmap(guarded, whole + 2 * page);
      ::munmap(written, whole);
    });
    read_ = read + start;
    written_ = reinterpret_cast<Number*>(static_cast<std::byte*>(written) + start);
    std::ranges::copy(numbers, written_);
  }

  /// Where to change them.
  [[nodiscard]] std::span<Number> numbers() const { return {written_, count_}; }

  [[nodiscard]] Array array(int columns = 0) const {
    const std::int64_t width = std::max(columns, 1);
    const auto size = static_cast<std::int64_t>(sizeof(Number));
    return {.dtype = dtype_of<Number>(),
            .rank = columns == 0 ? 1 : 2,
            .shape = {static_cast<std::int64_t>(count_) / width, width},
            .strides = {width * size, size},
            .data = read_,
            .owner = owner_};
  }

 private:
  std::size_t count_;
  const std::byte* read_ = nullptr;
  Number* written_ = nullptr;
  std::shared_ptr<const void> owner_;
};

}  // namespace hqe::testing
