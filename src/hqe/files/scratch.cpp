// SPDX-License-Identifier: MIT
#include "hqe/files/scratch.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <utility>

#include "hqe/base/error.h"

namespace hqe {
namespace {

// Many small models are as large as one large one, so the limit is the whole process's.
std::atomic<std::size_t> memory_in_use = 0;

Descriptor open_temporary(const std::string& file) {
  std::vector<std::string> folders;
  if (const char* chosen = std::getenv("TMPDIR"); chosen != nullptr && *chosen != '\0') {
    folders.emplace_back(chosen);
  }
  folders.emplace_back("/var/tmp");
  folders.emplace_back("/tmp");
  int reason = 0;
  for (const std::string& folder : folders) {
    std::string path = folder + "/hqe-XXXXXX";
    Descriptor descriptor(::mkostemp(path.data(), O_CLOEXEC));
    if (descriptor) {
      ::unlink(path.c_str());
      return descriptor;
    }
    reason = errno;
  }
  throw OutputError(file,
                    fmt::format("no temporary file can be made in {}: {}", folders.front(),
                                system_reason(reason)),
                    "Set TMPDIR to a folder with enough space");
}

}  // namespace

Scratch::Scratch(std::string file, std::size_t memory_limit)
    : file_(std::move(file)), memory_limit_(memory_limit) {}

Scratch::~Scratch() { memory_in_use -= reserved_; }

void Scratch::expect(std::uint64_t more) {
  if (!descriptor_ && more > memory_limit_ - std::min(memory_limit_, memory_in_use.load())) spill();
}

void Scratch::append(std::span<const std::byte> bytes) { write_at(size_, bytes); }

void Scratch::write_at(std::uint64_t position, std::span<const std::byte> bytes) {
  const std::uint64_t size = std::max<std::uint64_t>(size_, position + bytes.size());
  reserve(size);
  if (descriptor_) {
    write(position, bytes);
  } else {
    std::ranges::copy(bytes, memory_.get() + position);
  }
  size_ = size;
}

/// Room for so many bytes in all, in memory or no longer there.
void Scratch::reserve(std::uint64_t size) {
  if (descriptor_ || size <= size_) return;
  const auto more = static_cast<std::size_t>(size - size_);
  const std::size_t before = memory_in_use.fetch_add(more);
  reserved_ += more;
  if (before + more > memory_limit_) return spill();
  if (size <= capacity_) return;
  // Growing moves no pages of a large block, and pages that nobody wrote to are none.
  capacity_ = std::max(size, 2 * capacity_);
  std::byte* const old = memory_.release();
  auto* const grown =
      static_cast<std::byte*>(std::realloc(old, static_cast<std::size_t>(capacity_)));
  if (grown == nullptr) {
    memory_.reset(old);
    throw std::bad_alloc();
  }
  memory_.reset(grown);
}

void Scratch::spill() {
  descriptor_ = open_temporary(file_);
  write(0, {memory_.get(), static_cast<std::size_t>(size_)});
  memory_.reset();
  memory_in_use -= std::exchange(reserved_, 0);
}

void Scratch::write(std::uint64_t position, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_.get(), bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw OutputError(file_, "cannot be unpacked to a temporary file: " + system_reason(errno),
                        "Set TMPDIR to a folder with enough space, or store it uncompressed");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    position += static_cast<std::uint64_t>(written);
  }
}

FileBytes Scratch::finish() {
  if (descriptor_) {
    return map_descriptor(descriptor_.get(), static_cast<std::size_t>(size_), file_);
  }
  struct Kept {
    std::unique_ptr<std::byte, Free> bytes;
    std::size_t reserved;
    Kept(std::unique_ptr<std::byte, Free> kept_bytes, std::size_t kept_reserved)
        : bytes(std::move(kept_bytes)), reserved(kept_reserved) {}
    ~Kept() { memory_in_use -= reserved; }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
  };
  auto kept = std::make_shared<Kept>(std::move(memory_), std::exchange(reserved_, 0));
  const std::span<const std::byte> view{kept->bytes.get(), static_cast<std::size_t>(size_)};
  return {file_, view, std::move(kept)};
}

}  // namespace hqe
