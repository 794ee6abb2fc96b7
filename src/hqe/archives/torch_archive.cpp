// SPDX-License-Identifier: MIT
#include "hqe/archives/torch_archive.h"

#include <fmt/core.h>

#include <bit>
#include <optional>
#include <string_view>

#include "hqe/archives/pickle_globals.h"
#include "hqe/base/error.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::string_view pickle_name = "data.pkl";
constexpr std::uint64_t pickle_limit = std::uint64_t{256} << 20;

[[noreturn]] void refuse(const std::string& file, const std::string& place,
                         const std::string& reason) {
  throw InputError(file, place, reason, "Save it again with torch.save");
}

// Before version 1.6 torch wrote a bare pickle that begins with this number.
constexpr std::string_view legacy_magic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
                                        14);

const FileBytes& check_magic(const FileBytes& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size());
  if (text.starts_with(legacy_magic)) {
    throw InputError(bytes.file, "", "a .pt file in the legacy format, from before PyTorch 1.6",
                     "Load it with a current torch and save it again: "
                     "torch.save(torch.load(path), path)");
  }
  if (!text.starts_with("PK")) {
    refuse(
        bytes.file, "",
        fmt::format("not a .pt file: it begins with {}, expected the zip archive that torch.save "
                    "writes",
                    printable(text.substr(0, 4))));
  }
  return bytes;
}

std::string find_prefix(const ZipFile& zip) {
  std::optional<std::string> prefix;
  for (const ZipEntry& entry : zip.entries()) {
    const std::string_view name = entry.name;
    if (!name.ends_with(pickle_name)) continue;
    const std::string_view start = name.substr(0, name.size() - pickle_name.size());
    if (!start.empty() && !start.ends_with('/')) continue;
    if (prefix) refuse(zip.bytes().file, "", "the archive holds more than one data.pkl");
    prefix = start;
  }
  if (!prefix) refuse(zip.bytes().file, "", "a zip archive without data.pkl, so not a .pt file");
  if (zip.find(*prefix + "constants.pkl") != nullptr) {
    throw InputError(zip.bytes().file, "", "a TorchScript program, not predictions",
                     "Save the tensor of predictions with torch.save");
  }
  return *prefix;
}

FileBytes read_small(const ZipFile& zip, const std::string& name, std::uint64_t limit) {
  const ZipEntry* const entry = zip.find(name);
  if (entry->size > limit) {
    refuse(zip.bytes().file, "entry " + printable(name),
           fmt::format("has {} bytes, at most {} were expected", entry->size, limit));
  }
  return zip.read(*entry);
}

bool is_swapped(const ZipFile& zip, const std::string& prefix) {
  const std::string name = prefix + "byteorder";
  bool is_little = true;
  if (zip.find(name) != nullptr) {
    const FileBytes order = read_small(zip, name, 64);
    const std::string_view word(reinterpret_cast<const char*>(order.bytes.data()), order.size());
    if (word != "little" && word != "big") {
      refuse(zip.bytes().file, "entry " + printable(name),
             fmt::format("is {}, expected \"little\" or \"big\"", printable(word)));
    }
    is_little = word == "little";
  }
  return is_little != (std::endian::native == std::endian::little);
}

}  // namespace

TorchArchive::TorchArchive(const FileBytes& bytes)
    : zip_(check_magic(bytes)),
      prefix_(find_prefix(zip_)),
      byte_swapped_(is_swapped(zip_, prefix_)),
      pickle_(read_small(zip_, prefix_ + std::string(pickle_name), pickle_limit)) {}

bool TorchArchive::is_tensor(PickleId id) const {
  return pickle_.type(id) == PickleType::call &&
         pickle_.text(pickle_.items(id)[0]).starts_with("torch._utils._rebuild_");
}

std::uint64_t TorchArchive::storage_size() const {
  std::uint64_t size = 0;
  for (const auto& [key, bytes] : unpacked_) size += bytes.size();
  return size;
}

std::vector<std::int64_t> TorchArchive::sizes(PickleId id, const std::string& place) const {
  // torch.Size((3, 4)) is a tuple by another name.
  if (pickle_.type(id) == PickleType::call && pickle_.text(pickle_.items(id)[0]) == "torch.Size") {
    const auto arguments = pickle_.items(pickle_.items(id)[1]);
    if (arguments.size() == 1) id = arguments[0];
  }
  if (pickle_.type(id) != PickleType::tuple || pickle_.items(id).size() > 32) {
    refuse(file(), place, "a tensor without sizes or strides");
  }
  std::vector<std::int64_t> numbers;
  for (const PickleId item : pickle_.items(id)) {
    if (pickle_.type(item) != PickleType::integer) {
      refuse(file(), place, "a tensor whose sizes are no integers");
    }
    numbers.push_back(pickle_.integer(item));
  }
  return numbers;
}

