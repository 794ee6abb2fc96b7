// SPDX-License-Identifier: MIT
#include "hqe/files/array_in_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "hqe/base/error.h"

namespace hqe {
namespace {

constexpr std::int64_t most_array_rows = std::int64_t{1} << 31;

// Overlapping elements (an expanded tensor) let a few bytes stand for many numbers. Up to this
// many that is harmless; beyond it a file of a few bytes could keep us busy for hours.
constexpr std::int64_t overlap_limit = std::int64_t{1} << 24;

void check_shape(const FileBytes& bytes, const ArrayClaim& claim, const std::string& place) {
  const auto& shape = claim.shape;
  const std::string found = "an array of shape " + shape_text(shape);
  if (std::ranges::any_of(shape, [](std::int64_t n) { return n < 0; })) {
    throw InputError(bytes.file, place, found + ", which has a negative size",
                     "Save the file again");
  }
  if (shape.empty() || shape.size() > 2) {
    throw InputError(
        bytes.file, place,
        fmt::format("{} with {} dimensions, expected one (samples) or two (samples, classes)",
                    found, shape.size()),
        "Reshape it before saving");
  }
  if (std::ranges::any_of(shape, [](std::int64_t n) { return n == 0; })) {
    throw InputError(bytes.file, place, found + " holds no numbers", "Save at least one sample");
  }
}

void check_limits(const FileBytes& bytes, const std::vector<std::int64_t>& shape,
                  const std::string& place) {
  if (shape[0] > most_array_rows || (shape.size() == 2 && shape[1] >= most_array_rows)) {
    throw InputError(bytes.file, place,
                     "an array of shape " + shape_text(shape) +
                         " is too large, at most 2^31 rows and fewer than 2^31 columns work",
                     "Check the file, or split the samples over several pools");
  }
}

// The bytes that the claim reaches, relative to element (0, 0): [lowest, highest]. Nothing when
// they overflow.
struct Reach {
  std::int64_t lowest = 0, highest = 0;
};
std::optional<Reach> reach(const ArrayClaim& claim) {
  const auto item = static_cast<std::int64_t>(size_of(claim.dtype));
  Reach reached{0, item - 1};
  for (std::size_t d = 0; d < claim.shape.size(); ++d) {
    std::int64_t span = 0;
    if (claim.shape[d] == 1) continue;
    if (__builtin_mul_overflow(claim.strides[d], item, &span) ||
        __builtin_mul_overflow(span, claim.shape[d] - 1, &span)) {
      return std::nullopt;
    }
    std::int64_t& end = span < 0 ? reached.lowest : reached.highest;
    if (__builtin_add_overflow(end, span, &end)) return std::nullopt;
  }
  return reached;
}

bool lies_inside(const FileBytes& bytes, const ArrayClaim& claim) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::optional<Reach> reached = reach(claim);
  if (!reached || claim.offset < 0 || claim.offset >= size) return false;
  return reached->lowest >= -claim.offset && reached->highest < size - claim.offset;
}

[[noreturn]] void refuse_outside(const FileBytes& bytes, const ArrayClaim& claim,
                                 const std::string& place) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::int64_t left = size - std::clamp<std::int64_t>(claim.offset, 0, size);
  const std::optional<std::int64_t> dense = dense_size(claim.shape, claim.dtype);
  const std::string array = fmt::format("an array of shape {} and type {}", shape_text(claim.shape),
                                        to_string(claim.dtype));
  throw InputError(bytes.file, place,
                   dense && *dense <= left
                       ? fmt::format("{} with strides {} reaches outside its {} bytes", array,
                                     shape_text(claim.strides), size)
                       : fmt::format("the header promises {}, {} bytes, but only {} follow", array,
                                     dense ? std::to_string(*dense) : "over 2^63", left),
                   "The file is cut short or its header is wrong: save or copy it again");
}

}  // namespace

std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& shape,
                                        bool fortran_order) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t d = fortran_order ? i : shape.size() - 1 - i;
    strides[d] = stride;
    if (__builtin_mul_overflow(stride, shape[d], &stride)) {
      stride = std::numeric_limits<std::int64_t>::max();
    }
  }
  return strides;
}

void check_not_bloated(const std::string& file, const std::string& place,
                       const std::vector<std::int64_t>& shape, DType dtype,
                       std::uint64_t available) {
  const std::optional<std::int64_t> size = dense_size(shape, dtype);
  const auto item = static_cast<std::int64_t>(size_of(dtype));
  if (size && (static_cast<std::uint64_t>(*size) <= available || *size / item <= overlap_limit)) {
    return;
  }
  throw InputError(file, place,
                   fmt::format("{} bytes stand for an array of shape {}, its numbers repeated",
                               available, shape_text(shape)),
                   "Save a contiguous copy of it (tensor.contiguous())");
}

Array array_in_file(const FileBytes& bytes, const ArrayClaim& claim, const std::string& place) {
  check_shape(bytes, claim, place);
  if (!lies_inside(bytes, claim)) refuse_outside(bytes, claim, place);
  check_not_bloated(bytes.file, place, claim.shape, claim.dtype, bytes.size());
  check_limits(bytes, claim.shape, place);
  const auto item = static_cast<std::int64_t>(size_of(claim.dtype));
  Array array;
  array.dtype = claim.dtype;
  array.byte_swapped = claim.byte_swapped && item > 1;
  array.rank = static_cast<int>(claim.shape.size());
  for (std::size_t d = 0; d < claim.shape.size(); ++d) {
    array.shape[d] = claim.shape[d];
    array.strides[d] = claim.shape[d] == 1 ? item : claim.strides[d] * item;
  }
  if (array.rank == 1) array.strides[1] = item;
  array.data = bytes.bytes.data() + claim.offset;
  array.owner = bytes.owner;
  array.witness = bytes.witness;
  return array;
}

}  // namespace hqe
