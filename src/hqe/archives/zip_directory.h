// SPDX-License-Identifier: MIT
/// The directory at the end of a zip archive.

#pragma once

#include <vector>

#include "hqe/archives/zip.h"

namespace hqe {

/// The entries of an archive as its directory lists them, every one checked to lie in the file and
/// apart from the others. Throws InputError.
[[nodiscard]] std::vector<ZipEntry> read_zip_directory(const FileBytes& bytes);

}  // namespace hqe
