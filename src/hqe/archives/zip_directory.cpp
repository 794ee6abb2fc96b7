// SPDX-License-Identifier: MIT
#include "hqe/archives/zip_directory.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "hqe/base/error.h"
#include "hqe/files/little_endian.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::uint64_t local_signature = 0x04034b50;
constexpr std::uint64_t entry_signature = 0x02014b50;
constexpr std::uint64_t end_signature = 0x06054b50;
constexpr std::uint64_t end64_signature = 0x06064b50;
constexpr std::uint64_t locator64_signature = 0x07064b50;
constexpr std::uint64_t in_zip64 = 0xFFFFFFFF;  ///< "See the zip64 field".

// Deflate cannot pack better than this, plus a little for the last block.
constexpr std::uint64_t deflate_ratio = 1032;

[[noreturn]] void refuse_zip(const FileBytes& bytes, const std::string& place,
                             const std::string& reason) {
  throw InputError(bytes.file, place, reason,
                   "The archive is cut short or damaged: save or copy it again");
}

class Directory {
 public:
  explicit Directory(const FileBytes& bytes) : bytes_(bytes) {}

  std::vector<ZipEntry> read() {
    find();
    std::vector<ZipEntry> entries;
    std::uint64_t position = start_;
    for (std::uint64_t i = 0; i < count_; ++i) entries.push_back(read_entry(position));
    check_apart(entries);
    return entries;
  }

 private:
  // Everything is read through this, so that nothing is read outside the file.
  [[nodiscard]] std::uint64_t number(std::uint64_t position, std::size_t width) const {
    if (position > bytes_.size() || bytes_.size() - position < width) {
      refuse_zip(bytes_, fmt::format("byte {}", position), "the zip archive ends too early");
    }
    return read_little_endian(bytes_.bytes.subspan(position), width);
  }
  [[nodiscard]] std::string text(std::uint64_t position, std::uint64_t length) const {
    if (position > bytes_.size() || bytes_.size() - position < length) {
      refuse_zip(bytes_, fmt::format("byte {}", position), "the zip archive ends too early");
    }
    return {reinterpret_cast<const char*>(bytes_.bytes.data()) + position, length};
  }

  void find() {
    constexpr std::uint64_t end_size = 22, comment_limit = 0xFFFF;
    const std::uint64_t size = bytes_.size();
    if (size < 4 || (number(0, 4) != local_signature && number(0, 4) != end_signature)) {
      throw InputError(
          bytes_.file, "",
          fmt::format("not a zip archive: it begins with {}, expected \"PK\\x03\\x04\"",
                      printable(text(0, std::min<std::uint64_t>(size, 4)))),
          "Check that the file is what its extension says");
    }
    const std::uint64_t stop =
        size > end_size + comment_limit ? size - end_size - comment_limit : 0;
    for (std::uint64_t end = size < end_size ? 0 : size - end_size + 1; end-- > stop;) {
      if (number(end, 4) != end_signature || number(end + 20, 2) != size - end - end_size) continue;
      count_ = number(end + 10, 2);
      const std::uint64_t directory_size = number(end + 12, 4);
      start_ = number(end + 16, 4);
      stop_ = end;
      if (end >= 20 && number(end - 20, 4) == locator64_signature) {
        find64(end - 20);
      } else if (start_ > end || directory_size > end - start_) {
        refuse_zip(bytes_, "", "the directory of the zip archive does not lie in the file");
      }
      return;
    }
    refuse_zip(bytes_, "", "a zip archive without its directory at the end");
  }

  void find64(std::uint64_t locator) {
    const std::uint64_t end = number(locator + 8, 8);
    if (end > locator || locator - end < 56 || number(end, 4) != end64_signature) {
      refuse_zip(bytes_, "", "the zip64 directory is not where the archive says");
    }
    count_ = number(end + 32, 8);
    const std::uint64_t directory_size = number(end + 40, 8);
    start_ = number(end + 48, 8);
    stop_ = end;
    if (start_ > end || directory_size > end - start_) {
      refuse_zip(bytes_, "", "the zip64 directory does not lie in the file");
    }
  }

