// SPDX-License-Identifier: MIT
#include "hqe/files/npy_writer.h"

#include <fmt/core.h>

#include <bit>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace hqe {
namespace {

std::string dtype_code(DType dtype) {
  if (dtype == DType::boolean) return "|b1";
  const bool is_unsigned = dtype >= DType::uint8 && dtype <= DType::uint64;
  const std::size_t size = size_of(dtype);
  const char order = size == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  // NumPy has no bfloat16; the ml_dtypes package writes it as a two-byte void.
  const char kind = dtype == DType::bfloat16 ? 'V'
                    : is_float(dtype)        ? 'f'
                    : is_unsigned            ? 'u'
                                             : 'i';
  return fmt::format("{}{}{}", order, kind, size);
}

}  // namespace

std::string npy_header(DType dtype, const std::vector<std::int64_t>& shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                 dtype_code(dtype), shape_text(shape));
  constexpr std::size_t fixed = 10, alignment = 64;
  const std::size_t length = (fixed + dict.size() + 1 + alignment - 1) / alignment * alignment;
  dict.append(length - fixed - dict.size() - 1, ' ');
  dict += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dict.size() & 0xFF);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

NpyWriter::NpyWriter(const std::filesystem::path& path, DType dtype,
                     const std::vector<std::int64_t>& shape, WriteCheck check)
    : file_(path, std::move(check)), dtype_(dtype) {
  const std::optional<std::int64_t> size = dense_size(shape, dtype);
  if (!size) throw std::logic_error("NpyWriter: the shape is negative or too large");
  missing_ = static_cast<std::uint64_t>(*size);
  file_.write(npy_header(dtype, shape));
}

void NpyWriter::write_bytes(std::string_view bytes, DType dtype) {
  if (dtype != dtype_) throw std::logic_error("NpyWriter: numbers of another type");
  if (bytes.size() > missing_) throw std::logic_error("NpyWriter: more numbers than promised");
  missing_ -= bytes.size();
  file_.write(bytes);
}

void NpyWriter::commit() {
  if (missing_ != 0) throw std::logic_error("NpyWriter: fewer numbers than promised");
  file_.commit();
}

}  // namespace hqe
