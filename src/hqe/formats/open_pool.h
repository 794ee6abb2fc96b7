// SPDX-License-Identifier: MIT
/// Pools in: a folder, or loose files, of .npy .npz .pt .safetensors .csv (spec section 1), a
/// table, or digests.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "hqe/predictions/pool.h"
#include "hqe/tables/table_pool.h"

namespace hqe {

/// Where a pool lies. Either `folder`, or `files` with or without `labels`; digests are a folder of
/// theirs, or files. Where `columns` names
/// any, the one file is a table, and `labels` or a second file a table of true labels.
struct PoolPath {
  std::filesystem::path folder{};
  std::filesystem::path labels{};              ///< Overrides the folder's labels.*; may be empty.
  std::vector<std::filesystem::path> files{};  ///< Loose files, in id order, named by their stems.
  std::optional<Kind> kind{};                  ///< Overrides what pool.toml declares.
  bool single = false;                         ///< One model is enough.
  TableColumns columns{};
};

/// Opens a pool without reading its predictions: files are mapped, headers checked against the
/// files' sizes. `elsewhere`: what rows of the same pool show that are in other files. Throws
/// InputError naming file, place, what was found and what to do.
[[nodiscard]] Pool open_pool(const PoolPath& path,
                             std::optional<ShownLabels> elsewhere = std::nullopt);

/// What open_pool() hands to make_pool(): the files found and opened, before anybody asks whether
/// they fit together. Throws InputError.
[[nodiscard]] PoolParts read_pool_parts(const PoolPath& path);

}  // namespace hqe
