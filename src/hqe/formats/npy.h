// SPDX-License-Identifier: MIT
/// NumPy's .npy files, versions 1 to 3: any number type, both byte orders, C and Fortran order.

#pragma once

#include <cstdint>
#include <string>

#include "hqe/files/array_in_file.h"
#include "hqe/files/mapped_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// The array of a .npy file. Throws InputError.
/// Text becomes the places of its words.
[[nodiscard]] Array read_npy(const FileBytes& bytes, const std::string& place = "");

/// What the header at the start of `bytes` claims, where the rest of the file may still be missing;
/// `claim.offset` is the size of the header. Throws InputError.
[[nodiscard]] ArrayClaim read_npy_header(const FileBytes& bytes, const std::string& place = "");

/// The most bytes that a header may have.
inline constexpr std::int64_t npy_header_limit = 1 << 16;

/// The most bytes before the header.
inline constexpr std::int64_t npy_prefix_size = 12;

/// Whether the file is an array of text (<U5, |S3), by its header. Throws InputError.
[[nodiscard]] bool is_npy_text(const FileBytes& bytes, const std::string& place = "");

/// Throws InputError where a file of `size` bytes does not hold the vector of text that the header
/// at the start of `bytes` claims. Requires: is_npy_text().
void check_npy_text_size(const FileBytes& bytes, std::uint64_t size, const std::string& place = "");

}  // namespace hqe
