// SPDX-License-Identifier: MIT
/// Arrays whose numbers are not where they seem to lie, for tests: whoever does not ask their
/// lender for a copy reads nonsense.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hqe/predictions/copied_rows.h"
#include "hqe/predictions/pool.h"

namespace hqe::testing {

class TestLender final : public Lender {
 public:
  TestLender(Array real, std::size_t size)
      : real_(std::move(real)), nowhere_(size, std::byte{0xFF}) {}

  [[nodiscard]] const std::byte* start() const { return nowhere_.data(); }
  [[nodiscard]] std::size_t copied() const { return copied_; }

  void check() const override {}
  [[nodiscard]] bool can_copy() const override { return true; }
  [[nodiscard]] bool is_cheaper_copied() const override { return true; }
  void copy(const std::byte* from, std::span<std::byte> to) const override {
    const std::ptrdiff_t offset = from - nowhere_.data();
    std::memcpy(to.data(), real_.data + offset, to.size());
    copied_ += to.size();
  }

 private:
  Array real_;
  std::vector<std::byte> nowhere_;
  mutable std::atomic<std::size_t> copied_ = 0;
};

/// Requires: rows one after the other, all of them.
inline Array lent(Array array) {
  const auto size = static_cast<std::size_t>(array.rows() * array.strides[0]);
  const auto lender = std::make_shared<const TestLender>(array, size);
  array.data = lender->start();
  array.owner = lender;
  array.witness = lender;
  return array;
}

inline Pool lent(Pool pool) {
  for (Model& each : pool.models) each.predictions = lent(each.predictions);
  return pool;
}

}  // namespace hqe::testing
