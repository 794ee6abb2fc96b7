// SPDX-License-Identifier: MIT
/// A torch.save archive: its pickle, and the arrays that the tensors in it describe.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "hqe/archives/pickle.h"
#include "hqe/archives/zip.h"
#include "hqe/files/array_in_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// One tensor as the pickle describes it, with the bytes of its storage.
struct Tensor {
  ArrayClaim claim;  ///< Offset and strides relative to `storage`.
  FileBytes storage;
};

class TorchArchive {
 public:
  /// Throws InputError for what is not such an archive.
  explicit TorchArchive(const FileBytes& bytes);

  [[nodiscard]] const Pickle& pickle() const { return pickle_; }
  [[nodiscard]] const std::string& file() const { return zip_.bytes().file; }

  /// True when the value is a call that makes a tensor.
  [[nodiscard]] bool is_tensor(PickleId id) const;

  /// Reads the tensor; a compressed storage is unpacked once. `place` is for messages. Throws
  /// InputError. Requires: is_tensor(id).
  [[nodiscard]] Tensor tensor(PickleId id, const std::string& place);

  /// The bytes of all storages that tensor() has read.
  [[nodiscard]] std::uint64_t storage_size() const;

 private:
  struct Storage {
    FileBytes bytes;
    std::optional<DType> dtype;
  };
  Storage storage(PickleId id, const std::string& place);
  std::vector<std::int64_t> sizes(PickleId id, const std::string& place) const;

  ZipFile zip_;
  std::string prefix_;  ///< Of the entries, "archive/".
  bool byte_swapped_ = false;
  Pickle pickle_;
  std::map<std::string, FileBytes, std::less<>> unpacked_;
};

}  // namespace hqe
