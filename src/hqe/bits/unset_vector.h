// SPDX-License-Identifier: MIT
/// Large vectors whose memory nobody touches before it is filled: pages of zeros cost as much as
/// what is then written to them, and are one thread's work.

#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "hqe/bits/cache_line.h"

namespace hqe {

/// Leaves new numbers as the memory has them where no value is given.
template <class T>
struct UnsetAllocator : CacheLineAllocator<T> {
  using value_type = T;
  UnsetAllocator() = default;
  template <class U>
  explicit UnsetAllocator(const UnsetAllocator<U>&) {}
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
  bool operator==(const UnsetAllocator&) const = default;
};

/// resize(n) leaves what it adds to the caller, who must write it before reading. Starts on a cache
/// line.
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace hqe
