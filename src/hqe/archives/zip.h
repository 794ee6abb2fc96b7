// SPDX-License-Identifier: MIT
/// Zip archives, as .npz and .pt files are: stored and deflated entries, zip64.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/files/mapped_file.h"

namespace hqe {

/// An entry of an archive, its place in the file checked.
struct ZipEntry {
  std::string name;
  bool is_deflated = false;
  std::uint64_t stored_size = 0;  ///< Bytes in the file.
  std::uint64_t size = 0;         ///< Bytes when unpacked, as the archive claims.
  std::uint64_t offset = 0;       ///< Of the first stored byte.
  std::uint32_t checksum = 0;
};

/// A zip archive. Reading its directory costs no more memory than the file has bytes.
///
/// Refused with InputError: a damaged directory, entries that overlap, occur twice, are encrypted
/// or packed with anything but deflate, and an unpacked size that deflate cannot reach.
class ZipFile {
 public:
  explicit ZipFile(FileBytes bytes);
  ZipFile(const ZipFile&) = delete;
  ZipFile& operator=(const ZipFile&) = delete;

  [[nodiscard]] const FileBytes& bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

  /// The entry of that name, null when there is none.
  [[nodiscard]] const ZipEntry* find(std::string_view name) const;

  /// The first `size` bytes of an entry, or all if it has fewer. For headers.
  [[nodiscard]] FileBytes read_start(const ZipEntry& entry, std::size_t size) const;

  /// The whole entry: where it lies if it is stored, else unpacked to scratch, its size and
  /// checksum verified. An entry that would unpack to more than 64 MiB at a ratio above 500 is
  /// refused as a zip bomb.
  [[nodiscard]] FileBytes read(const ZipEntry& entry) const;

 private:
  FileBytes bytes_;
  std::vector<ZipEntry> entries_;  ///< In the order of the directory.
  std::map<std::string_view, const ZipEntry*> by_name_;
};

}  // namespace hqe
