// SPDX-License-Identifier: MIT
/// .pt files for tests, honest or lying, byte for byte as torch.save lays them out.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/zip_builder.h"

namespace hqe::testing {

inline std::string pickled(const std::string& text) {
  return "X" + little_endian(text.size(), 4) + text;
}
inline std::string pickled(std::int64_t value) {
  return "\x8a\x08" + little_endian(static_cast<std::uint64_t>(value), 8);
}
inline std::string pickled(const std::vector<std::int64_t>& tuple) {
  std::string text = "(";
  for (const std::int64_t item : tuple) text += pickled(item);
  return text + "t";
}

struct TorchTensor {
  std::string type = "FloatStorage";
  std::string key = "0";
  std::int64_t elements = 0;  ///< Of the storage.
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

/// The part of a pickle that makes the tensor.
inline std::string pickled(const TorchTensor& tensor) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") + "ctorch\n" + tensor.type +
         "\n" + pickled(tensor.key) + pickled("cpu") + pickled(tensor.elements) + "tQ" +
         pickled(tensor.offset) + pickled(tensor.shape) + pickled(tensor.strides) +
         "\x89"
         "ccollections\nOrderedDict\n)RtR";
}

/// The archive around the body of a pickle, with storages "0", "1", ...
inline std::string torch_file(const std::string& body, const std::vector<std::string>& storages) {
  std::vector<ZipItem> items{{"archive/data.pkl", "\x80\x02" + body + "."}};
  for (std::size_t i = 0; i < storages.size(); ++i) {
    items.push_back({"archive/data/" + std::to_string(i), storages[i]});
  }
  items.push_back({"archive/version", "3\n"});
  return make_zip(items);
}

}  // namespace hqe::testing
