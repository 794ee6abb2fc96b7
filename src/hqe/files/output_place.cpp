// SPDX-License-Identifier: MIT
#include "hqe/files/output_place.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <tuple>

#include "hqe/base/error.h"
#include "hqe/files/descriptor.h"

namespace hqe {
namespace {

namespace fs = std::filesystem;

/// As many as the kernel follows.
constexpr int most_links = 40;

/// Where a chain of links to nothing ends: the file that opening it would make.
fs::path end_of_links(fs::path path) {
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // An absolute target replaces all before it.
  }
  return path;
}

/// What makes two names one file: the file itself, or where it would be made.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> identity_of(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Identity{status.st_dev, status.st_ino, ""};
  }
  const OutputPlace place{.path = end_of_links(path)};
  if (::stat(place.folder().c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, place.path.filename().string()};
}

std::string advice_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "Free some space";
    case EFBIG:
      return "Raise the limit on the size of files (ulimit -f)";
    case ENAMETOOLONG:
      return "Choose a shorter name";
    case ELOOP:
      return "Its links lead in a circle: choose another name";
    case EPIPE:
      return "Whoever read it is gone";
    default:
      return "Check the folder and its permissions";
  }
}

}  // namespace

fs::path OutputPlace::folder() const {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void refuse_output(const fs::path& path, int error_number) {
  throw OutputError(path.string(), "cannot be written: " + system_reason(error_number),
                    advice_for(error_number));
}

OutputPlace find_output_place(const fs::path& path) {
  OutputPlace place{.path = path};
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) refuse_output(path, errno);
    place.path = end_of_links(path);
    return place;
  }
  if (S_ISDIR(status.st_mode)) {
    throw OutputError(path.string(), "is a folder", "Give the name of a file");
  }
  place.existing = status;
  if (!place.is_file()) return place;
  std::error_code error;
  place.path = fs::canonical(path, error);
  if (error) refuse_output(path, error.value());
  // Replacing it would ask nobody: whoever made a file read-only wants to keep it.
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    throw OutputError(path.string(), "cannot be written: the file is read-only",
                      "Make it writable (chmod u+w), or choose another name");
  }
  return place;
}

void check_output(const fs::path& path) {
  const OutputPlace place = find_output_place(path);
  if (!place.is_file()) return;
  if (::faccessat(AT_FDCWD, place.folder().c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    refuse_output(path, errno);
  }
}

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  std::vector<Identity> written;
  for (const std::string& output : outputs) {
    const std::optional<Identity> identity = identity_of(output);
    if (!identity) continue;
    if (std::ranges::find(written, *identity) != written.end()) {
      throw UsageError(output + ": two results would go to this file. Give each its own name.");
    }
    written.push_back(*identity);
  }
  if (written.empty()) return;
  for (const std::string& input : inputs) {
    const std::optional<Identity> identity = identity_of(input);
    if (!identity || std::ranges::find(written, *identity) == written.end()) continue;
    throw UsageError(input + ": is read, and would be replaced by the result. Write to another " +
                     "file.");
  }
}

void check_not_in(const std::string& output, const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  const OutputPlace place{.path = end_of_links(output)};
  for (const fs::path& in : {place.folder(), OutputPlace{.path = output}.folder()}) {
    if (!fs::equivalent(in, folder, error)) continue;
    throw UsageError(output +
                     ": is in the folder of the pool, which would hold these rows twice. " +
                     "Write it to another folder.");
  }
}

}  // namespace hqe
