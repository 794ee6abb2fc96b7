// SPDX-License-Identifier: MIT
#include "hqe/files/scratch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
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

void Scratch::append(std::span<const std::byte> bytes) {
  if (!descriptor_) {
    const std::size_t before = memory_in_use.fetch_add(bytes.size());
    reserved_ += bytes.size();
    if (before + bytes.size() > memory_limit_) spill();
  }
  if (descriptor_) {
    write(bytes);
  } else {
    memory_.insert(memory_.end(), bytes.begin(), bytes.end());
  }
  size_ += bytes.size();
}

void Scratch::spill() {
  descriptor_ = open_temporary(file_);
  write(memory_);
  memory_ = {};
  memory_in_use -= std::exchange(reserved_, 0);
}

void Scratch::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_.get(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw OutputError(file_, "cannot be unpacked to a temporary file: " + system_reason(errno),
                        "Set TMPDIR to a folder with enough space, or store it uncompressed");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

FileBytes Scratch::finish() {
  if (descriptor_) {
    return map_descriptor(descriptor_.get(), static_cast<std::size_t>(size_), file_);
  }
  struct Kept {
    std::vector<std::byte> bytes;
    std::size_t reserved;
    Kept(std::vector<std::byte> kept_bytes, std::size_t kept_reserved)
        : bytes(std::move(kept_bytes)), reserved(kept_reserved) {}
    ~Kept() { memory_in_use -= reserved; }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
  };
  memory_.shrink_to_fit();
  auto kept = std::make_shared<Kept>(std::move(memory_), std::exchange(reserved_, 0));
  const std::span<const std::byte> view = kept->bytes;
  return {file_, view, std::move(kept)};
}

}  // namespace hqe
