// SPDX-License-Identifier: MIT
/// Vectors for SIMD loads.

#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace hqe {

/// Memory that starts on a cache line.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* pointer, std::size_t) { ::operator delete(pointer, std::align_val_t{64}); }
  bool operator==(const CacheLineAllocator&) const = default;
};

/// Vectors that start on a cache line, so that no SIMD load crosses one.
template <class T>
using CacheLineVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace hqe
