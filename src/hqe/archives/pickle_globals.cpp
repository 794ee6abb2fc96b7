// SPDX-License-Identifier: MIT
#include "hqe/archives/pickle_globals.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hqe {
namespace {

constexpr std::array constructors{
    std::string_view("torch._utils._rebuild_tensor"),
    std::string_view("torch._utils._rebuild_tensor_v2"),
    std::string_view("torch._utils._rebuild_tensor_v3"),
    std::string_view("torch._utils._rebuild_parameter"),
    std::string_view("torch.Size"),
    std::string_view("collections.OrderedDict"),
};

constexpr std::array untyped_storages{
    std::string_view("torch.storage.UntypedStorage"),
    std::string_view("torch.UntypedStorage"),
    std::string_view("torch.storage._UntypedStorage"),
};

struct NamedType {
  std::string_view storage, dtype;
  DType type;
};
constexpr std::array named_types{
    NamedType{"torch.FloatStorage", "torch.float32", DType::float32},
    NamedType{"torch.DoubleStorage", "torch.float64", DType::float64},
    NamedType{"torch.HalfStorage", "torch.float16", DType::float16},
    NamedType{"torch.BFloat16Storage", "torch.bfloat16", DType::bfloat16},
    NamedType{"torch.BoolStorage", "torch.bool", DType::boolean},
    NamedType{"torch.ByteStorage", "torch.uint8", DType::uint8},
    NamedType{"torch.CharStorage", "torch.int8", DType::int8},
    NamedType{"torch.ShortStorage", "torch.int16", DType::int16},
    NamedType{"torch.IntStorage", "torch.int32", DType::int32},
    NamedType{"torch.LongStorage", "torch.int64", DType::int64},
    NamedType{"", "torch.uint16", DType::uint16},
    NamedType{"", "torch.uint32", DType::uint32},
    NamedType{"", "torch.uint64", DType::uint64},
};

}  // namespace

std::optional<DType> dtype_of_global(std::string_view name) {
  for (const NamedType& type : named_types) {
    if (name == type.dtype || (!name.empty() && name == type.storage)) return type.type;
  }
  // A storage saved from a GPU is called torch.cuda.FloatStorage.
  constexpr std::string_view cuda = "torch.cuda.";
  if (name.starts_with(cuda) && name.ends_with("Storage")) {
    for (const NamedType& type : named_types) {
      if (!type.storage.empty() && name.substr(cuda.size()) == type.storage.substr(6)) {
        return type.type;
      }
    }
  }
  return std::nullopt;
}

bool is_untyped_storage(std::string_view name) {
  return std::ranges::find(untyped_storages, name) != untyped_storages.end();
}

bool is_known_global(std::string_view name) {
  return std::ranges::find(constructors, name) != constructors.end() || is_untyped_storage(name) ||
         dtype_of_global(name).has_value();
}

}  // namespace hqe
