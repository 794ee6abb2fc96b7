// SPDX-License-Identifier: MIT
/// NumPy's .npz files: zip archives of .npy files, stored or compressed.

#pragma once

#include <vector>

#include "hqe/archives/members.h"
#include "hqe/files/mapped_file.h"

namespace hqe {

/// The arrays of a .npz file, named as numpy.savez named them. A stored array is not copied; a
/// compressed one is unpacked to scratch when it is read, after its header has been found to agree
/// with its size. Throws InputError.
[[nodiscard]] std::vector<Member> read_npz(const FileBytes& bytes);

}  // namespace hqe
