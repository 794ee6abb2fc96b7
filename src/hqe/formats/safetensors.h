// SPDX-License-Identifier: MIT
/// Hugging Face's .safetensors files: a JSON header and the tensors' bytes, little-endian.

#pragma once

#include <vector>

#include "hqe/files/mapped_file.h"
#include "hqe/formats/members.h"

namespace hqe {

/// The tensors of a file, by name. Nothing is copied. Throws InputError.
[[nodiscard]] std::vector<Member> read_safetensors(const FileBytes& bytes);

}  // namespace hqe
