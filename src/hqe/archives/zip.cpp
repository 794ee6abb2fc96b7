// SPDX-License-Identifier: MIT
#include "hqe/archives/zip.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "hqe/archives/zip_directory.h"
#include "hqe/base/error.h"
#include "hqe/files/scratch.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::uint64_t bomb_size = std::uint64_t{64} << 20;
constexpr std::uint64_t bomb_ratio = 500;

[[noreturn]] void refuse(const FileBytes& bytes, const ZipEntry& entry, const std::string& reason) {
  throw InputError(bytes.file, "entry " + printable(entry.name), reason,
                   "The archive is damaged: save or copy it again");
}

/// A deflated stream, unpacked piece by piece.
class Inflater {
 public:
  Inflater(const FileBytes& bytes, const ZipEntry& entry)
      : bytes_(bytes), entry_(entry), input_(bytes.bytes.subspan(entry.offset, entry.stored_size)) {
    // Negative: a raw stream, as zip has it.
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// The next bytes, into the start of `out`; fewer than it holds only at the end.
  std::size_t read(std::span<std::byte> out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && !ended_) {
      refill();
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        ended_ = true;
      } else if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != Z_OK) {
        refuse(bytes_, entry_, "the packed data are damaged");
      }
    }
    return out.size() - stream_.avail_out;
  }

 private:
  void refill() {
    if (stream_.avail_in > 0 || input_.empty()) return;
    const std::size_t piece = std::min<std::size_t>(input_.size(), std::size_t{1} << 30);
    // zlib's interface predates const; it does not write its input.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input_.data()));
    stream_.avail_in = static_cast<uInt>(piece);
    input_ = input_.subspan(piece);
  }

  const FileBytes& bytes_;
  const ZipEntry& entry_;
  std::span<const std::byte> input_;
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

ZipFile::ZipFile(FileBytes bytes) : bytes_(std::move(bytes)) {
  entries_ = read_zip_directory(bytes_);
  for (const ZipEntry& entry : entries_) by_name_.emplace(entry.name, &entry);
}

const ZipEntry* ZipFile::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

FileBytes ZipFile::read_start(const ZipEntry& entry, std::size_t size) const {
  const std::size_t wanted = std::min<std::uint64_t>(size, entry.size);
  if (!entry.is_deflated) {
    return bytes_.part(entry.offset, wanted);
  }
  auto start = std::make_shared<std::vector<std::byte>>(wanted);
  start->resize(Inflater(bytes_, entry).read(*start));
  const std::span<const std::byte> view = *start;
  return {bytes_.file, view, std::move(start)};
}

FileBytes ZipFile::read(const ZipEntry& entry) const {
  if (!entry.is_deflated) return read_start(entry, entry.size);
  if (entry.size > bomb_size && entry.size / bomb_ratio > entry.stored_size) {
    throw InputError(bytes_.file, "entry " + printable(entry.name),
                     fmt::format("unpacks from {} to {} bytes, as a zip bomb does",
                                 entry.stored_size, entry.size),
                     "If it is meant, save it uncompressed (numpy.savez, not savez_compressed)");
  }
  Inflater inflater(bytes_, entry);
  Scratch scratch(bytes_.file);
  std::vector<std::byte> piece(std::size_t{1} << 18);
  uLong checksum = ::crc32(0, nullptr, 0);
  while (const std::size_t count = inflater.read(piece)) {
    if (count > entry.size - scratch.size()) {
      refuse(bytes_, entry, fmt::format("unpacks to more than the {} bytes it claims", entry.size));
    }
    checksum =
        ::crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(count));
    scratch.append(std::span(piece).first(count));
  }
  if (scratch.size() != entry.size) {
    refuse(bytes_, entry,
           fmt::format("unpacks to {} bytes, but claims {}", scratch.size(), entry.size));
  }
  if (checksum != entry.checksum) refuse(bytes_, entry, "its checksum is wrong");
  if (entry.size == 0) return bytes_.part(0, 0);
  return scratch.finish();
}

}  // namespace hqe
