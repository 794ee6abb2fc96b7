// SPDX-License-Identifier: MIT
#include "hqe/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/io/descriptor.h"

namespace hqe {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, int error_number) {
  throw InputError(
      path.string(), "", "cannot be written: " + system_reason(error_number),
      error_number == ENOSPC ? "Free some space" : "Check the folder and its permissions");
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::is_directory(status)) refuse(path_, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    // A device or pipe (/dev/stdout) must never be replaced by a file.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse(path_, errno);
    return;
  }
  // A link stays a link: the file that it names is replaced.
  if (std::filesystem::is_symlink(path_, error)) {
    const auto target = std::filesystem::weakly_canonical(path_, error);
    if (!error) path_ = target;
  }
  static std::atomic<unsigned> counter = 0;
  do {
    temporary_ = fmt::format("{}.{}-{}.part", path_.string(), ::getpid(), ++counter);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) refuse(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      refuse(path_, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  const bool is_device = temporary_.empty();
  if (!is_device && ::fsync(descriptor_) != 0) refuse(path_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse(path_, errno);
  if (is_device) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) refuse(path_, errno);
  temporary_.clear();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace hqe
