// SPDX-License-Identifier: MIT
#include "hqe/archives/tensor_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/files/array_in_file.h"
#include "hqe/files/scratch.h"

namespace hqe {
namespace {

constexpr std::size_t piece_limit = std::size_t{1} << 22;

// One array over all pieces, if the rows lie at even distances in one piece of memory.
bool extend_in_place(Array& whole, const Array& next) {
  if (next.owner != whole.owner || next.strides[1] != whole.strides[1]) return false;
  const std::ptrdiff_t step = next.data - whole.data;
  const std::int64_t row = whole.rows() == 1 ? step : whole.strides[0];
  if (next.rows() > 1 && next.strides[0] != row) return false;
  if (row == 0 || step != row * whole.rows()) return false;
  whole.strides[0] = row;
  whole.shape[0] += next.rows();
  return true;
}

}  // namespace

TensorList::TensorList(std::string file, std::string place)
    : file_(std::move(file)), place_(std::move(place)) {}

TensorList::Piece TensorList::piece_of(const ArrayClaim& claim) {
  if (claim.shape.empty()) return Piece::number;
  if (claim.shape.size() != 1) return Piece::rows;
  return is_float(claim.dtype) ? Piece::row : Piece::numbers;
}

void TensorList::add(const Tensor& tensor) {
  const std::string place = fmt::format("{}[{}]", place_, pieces_.size());
  if (pieces_.size() == piece_limit) {
    throw InputError(file_, place, "a list of more than 2^22 tensors",
                     "Save one tensor: torch.cat or torch.stack of the list");
  }
  ArrayClaim claim = tensor.claim;
  const Piece piece = piece_of(claim);
  if (piece == Piece::number || piece == Piece::row) {
    claim.shape.insert(claim.shape.begin(), 1);
    claim.strides.insert(claim.strides.begin(), 1);
  }
  const Array array = array_in_file(tensor.storage, claim, place);
  if (pieces_.empty()) piece_ = piece;
  const Array& first = pieces_.empty() ? array : pieces_.front();
  if (array.dtype != first.dtype || piece != piece_ || array.columns() != first.columns()) {
    throw InputError(
        file_, place,
        fmt::format("{} numbers of type {} a sample, but the first tensor of the list has {} of {}",
                    array.columns(), to_string(array.dtype), first.columns(),
                    to_string(first.dtype)),
        "Save one tensor: torch.cat or torch.stack of the list");
  }
  row_count_ += array.rows();
  pieces_.push_back(array);
}

Array TensorList::copy_together() const {
  const Array& first = pieces_.front();
  const std::size_t item = size_of(first.dtype);
  Scratch scratch(file_);
  std::vector<std::byte> row(static_cast<std::size_t>(first.columns()) * item);
  for (const Array& piece : pieces_) {
    for (std::int64_t i = 0; i < piece.rows(); ++i) {
      const std::byte* const from = piece.data + i * piece.strides[0];
      for (std::int64_t j = 0; j < piece.columns(); ++j) {
        std::copy_n(from + j * piece.strides[1], item,
                    row.data() + static_cast<std::size_t>(j) * item);
      }
      scratch.append(row);
    }
  }
  std::vector<std::int64_t> shape{row_count_};
  if (first.rank == 2) shape.push_back(first.columns());
  const auto strides = dense_strides(shape, false);
  return array_in_file(scratch.finish(), {first.dtype, first.byte_swapped, shape, strides, 0},
                       place_);
}

Array TensorList::finish(std::uint64_t storage_size) const {
  Array whole = pieces_.front();
  check_not_bloated(file_, place_, {row_count_, whole.columns()}, whole.dtype, storage_size);
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    if (!extend_in_place(whole, pieces_[i])) return copy_together();
  }
  return whole;
}

}  // namespace hqe
