// SPDX-License-Identifier: MIT
#include "hqe/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "hqe/files/bus_errors.h"
#include "hqe/files/descriptor.h"
#include "hqe/predictions/copied_rows.h"

namespace hqe {
namespace {

/// Memory that is unmapped in the end.
class MappedMemory {
 public:
  MappedMemory(int descriptor, std::size_t size, const std::string& file)
      : start_(::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0)), size_(size) {
    if (start_ == MAP_FAILED) {
      throw InputError(file, "", "cannot be mapped: " + system_reason(errno),
                       "Check that the file lies on a file system that supports mmap");
    }
  }
  ~MappedMemory() {
    give_pages_back();
    ::munmap(start_, size_);
  }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  [[nodiscard]] const std::byte* start() const { return static_cast<const std::byte*>(start_); }

 private:
  /// Giving back what was read takes one thread a tenth as long as reading it, and munmap() lets
  /// no second one help: another thread gives a half of a large file back before.
  void give_pages_back() {
    constexpr std::size_t large = std::size_t{64} << 20;
    if (size_ < large) return;
    constexpr std::size_t half = large / 2;  // A multiple of every page.
    const std::size_t middle = size_ / 2 / half * half;
    std::byte* const start = static_cast<std::byte*>(start_);
    try {
      const std::jthread other([&] { ::madvise(start + middle, size_ - middle, MADV_DONTNEED); });
      ::madvise(start, middle, MADV_DONTNEED);
    } catch (const std::system_error&) {
      ::madvise(start, size_, MADV_DONTNEED);  // No thread is to be had.
    }
  }

  void* start_;
  std::size_t size_;
};

/// A file as it was when it was opened.
struct OpenedFile {
  std::filesystem::path path;
  struct stat status;

  /// "was cut short", "was changed"; nothing where it is as it was.
  [[nodiscard]] const char* change() const {
    struct stat now{};
    // A file that is gone, or replaced by another, is still mapped as it was.
    if (::stat(path.c_str(), &now) != 0) return nullptr;
    if (now.st_dev != status.st_dev || now.st_ino != status.st_ino) return nullptr;
    if (now.st_size < status.st_size) return "was cut short";
    const bool is_same = now.st_size == status.st_size &&
                         now.st_mtim.tv_sec == status.st_mtim.tv_sec &&
                         now.st_mtim.tv_nsec == status.st_mtim.tv_nsec;
    return is_same ? nullptr : "was changed";
  }
};

/// A second descriptor of a large file. A process may have a thousand open, which are the user's:
/// only some files have one.
class SpareDescriptor {
 public:
  SpareDescriptor(int descriptor, std::size_t size) {
    if (size < smallest_file) return;
    if (in_use.fetch_add(1) < most) own_ = Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!own_) --in_use;
  }
  ~SpareDescriptor() {
    if (own_) --in_use;
  }
  SpareDescriptor(const SpareDescriptor&) = delete;
  SpareDescriptor& operator=(const SpareDescriptor&) = delete;

  [[nodiscard]] const Descriptor& get() const { return own_; }

 private:
  static constexpr std::size_t smallest_file = std::size_t{1} << 20;
  static constexpr int most = 64;
  static inline std::atomic<int> in_use = 0;
  Descriptor own_;
};

std::size_t page_faults_of_this_thread() {
  struct rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return static_cast<std::size_t>(usage.ru_minflt + usage.ru_majflt);
}

/// Whether a fault maps few pages of a file, as where the page cache holds it in single ones:
/// sixteen are mapped together then. A file system that keeps larger pieces maps those, for less a
/// page. Looks at some pages in the middle, which nobody has looked at yet.
bool maps_few_pages_at_once(std::span<const std::byte> bytes) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  constexpr std::size_t few = 24;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t first = bytes.size() / 2 / page * page;
  const std::size_t end = std::min(bytes.size(), first + most_bytes);
  const std::size_t before = page_faults_of_this_thread();
  std::size_t pages = 0;
  for (std::size_t at = first; at < end; at += page, ++pages) {
    static_cast<void>(*static_cast<const volatile std::byte*>(bytes.data() + at));
  }
  return pages < few * (page_faults_of_this_thread() - before);
}

