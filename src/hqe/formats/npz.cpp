// SPDX-License-Identifier: MIT
#include "hqe/formats/npz.h"

#include <fmt/core.h>

#include <memory>
#include <string>

#include "hqe/archives/zip.h"
#include "hqe/base/error.h"
#include "hqe/formats/npy.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::string_view suffix = ".npy";

Array read_entry(const ZipFile& zip, const ZipEntry& entry) {
  const std::string place = "entry " + printable(entry.name);
  const FileBytes start =
      entry.is_deflated ? zip.read_start(entry, npy_header_limit + npy_prefix_size) : FileBytes{};
  const bool is_text = entry.is_deflated && is_npy_text(start, place);
  if (is_text) check_npy_text_size(start, entry.size, place);
  if (entry.is_deflated && !is_text) {
    const ArrayClaim claim = read_npy_header(start, place);
    const std::optional<std::int64_t> size = dense_size(claim.shape, claim.dtype);
    if (!size || static_cast<std::uint64_t>(*size) + static_cast<std::uint64_t>(claim.offset) !=
                     entry.size) {
      throw InputError(zip.bytes().file, place,
                       fmt::format("the archive promises {} bytes, but the array of shape {} and "
                                   "type {} needs {}",
                                   entry.size, shape_text(claim.shape), to_string(claim.dtype),
                                   size ? std::to_string(*size + claim.offset) : "over 2^63"),
                       "The file is damaged: save or copy it again");
    }
  }
  return read_npy(zip.read(entry), place);
}

}  // namespace

std::vector<Member> read_npz(const FileBytes& bytes) {
  const auto zip = std::make_shared<const ZipFile>(bytes);
  std::vector<Member> members;
  for (const ZipEntry& entry : zip->entries()) {
    if (!entry.name.ends_with(suffix)) continue;
    members.push_back({entry.name.substr(0, entry.name.size() - suffix.size()),
                       [zip, &entry] { return read_entry(*zip, entry); }});
  }
  if (members.empty()) {
    throw InputError(
        bytes.file, "",
        fmt::format("the archive holds no .npy array among its {} entries", zip->entries().size()),
        "Save it with numpy.savez");
  }
  return members;
}

}  // namespace hqe
