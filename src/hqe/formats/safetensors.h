// SPDX-License-Identifier: MIT
/// Hugging Face's .safetensors files: a JSON header and the tensors' bytes, little-endian.

#pragma once

#include <string>
#include <vector>

#include "hqe/archives/members.h"
#include "hqe/files/mapped_file.h"

namespace hqe {

/// The tensors of a file, by name. Nothing is copied. Throws InputError.
[[nodiscard]] std::vector<Member> read_safetensors(const FileBytes& bytes);
/// The same of a file that is more than that: `advice` says how it comes back.
[[nodiscard]] std::vector<Member> read_safetensors(const FileBytes& bytes, Message advice);

}  // namespace hqe
