// SPDX-License-Identifier: MIT
#include "hqe/digest/tensors.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

namespace hqe {
namespace {

constexpr std::array<std::string_view, tensor_count> tensor_names{
    "truth", "labels",       "kept",          "own",          "classes", "values",
    "sums",  "extra_counts", "extra_classes", "extra_values", "rounded"};

std::string_view word_of(DType dtype) {
  switch (dtype) {
    case DType::int8:
      return "I8";
    case DType::int16:
      return "I16";
    case DType::int32:
      return "I32";
    case DType::uint16:
      return "U16";
    case DType::float16:
      return "F16";
    case DType::bfloat16:
      return "BF16";
    case DType::float32:
      return "F32";
    case DType::float64:
      return "F64";
    default:
      return "U8";
  }
}

std::uint64_t half_bits(float value) {
  const auto sign = std::bit_cast<std::uint32_t>(value) >> 16 & 0x8000u;
  // The way of float_from_half(), backwards.
  const auto scaled = std::bit_cast<std::uint32_t>(std::abs(value) * 0x1p-112f);
  return sign | scaled >> 13;
}

std::uint64_t bits_of(double value, DType dtype) {
  const auto narrow = static_cast<float>(value);
  switch (dtype) {
    case DType::float16:
      return half_bits(narrow);
    case DType::bfloat16:
      return std::bit_cast<std::uint32_t>(narrow) >> 16;
    case DType::float32:
      return std::bit_cast<std::uint32_t>(narrow);
    default:
      return std::bit_cast<std::uint64_t>(value);
  }
}

std::string entry(std::string_view name, const TensorType& type, std::uint64_t begin,
                  std::uint64_t bytes) {
  const std::uint64_t numbers = bytes / size_of(type.dtype);
  const std::string shape = type.columns == 0
                                ? fmt::format("{}", numbers)
                                : fmt::format("{},{}", numbers / type.columns, type.columns);
  return fmt::format(R"("{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", name,
                     word_of(type.dtype), shape, begin, begin + bytes);
}

std::string eight_bytes(std::uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

}  // namespace

bool is_exact(double value, DType dtype) {
  const auto bits = bits_of(value, dtype);
  switch (dtype) {
    case DType::float16:
      return float_from_half(static_cast<std::uint16_t>(bits)) == value;
    case DType::bfloat16:
      return float_from_bfloat16(static_cast<std::uint16_t>(bits)) == value;
    case DType::float32:
      return static_cast<double>(static_cast<float>(value)) == value;
    default:
      return true;
  }
}

void TensorBytes::append(DigestTensor tensor, double value, DType dtype) {
  append(tensor, bits_of(value, dtype), size_of(dtype));
}

void TensorBytes::append(DigestTensor tensor, std::span<const double> values, DType dtype) {
  if (dtype != DType::float32) {
    for (const double value : values) append(tensor, value, dtype);
    return;
  }
  // Nearly every pool has floats: no number of a row asks for its type or for room.
  constexpr std::size_t size = sizeof(float);
  std::byte* const to = room(tensor, size * values.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[v]));
    for (std::size_t i = 0; i < size; ++i) {
      to[size * v + i] = static_cast<std::byte>(bits >> (8 * i));
    }
  }
  tensors_[static_cast<std::size_t>(tensor)].used += size * values.size();
}

Tensors::Tensors(std::string name, TensorTypes types) : name_(std::move(name)), types_(types) {
  for (auto& scratch : scratch_) scratch = std::make_unique<Scratch>(name_);
}

void Tensors::drop(DigestTensor tensor) {
  scratch_[static_cast<std::size_t>(tensor)] = std::make_unique<Scratch>(name_);
}

void Tensors::append(const TensorBytes& bytes) {
  for (std::size_t t = 0; t < tensor_count; ++t) {
    const std::span<const std::byte> more = bytes[static_cast<DigestTensor>(t)];
    if (!more.empty()) scratch_[t]->append(more);
  }
}

std::uint64_t Tensors::size() const {
  std::uint64_t sum = 0;
  for (const auto& scratch : scratch_) sum += scratch->size();
  return sum;
}

std::uint64_t Tensors::write(const std::filesystem::path& path, int version, std::string_view about,
                             WriteCheck check) {
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < tensor_count; ++t) {
    if (scratch_[t]->size() > 0) order.push_back(t);
  }
  // The widest numbers first: so all of them are aligned, and nothing lies between them.
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t t) { return size_of(types_[t].dtype); });
  std::string header =
      fmt::format(R"({{"__metadata__":{{"format":"hqe.digest","version":"{}"}})", version);
  std::uint64_t end = 0;
  for (const std::size_t t : order) {
    header += "," + entry(tensor_names[t], types_[t], end, scratch_[t]->size());
    end += scratch_[t]->size();
  }
  header += "," + entry("about", {}, end, about.size()) + "}";
  header.append((8 - header.size() % 8) % 8, ' ');

  AtomicFile file(path, std::move(check));
  file.write(eight_bytes(header.size()));
  file.write(header);
  for (const std::size_t t : order) {
    const FileBytes bytes = scratch_[t]->finish();
    constexpr std::size_t step = std::size_t{1} << 22;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      file.write(bytes.text().substr(at, step));
    }
  }
  file.write(about);
  file.commit();
  return 8 + header.size() + end + about.size();
}

}  // namespace hqe
