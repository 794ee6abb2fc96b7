// SPDX-License-Identifier: MIT
/// Results on disk, whole or not at all.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hqe {

/// Called now and then while a file is written, also while a pipe makes the write wait. It may
/// throw to end the work; what it throws passes through. Empty: nobody wants to end it.
using WriteCheck = std::function<void()>;

/// A file that appears under its name only when commit() succeeds. Until then nothing is visible
/// there but a hidden `.hqe-*.part` in its folder; destruction without commit, a full disk or a
/// kill leaves any previous file untouched. A link stays, and the file that it names is replaced;
/// the new file has the old one's mode, and its owner where the system allows. A device or pipe is
/// written into. Throws OutputError naming the path, the reason and what to do: also where the old
/// file is read-only.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path, WriteCheck check = {});
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_;    ///< As it was given, for messages.
  std::filesystem::path target_;  ///< What is replaced.
  WriteCheck check_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// AtomicFile, write, commit.
void write_file(const std::filesystem::path& path, std::string_view bytes, WriteCheck check = {});

}  // namespace hqe
