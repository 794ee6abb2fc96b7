// SPDX-License-Identifier: MIT
#include "hqe/formats/safetensors.h"

#include <fmt/core.h>

#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/files/array_in_file.h"
#include "hqe/files/little_endian.h"
#include "hqe/text/json_parser.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::uint64_t header_limit = std::uint64_t{1} << 20;
constexpr std::uint64_t prefix_size = 8;

std::optional<DType> parse_dtype(std::string_view word) {
  constexpr std::pair<std::string_view, DType> words[] = {
      {"BOOL", DType::boolean}, {"I8", DType::int8},       {"I16", DType::int16},
      {"I32", DType::int32},    {"I64", DType::int64},     {"U8", DType::uint8},
      {"U16", DType::uint16},   {"U32", DType::uint32},    {"U64", DType::uint64},
      {"F16", DType::float16},  {"BF16", DType::bfloat16}, {"F32", DType::float32},
      {"F64", DType::float64}};
  for (const auto& [known, dtype] : words) {
    if (known == word) return dtype;
  }
  return std::nullopt;
}

/// A file, and how it comes back where it is no good.
struct TensorFile {
  FileBytes bytes;
  Message advice;
};

[[noreturn]] void refuse(const TensorFile& file, const std::string& place,
                         const std::string& reason) {
  throw InputError(file.bytes.file, place, reason, file.advice);
}

Json parse_header(const TensorFile& file) {
  const std::uint64_t left = file.bytes.size() < prefix_size ? 0 : file.bytes.size() - prefix_size;
  const std::uint64_t length =
      left == 0 ? 0 : read_little_endian(file.bytes.bytes.first(prefix_size), prefix_size);
  if (left == 0 || length > left) {
    refuse(file, "",
           fmt::format("not a .safetensors file, or cut short: the header claims {} bytes, the "
                       "file has {} left",
                       length, left));
  }
  if (length > header_limit) {
    refuse(file, "", fmt::format("a header of {} bytes, at most 1 MiB works", length));
  }
  const auto* const text = reinterpret_cast<const char*>(file.bytes.bytes.data()) + prefix_size;
  constexpr std::size_t max_depth = 4;
  try {
    Json header = parse_json({text, length}, max_depth);
    if (!header.is_object()) refuse(file, "header", "is not a JSON object");
    return header;
  } catch (const BadJson& problem) {
    if (problem.place.empty()) refuse(file, "header", problem.reason);
    refuse(file, "header", "is not valid JSON, so this is not a .safetensors file");
  }
}

std::vector<std::int64_t> integers(const TensorFile& file, const std::string& place,
                                   const Json& tensor, const char* key) {
  const auto list = tensor.find(key);
  if (list == tensor.end() || !list->is_array()) {
    refuse(file, place, fmt::format("its header has no list \"{}\"", key));
  }
  std::vector<std::int64_t> numbers;
  for (const Json& item : *list) {
    if (!item.is_number_unsigned() ||
        item.get<std::uint64_t>() >
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      refuse(file, place, fmt::format("\"{}\" holds what is no size", key));
    }
    numbers.push_back(item.get<std::int64_t>());
  }
  return numbers;
}

Array read_tensor(const TensorFile& file, std::uint64_t data_begin, const std::string& name,
                  const Json& tensor) {
  const std::string place = "tensor " + printable(name);
  if (!tensor.is_object()) refuse(file, place, "its header is not a JSON object");
  const auto type = tensor.find("dtype");
  if (type == tensor.end() || !type->is_string()) refuse(file, place, "has no dtype");
  const auto& word = type->get_ref<const std::string&>();
  const std::optional<DType> dtype = parse_dtype(word);
  if (!dtype) {
    throw InputError(file.bytes.file, place,
                     fmt::format("numbers of the unsupported type {}", printable(word)),
                     "Save booleans, integers, BF16, F16, F32 or F64");
  }
  const auto shape = integers(file, place, tensor, "shape");
  const auto offsets = integers(file, place, tensor, "data_offsets");
  const std::uint64_t data_size = file.bytes.size() - data_begin;
  const std::optional<std::int64_t> size = dense_size(shape, *dtype);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || !size || *size != offsets[1] - offsets[0]) {
    refuse(file, place,
           fmt::format("its data_offsets do not fit an array of shape {} and type {}",
                       shape_text(shape), to_string(*dtype)));
  }
  if (static_cast<std::uint64_t>(offsets[1]) > data_size) {
    refuse(file, place,
           fmt::format("ends at byte {} of the data, but the file holds only {}: it is cut short",
                       offsets[1], data_size));
  }
  const FileBytes data = file.bytes.part(data_begin, file.bytes.size() - data_begin);
  return array_in_file(data,
                       {*dtype, std::endian::native != std::endian::little, shape,
                        dense_strides(shape, false), offsets[0]},
                       place);
}

}  // namespace

std::vector<Member> read_safetensors(const FileBytes& bytes) {
  return read_safetensors(bytes, "Save it again with the safetensors package");
}

std::vector<Member> read_safetensors(const FileBytes& bytes, Message advice) {
  const TensorFile file{bytes, std::move(advice)};
  const Json header = parse_header(file);
  const std::uint64_t data_begin =
      prefix_size + read_little_endian(bytes.bytes.first(prefix_size), prefix_size);
  std::vector<Member> members;
  for (const auto& entry : header.items()) {
    if (entry.key() == "__metadata__") continue;
    members.push_back({entry.key(), [file, data_begin, name = entry.key(), tensor = entry.value()] {
                         return read_tensor(file, data_begin, name, tensor);
                       }});
  }
  if (members.empty()) refuse(file, "", "the file holds no tensor");
  return members;
}

}  // namespace hqe
