// SPDX-License-Identifier: MIT
/// The tensors of a digest in the making, each growing by itself, and the file that they become.
/// Private to digest/.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/files/atomic_file.h"
#include "hqe/files/scratch.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// As DigestColumns has them; their names are those of its members.
enum class DigestTensor {
  truth,
  labels,
  kept,
  own,
  classes,
  values,
  sums,
  extra_counts,
  extra_classes,
  extra_values,
  rounded,
};
inline constexpr std::size_t tensor_count = static_cast<std::size_t>(DigestTensor::rounded) + 1;

/// Numbers to append to the tensors, in their byte order.
class TensorBytes {
 public:
  [[nodiscard]] std::span<const std::byte> operator[](DigestTensor tensor) const {
    const Growing& growing = tensors_[static_cast<std::size_t>(tensor)];
    return std::span(growing.memory).first(growing.used);
  }
  /// The lowest `size` bytes of a number, lowest first.
  void append(DigestTensor tensor, std::uint64_t bits, std::size_t size) {
    // All eight are written, and the next number is written over those that are not wanted.
    constexpr std::size_t at_once = 8;
    std::byte* const to = room(tensor, at_once);
    for (std::size_t i = 0; i < at_once; ++i) to[i] = static_cast<std::byte>(bits >> (8 * i));
    tensors_[static_cast<std::size_t>(tensor)].used += size;
  }
  void append(DigestTensor tensor, std::int64_t label, DType dtype) {
    append(tensor, static_cast<std::uint64_t>(label), size_of(dtype));
  }
  /// Requires: the type holds the value exactly.
  void append(DigestTensor tensor, double value, DType dtype);
  /// The same of several.
  void append(DigestTensor tensor, std::span<const double> values, DType dtype);
  /// Makes all empty, and keeps their room.
  void clear() {
    for (Growing& growing : tensors_) growing.used = 0;
  }

 private:
  /// Where so many bytes can be written.
  std::byte* room(DigestTensor tensor, std::size_t bytes) {
    Growing& growing = tensors_[static_cast<std::size_t>(tensor)];
    if (growing.used + bytes > growing.memory.size()) {
      growing.memory.resize(std::max<std::size_t>(1024, 2 * (growing.used + bytes)));
    }
    return growing.memory.data() + growing.used;
  }

  struct Growing {
    std::vector<std::byte> memory;
    std::size_t used = 0;
  };
  std::array<Growing, tensor_count> tensors_;
};

/// Whether a type of floats has a number from 0 to 1 exactly.
[[nodiscard]] bool is_exact(double value, DType dtype);

struct TensorType {
  DType dtype = DType::uint8;
  std::uint64_t columns = 0;  ///< 0: a vector.
};
using TensorTypes = std::array<TensorType, tensor_count>;

/// Large ones lie in temporary files (scratch.h): memory does not grow with them.
class Tensors {
 public:
  Tensors(std::string name, TensorTypes types);

  [[nodiscard]] const TensorTypes& types() const { return types_; }
  void append(const TensorBytes& bytes);
  /// Of a tensor that was appended to, or of all of them.
  [[nodiscard]] std::uint64_t size(DigestTensor tensor) const {
    return scratch_[static_cast<std::size_t>(tensor)]->size();
  }
  [[nodiscard]] std::uint64_t size() const;
  /// Makes a tensor empty.
  void drop(DigestTensor tensor);

  /// Writes a .safetensors file of those that are not empty, and of `about`, the bytes of a text,
  /// as a digest of that version. Returns its size. It appears whole or not at all. Throws
  /// OutputError, and what `check` throws.
  std::uint64_t write(const std::filesystem::path& path, int version, std::string_view about,
                      WriteCheck check);

 private:
  std::string name_;
  TensorTypes types_;
  std::array<std::unique_ptr<Scratch>, tensor_count> scratch_;
};

}  // namespace hqe
