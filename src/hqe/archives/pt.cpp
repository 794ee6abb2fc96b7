// SPDX-License-Identifier: MIT
#include "hqe/archives/pt.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>

#include "hqe/archives/tensor_list.h"
#include "hqe/archives/torch_archive.h"
#include "hqe/base/error.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

bool is_list_of_tensors(const TorchArchive& archive, PickleId id) {
  const Pickle& pickle = archive.pickle();
  const bool is_list = pickle.type(id) == PickleType::list || pickle.type(id) == PickleType::tuple;
  const auto items = pickle.items(id);
  return is_list && !items.empty() &&
         std::ranges::all_of(items, [&](PickleId item) { return archive.is_tensor(item); });
}

Array read_value(TorchArchive& archive, PickleId id, const std::string& place) {
  if (archive.is_tensor(id)) {
    const Tensor tensor = archive.tensor(id, place);
    return array_in_file(tensor.storage, tensor.claim, place);
  }
  TensorList list(archive.file(), place);
  for (const PickleId item : archive.pickle().items(id)) list.add(archive.tensor(item, place));
  return list.finish(archive.storage_size());
}

}  // namespace

std::vector<Member> read_pt(const FileBytes& bytes) {
  const auto archive = std::make_shared<TorchArchive>(bytes);
  const Pickle& pickle = archive->pickle();
  const auto is_array = [&](PickleId id) {
    return archive->is_tensor(id) || is_list_of_tensors(*archive, id);
  };
  std::vector<Member> members;
  const PickleId root = pickle.root();
  if (is_array(root)) {
    members.push_back({"", [archive, root] { return read_value(*archive, root, "tensor"); }});
  } else if (pickle.type(root) == PickleType::dict) {
    const auto items = pickle.items(root);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      const PickleId value = items[i + 1];
      if (pickle.type(items[i]) != PickleType::text || !is_array(value)) continue;
      const std::string key(pickle.text(items[i]));
      members.push_back({key, [archive, value, key] {
                           return read_value(*archive, value, "tensor " + printable(key));
                         }});
    }
  }
  if (members.empty()) {
    throw InputError(bytes.file, "", "the file holds no tensor",
                     "Save the tensor itself, or a dict: torch.save({'predictionVectors': p, "
                     "'labelVectors': y}, path)");
  }
  return members;
}

}  // namespace hqe