  ZipEntry read_entry(std::uint64_t& position) const {
    constexpr std::uint64_t fixed = 46;
    if (position + fixed > stop_ || number(position, 4) != entry_signature) {
      refuse_zip(bytes_, fmt::format("byte {}", position),
                 "the directory of the zip archive is damaged");
    }
    const std::uint64_t flags = number(position + 8, 2);
    const std::uint64_t method = number(position + 10, 2);
    ZipEntry entry;
    entry.checksum = static_cast<std::uint32_t>(number(position + 16, 4));
    entry.stored_size = number(position + 20, 4);
    entry.size = number(position + 24, 4);
    const std::uint64_t name_length = number(position + 28, 2);
    const std::uint64_t extra_length = number(position + 30, 2);
    const std::uint64_t comment_length = number(position + 32, 2);
    std::uint64_t header = number(position + 42, 4);
    entry.name = text(position + fixed, name_length);
    const std::uint64_t extra = position + fixed + name_length;
    apply_zip64(extra, extra + extra_length, entry, header);
    position = extra + extra_length + comment_length;

    const std::string place = "entry " + printable(entry.name);
    if ((flags & 1) != 0) {
      throw InputError(bytes_.file, place, "is encrypted", "Save it without a password");
    }
    if (method != 0 && method != 8) {
      throw InputError(
          bytes_.file, place,
          fmt::format("is packed with method {}, expected stored (0) or deflate (8)", method),
          "Pack it again with deflate, or not at all");
    }
    entry.is_deflated = method == 8;
    locate(header, entry, place);
    return entry;
  }

  // The sizes and the offset that do not fit 32 bits stand in an extra field, in this order.
  void apply_zip64(std::uint64_t extra, std::uint64_t end, ZipEntry& entry,
                   std::uint64_t& header) const {
    while (extra + 4 <= end) {
      const std::uint64_t tag = number(extra, 2);
      const std::uint64_t field_end = extra + 4 + number(extra + 2, 2);
      std::uint64_t field = extra + 4;
      if (tag == 1 && field_end <= end) {
        for (std::uint64_t* value : {&entry.size, &entry.stored_size, &header}) {
          if (*value != in_zip64 || field + 8 > field_end) continue;
          *value = number(field, 8);
          field += 8;
        }
        return;
      }
      extra = field_end;
    }
  }

  void locate(std::uint64_t header, ZipEntry& entry, const std::string& place) const {
    constexpr std::uint64_t fixed = 30;
    if (header > start_ || start_ - header < fixed || number(header, 4) != local_signature) {
      refuse_zip(bytes_, place, "is not where the zip directory says");
    }
    entry.offset = header + fixed + number(header + 26, 2) + number(header + 28, 2);
    if (entry.offset > start_ || entry.stored_size > start_ - entry.offset) {
      refuse_zip(bytes_, place, "does not lie in the file");
    }
    if (!entry.is_deflated && entry.size != entry.stored_size) {
      refuse_zip(bytes_, place, "is stored, but its two sizes differ");
    }
    if (entry.is_deflated && entry.size / deflate_ratio > entry.stored_size) {
      refuse_zip(bytes_, place,
                 fmt::format("claims to unpack from {} to {} bytes, more than deflate can",
                             entry.stored_size, entry.size));
    }
  }

  // Entries that share bytes are how a small archive pretends to be a huge one.
  void check_apart(const std::vector<ZipEntry>& entries) const {
    std::vector<const ZipEntry*> order;
    std::set<std::string_view> names;
    for (const ZipEntry& entry : entries) {
      order.push_back(&entry);
      if (!names.insert(entry.name).second) {
        refuse_zip(bytes_, "entry " + printable(entry.name), "occurs twice in the archive");
      }
    }
    std::ranges::sort(order, {}, [](const ZipEntry* entry) {
      return std::pair(entry->offset, entry->stored_size);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (order[i - 1]->offset + order[i - 1]->stored_size > order[i]->offset) {
        refuse_zip(bytes_, "entry " + printable(order[i]->name),
                   "overlaps another entry, as a zip bomb does");
      }
    }
  }

  const FileBytes& bytes_;
  std::uint64_t start_ = 0;  ///< Of the directory.
  std::uint64_t stop_ = 0;   ///< Where it must have ended.
  std::uint64_t count_ = 0;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(const FileBytes& bytes) { return Directory(bytes).read(); }

}  // namespace hqe
