// SPDX-License-Identifier: MIT
#include "hqe/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/io/descriptor.h"

namespace hqe {

FileBytes map_descriptor(int descriptor, std::size_t size, std::string file) {
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) {
    throw InputError(std::move(file), "", "cannot be mapped: " + system_reason(errno),
                     "Check that the file lies on a file system that supports mmap");
  }
  std::shared_ptr<const void> owner(
      address, [size](const void* start) { ::munmap(const_cast<void*>(start), size); });
  return {std::move(file), {static_cast<const std::byte*>(address), size}, std::move(owner)};
}

FileBytes map_file(const std::filesystem::path& path) {
  const std::string file = path.string();
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor) {
    if (errno == ENOENT) {
      throw InputError(file, "", "there is no such file", "Check the path");
    }
    throw InputError(file, "", "cannot be opened: " + system_reason(errno),
                     "Check the path and its permissions");
  }
  struct stat status{};
  if (::fstat(descriptor.get(), &status) != 0) {
    throw InputError(file, "", "cannot be examined: " + system_reason(errno), "");
  }
  if (S_ISDIR(status.st_mode)) {
    throw InputError(file, "", "is a directory where a file was expected",
                     "Give a .npy, .npz, .pt, .safetensors or .csv file");
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(file, "", "is not a regular file, and cannot be mapped",
                     "Copy its content to a regular file");
  }
  if (status.st_size == 0) {
    throw InputError(file, "", "the file is empty", "Write it again");
  }
  return map_descriptor(descriptor.get(), static_cast<std::size_t>(status.st_size), file);
}

}  // namespace hqe
