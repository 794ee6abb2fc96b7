// SPDX-License-Identifier: MIT
/// The bytes of a file where they lie: mapped, and copied only for whoever asks its witness
/// (predictions/copied_rows.h).

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "hqe/base/error.h"
#include "hqe/predictions/witness.h"

namespace hqe {

/// Bytes, what keeps them alive, and the name that messages call them by.
struct FileBytes {
  std::string file;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;         ///< Null where the caller keeps the bytes alive.
  std::shared_ptr<const Witness> witness{};  ///< Null where the bytes cannot change.

  [[nodiscard]] std::size_t size() const { return bytes.size(); }
  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Some of the bytes, with the same owner and witness. Requires: they exist.
  [[nodiscard]] FileBytes part(std::size_t offset, std::size_t length) const {
    return {file, bytes.subspan(offset, length), owner, witness};
  }
};

/// Maps a file for reading; symbolic links are followed. Throws InputError where it is missing,
/// empty, unreadable or not a regular file; of a folder it says to give what is `wanted`.
///
/// A file that shrinks while it is mapped reads as zeros behind its new end, and its witness says
/// so: the first mapping installs a handler of SIGBUS (bus_errors.h). The witness also refuses a
/// file that is still under its name and has another size or time of change than when it was
/// opened. A file that another one replaced is still the one that was opened. The witness is a
/// Lender; it keeps a descriptor of its own, and can copy, of files of a megabyte and more while
/// fewer than 64 others do. Whether that is cheaper it asks the kernel, by counting page faults.
[[nodiscard]] FileBytes map_file(const std::filesystem::path& path,
                                 std::string_view wanted = "a file");

/// Maps the first `size` bytes of an open descriptor, which may be closed afterwards. Throws
/// InputError naming `file`. Requires: size > 0.
[[nodiscard]] FileBytes map_descriptor(int descriptor, std::size_t size, const std::string& file);

/// Gives the memory of some bytes of a mapped file back, up to its last whole page; they are read
/// from the file again where they are looked at. Does nothing to bytes that are in no file.
void give_back(const FileBytes& file, std::size_t begin, std::size_t end);

/// What `read()` makes of the file. Where the file changed meanwhile that is said, rather than
/// whatever `read` stumbled over. Throws InputError.
template <typename Read>
auto read_unchanged(const FileBytes& file, const Read& read) {
  const auto check = [&file] {
    if (file.witness) file.witness->check();
  };
  try {
    auto result = read();
    check();
    return result;
  } catch (const InputError&) {
    check();
    throw;
  }
}

/// What `read(text, name)` makes of a document. Throws InputError.
template <typename Read>
auto read_document(const FileBytes& file, const Read& read) {
  return read_unchanged(file, [&] { return read(file.text(), file.file); });
}

}  // namespace hqe
