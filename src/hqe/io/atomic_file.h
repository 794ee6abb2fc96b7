// SPDX-License-Identifier: MIT
/// Results on disk, whole or not at all.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hqe {

/// A file that appears under its name only when commit() succeeds. Until then nothing is visible
/// there; destruction without commit, a full disk or a kill leaves any previous file untouched.
/// Throws InputError naming the path, the reason and what to do.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// AtomicFile, write, commit.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace hqe
