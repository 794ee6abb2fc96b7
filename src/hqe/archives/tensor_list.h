// SPDX-License-Identifier: MIT
/// Many small tensors made one array.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/archives/torch_archive.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// Joins batches or single samples along the samples, as pt.h says; in place if they lie evenly
/// behind each other, else copied to scratch.
class TensorList {
 public:
  /// `file` and `place` are for messages.
  TensorList(std::string file, std::string place);

  /// Throws InputError where the tensor differs from the first in type or width, or is the
  /// 2^22nd.
  void add(const Tensor& tensor);

  /// The whole. `storage_size` is the number of bytes that all storages have together: far more
  /// numbers than that, from tensors listed again and again, are refused with InputError.
  /// Requires: add() was called.
  [[nodiscard]] Array finish(std::uint64_t storage_size) const;

 private:
  /// How a tensor enters the whole.
  enum class Piece { number, row, rows, numbers };
  static Piece piece_of(const ArrayClaim& claim);

  [[nodiscard]] Array copy_together() const;

  std::string file_, place_;
  std::vector<Array> pieces_;
  Piece piece_ = Piece::rows;
  std::int64_t row_count_ = 0;
};

}  // namespace hqe
