// SPDX-License-Identifier: MIT
/// PyTorch's .pt files: zip archives with a pickle that describes tensors, and their storages.

#pragma once

#include <vector>

#include "hqe/archives/members.h"
#include "hqe/files/mapped_file.h"

namespace hqe {

/// The tensors of a file that torch.save wrote: one without a name where the file holds a bare
/// tensor or a list of tensors, else those of the dict, by key. Keys that hold no tensor are left
/// out.
///
/// A list of tensors is one array: matrices are joined along the samples, vectors of floats are
/// rows, vectors of integers are joined, single numbers make a vector. It is copied to scratch only
/// if its pieces do not lie behind each other already.
///
/// Nothing in the file is executed. Throws InputError.
[[nodiscard]] std::vector<Member> read_pt(const FileBytes& bytes);

}  // namespace hqe