TorchArchive::Storage TorchArchive::storage(PickleId id, const std::string& place) {
  // ('storage', torch.FloatStorage, key, location, number of elements)
  const auto wrapped = pickle_.items(id);
  const bool is_persistent =
      pickle_.type(id) == PickleType::persistent && pickle_.type(wrapped[0]) == PickleType::tuple;
  const auto description = is_persistent ? pickle_.items(wrapped[0]) : wrapped.first(0);
  if (description.size() < 5 || pickle_.text(description[0]) != "storage" ||
      pickle_.type(description[1]) != PickleType::global ||
      pickle_.type(description[2]) != PickleType::text ||
      pickle_.type(description[4]) != PickleType::integer) {
    refuse(file(), place, "a tensor without a storage");
  }
  const std::string_view type = pickle_.text(description[1]);
  const std::optional<DType> dtype = dtype_of_global(type);
  if (!dtype && !is_untyped_storage(type)) {
    refuse(file(), place, fmt::format("a storage of the unsupported type {}", printable(type)));
  }
  const std::string key(pickle_.text(description[2]));
  if (const auto known = unpacked_.find(key); known != unpacked_.end()) {
    return {known->second, dtype};
  }
  const ZipEntry* const entry = zip_.find(prefix_ + "data/" + key);
  if (entry == nullptr) {
    refuse(file(), place, fmt::format("the storage {} is missing", printable(key)));
  }
  // Of an untyped storage the number counts bytes.
  const std::optional<std::int64_t> size =
      dense_size({pickle_.integer(description[4])}, dtype.value_or(DType::uint8));
  if (!size || static_cast<std::uint64_t>(*size) != entry->size) {
    refuse(file(), place,
           fmt::format("the storage {} has {} bytes, but should have {}", printable(key),
                       entry->size, size ? std::to_string(*size) : "over 2^63"));
  }
  return {unpacked_.emplace(key, zip_.read(*entry)).first->second, dtype};
}

Tensor TorchArchive::tensor(PickleId id, const std::string& place) {
  auto name = pickle_.text(pickle_.items(id)[0]);
  auto arguments = pickle_.items(pickle_.items(id)[1]);
  if (name == "torch._utils._rebuild_parameter" && !arguments.empty() && is_tensor(arguments[0])) {
    const PickleId wrapped = arguments[0];
    name = pickle_.text(pickle_.items(wrapped)[0]);
    arguments = pickle_.items(pickle_.items(wrapped)[1]);
  }
  const bool is_v3 = name == "torch._utils._rebuild_tensor_v3";
  if (name == "torch._utils._rebuild_parameter" || arguments.size() < (is_v3 ? 7U : 4U) ||
      pickle_.type(arguments[1]) != PickleType::integer) {
    refuse(file(), place, "a tensor with unexpected arguments");
  }
  const Storage storage_of_it = storage(arguments[0], place);
  std::optional<DType> dtype = storage_of_it.dtype;
  if (is_v3) dtype = dtype_of_global(pickle_.text(arguments[6]));
  if (!dtype) refuse(file(), place, "numbers of an unsupported type");
  // The seventh argument tells of a negation or conjugation that was put off.
  const std::size_t metadata = is_v3 ? 7 : 6;
  if (arguments.size() > metadata && !pickle_.items(arguments[metadata]).empty()) {
    throw InputError(file(), place, "a tensor whose negation was put off",
                     "Save tensor.resolve_neg() instead");
  }
  Tensor tensor{{*dtype, byte_swapped_, sizes(arguments[2], place), sizes(arguments[3], place), 0},
                storage_of_it.bytes};
  if (tensor.claim.shape.size() != tensor.claim.strides.size()) {
    refuse(file(), place, "a tensor with more sizes than strides, or fewer");
  }
  const auto item = static_cast<std::int64_t>(size_of(*dtype));
  if (__builtin_mul_overflow(pickle_.integer(arguments[1]), item, &tensor.claim.offset)) {
    refuse(file(), place, "a tensor that begins beyond its storage");
  }
  return tensor;
}

}  // namespace hqe
