// SPDX-License-Identifier: MIT
/// The bytes of a file where they lie: mapped, never copied.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace hqe {

/// Bytes, what keeps them alive, and the name that messages call them by.
struct FileBytes {
  std::string file;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  ///< Null where the caller keeps the bytes alive.

  [[nodiscard]] std::size_t size() const { return bytes.size(); }
};

/// Maps a file for reading; symbolic links are followed. The file must not shrink while it is
/// mapped. Throws InputError where it is missing, empty, unreadable or not a regular file.
[[nodiscard]] FileBytes map_file(const std::filesystem::path& path);

/// Maps the first `size` bytes of an open descriptor, which may be closed afterwards. Throws
/// InputError naming `file`. Requires: size > 0.
[[nodiscard]] FileBytes map_descriptor(int descriptor, std::size_t size, std::string file);

}  // namespace hqe