class Mapping final : public Lender {
 public:
  Mapping(int descriptor, std::size_t size, std::string file, std::optional<OpenedFile> opened)
      : file_(std::move(file)),
        opened_(std::move(opened)),
        descriptor_(descriptor, opened_ ? size : 0),
        size_(size),
        memory_(descriptor, size, file_),
        range_(memory_.start(), size) {}

  [[nodiscard]] const std::byte* start() const { return memory_.start(); }

  [[nodiscard]] bool can_copy() const override { return static_cast<bool>(descriptor_.get()); }

  [[nodiscard]] bool is_cheaper_copied() const override {
    Way way = way_;
    if (way == Way::unknown) {
      const bool is_copied = maps_few_pages_at_once({memory_.start(), size_});
      Way expected = Way::unknown;
      way = is_copied ? Way::copied : Way::mapped;
      if (!way_.compare_exchange_strong(expected, way)) way = expected;
    }
    return way == Way::copied;
  }

  void copy(const std::byte* from, std::span<std::byte> to) const override {
    while (!to.empty()) {
      const ::ssize_t count = ::pread(descriptor_.get().get(), to.data(), to.size(),
                                      static_cast<::off_t>(from - memory_.start()));
      if (count < 0 && errno == EINTR) continue;
      // What the file has no more is looked at where it lay, so that its range is damaged.
      if (count <= 0) return static_cast<void>(std::memcpy(to.data(), from, to.size()));
      from += count;
      to = to.subspan(static_cast<std::size_t>(count));
    }
  }

  void check() const override {
    if (range_.is_damaged()) {
      throw InputError(file_, "", "was cut short while it was read, or its disk failed",
                       "Try again when nobody writes to it");
    }
    if (const char* const change = opened_ ? opened_->change() : nullptr) {
      throw InputError(file_, "", std::string(change) + " after it was opened",
                       "Try again when nobody writes to it");
    }
  }

 private:
  enum class Way : char { unknown, mapped, copied };

  std::string file_;
  std::optional<OpenedFile> opened_;
  SpareDescriptor descriptor_;
  std::size_t size_;
  mutable std::atomic<Way> way_ = Way::unknown;
  MappedMemory memory_;
  GuardedRange range_;  // After the memory: given up before it is unmapped.
};

FileBytes map_bytes(int descriptor, std::size_t size, const std::string& file,
                    std::optional<OpenedFile> opened) {
  const auto mapping = std::make_shared<const Mapping>(descriptor, size, file, std::move(opened));
  return {file, {mapping->start(), size}, mapping, mapping};
}

}  // namespace

FileBytes map_descriptor(int descriptor, std::size_t size, const std::string& file) {
  return map_bytes(descriptor, size, file, std::nullopt);
}

void give_back(const FileBytes& file, std::size_t begin, std::size_t end) {
  // Only what is mapped has a witness; memory of our own would be lost.
  if (!file.witness) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(file.bytes.data());
  const std::uintptr_t first = (start + begin + page - 1) / page * page;
  const std::uintptr_t last = (start + end) / page * page;
  if (first >= last) return;
  void* const where = const_cast<std::byte*>(file.bytes.data()) + (first - start);
  static_cast<void>(::madvise(where, last - first, MADV_DONTNEED));
}

FileBytes map_file(const std::filesystem::path& path, std::string_view wanted) {
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
                     "Give " + std::string(wanted));
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(file, "", "is not a regular file, and cannot be mapped",
                     "Copy its content to a regular file");
  }
  if (status.st_size == 0) {
    throw InputError(file, "", "the file is empty", "Write it again");
  }
  std::error_code error;
  // Whole: the working folder may be another when the file is looked at again.
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return map_bytes(descriptor.get(), static_cast<std::size_t>(status.st_size), file,
                   OpenedFile{.path = error ? path : whole, .status = status});
}

}  // namespace hqe
