// SPDX-License-Identifier: MIT
#include "hqe/predictions/copied_rows.h"

namespace hqe {
namespace {

/// Of shorter rows a page holds so many that it is mapped for several.
constexpr std::int64_t shortest_copied_row = 1024;

/// Larger blocks would not lie in a cache when they are looked at again.
constexpr std::size_t largest_copied_block = std::size_t{8} << 20;

}  // namespace

const Lender* lender_of_rows(const Array& array) {
  const auto item = static_cast<std::int64_t>(size_of(array.dtype));
  const bool is_one_piece = array.strides[1] == item && array.strides[0] == item * array.columns();
  if (!array.witness || !is_one_piece || array.strides[0] < shortest_copied_row) return nullptr;
  const auto* const lender = dynamic_cast<const Lender*>(array.witness.get());
  const bool copies = lender != nullptr && lender->can_copy() && lender->is_cheaper_copied();
  return copies ? lender : nullptr;
}

BlockRows::BlockRows(const Pool& pool, std::size_t most_samples) : pool_(&pool) {
  if (!has_scores(pool.kind) || pool.digest) return;
  std::size_t bytes = 0;
  for (const Model& model : pool.models) {
    const Lender* const lender = lender_of_rows(model.predictions);
    bytes += most_samples * static_cast<std::size_t>(model.predictions.strides[0]);
    if (lender == nullptr || bytes > largest_copied_block) {
      lenders_.clear();
      return;
    }
    lenders_.push_back(lender);
  }
  lent_ = pool;
  rows_.resize(lenders_.size());
  for (std::size_t model = 0; model < rows_.size(); ++model) {
    Array& array = lent_.models[model].predictions;
    rows_[model].resize(most_samples * static_cast<std::size_t>(array.strides[0]));
    array.owner = nullptr;
    array.witness = nullptr;
    array.row_map = nullptr;
  }
}

void BlockRows::start(std::uint64_t first) {
  first_ = first;
  for (std::size_t model = 0; model < rows_.size(); ++model) {
    Array& array = lent_.models[model].predictions;
    // Where row 0 would lie. As a number: nothing is there.
    const auto start = reinterpret_cast<std::uintptr_t>(rows_[model].data());
    // NOLINTNEXTLINE(performance-no-int-to-ptr): no array reaches from there to the rows.
    array.data = reinterpret_cast<const std::byte*>(
        start - first * static_cast<std::uint64_t>(array.strides[0]));
  }
}

void BlockRows::fetch(std::size_t model, std::uint64_t first, std::size_t count) {
  const Array& array = pool_->models[model].predictions;
  const auto stride = static_cast<std::size_t>(array.strides[0]);
  const auto stored = [&](std::size_t i) {
    return array.stored_row(static_cast<std::int64_t>(first + i));
  };
  std::byte* const to = rows_[model].data() + (first - first_) * stride;
  for (std::size_t i = 0; i < count;) {
    // Rows that lie side by side are copied together.
    std::size_t end = array.row_map ? i + 1 : count;
    while (end < count && stored(end) == stored(i) + static_cast<std::int64_t>(end - i)) ++end;
    lenders_[model]->copy(array.data + stored(i) * array.strides[0],
                          std::span(to + i * stride, (end - i) * stride));
    i = end;
  }
}

}  // namespace hqe
