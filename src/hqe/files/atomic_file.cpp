// SPDX-License-Identifier: MIT
#include "hqe/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "hqe/files/output_place.h"
#include "hqe/files/patient_write.h"

namespace hqe {
namespace {

/// The new file is to others what the old one was. Only root may give a file away; whoever may not
/// still writes it.
void take_over(int descriptor, const struct stat& old) {
  if (::fchown(descriptor, old.st_uid, old.st_gid) != 0) {
    [[maybe_unused]] const int kept = ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid);
  }
  [[maybe_unused]] const int kept = ::fchmod(descriptor, old.st_mode & 0777);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, WriteCheck check)
    : path_(std::move(path)), check_(std::move(check)) {
  const OutputPlace place = find_output_place(path_);
  target_ = place.path;
  if (!place.is_file()) {
    // A device or pipe (/dev/stdout) must never be replaced by a file.
    descriptor_ = open_patiently(path_.c_str(), S_ISFIFO(place.existing->st_mode), check_);
    if (descriptor_ < 0) refuse_output(path_, errno);
    return;
  }
  static std::atomic<unsigned> counter = 0;
  do {
    // Not the target's name with something behind it: that may be too long.
    temporary_ = place.folder() / fmt::format(".hqe-{}-{}.part", ::getpid(), ++counter);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    temporary_.clear();
    refuse_output(path_, errno);
  }
  if (place.existing) take_over(descriptor_, *place.existing);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (const int reason = write_patiently(descriptor_, bytes, check_)) refuse_output(path_, reason);
}

void AtomicFile::commit() {
  const bool is_device = temporary_.empty();
  if (!is_device && ::fsync(descriptor_) != 0) refuse_output(path_, errno);
  if (check_) check_();
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse_output(path_, errno);
  if (is_device) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) refuse_output(path_, errno);
  temporary_.clear();
}

void write_file(const std::filesystem::path& path, std::string_view bytes, WriteCheck check) {
  AtomicFile file(path, std::move(check));
  file.write(bytes);
  file.commit();
}

}  // namespace hqe
