// SPDX-License-Identifier: MIT
/// Digests in: .safetensors files whose tensors and description are as docs/formats.md has them,
/// and several of them as one pool.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "hqe/files/mapped_file.h"
#include "hqe/predictions/digest.h"

namespace hqe {

/// What one file holds.
struct DigestFile {
  Pool pool;  ///< All that it says of the pool and its models; no predictions.
  std::uint64_t first_row = 0;
  std::optional<std::uint64_t> pool_rows{};  ///< Where the rows of all digests end, if known.
  std::optional<bool> names_are_labels{};    ///< As of Pool; nothing: nobody says.
  DigestPart part;

  [[nodiscard]] std::uint64_t end_row() const { return first_row + part.shape().sample_count; }
};

/// True of a name that ends in .digest.
[[nodiscard]] bool names_a_digest(const std::filesystem::path& path);

/// The digests of a folder, in order of their names. Throws InputError where there are predictions
/// beside them: nobody could say which of the two are meant.
[[nodiscard]] std::vector<std::filesystem::path> digests_in(const std::filesystem::path& folder);

/// Reads what says where things lie and checks it; values are left to the scan. Throws InputError.
[[nodiscard]] DigestFile read_digest(const FileBytes& bytes);

/// The pool of these digests, whatever their order. `is_whole`: one alone must have all rows, too.
/// Throws InputError naming a file whose rows are missing or there twice, that knows of rows behind
/// all of them, or that is of other models, classes or another kind. Requires: at least one.
[[nodiscard]] Pool join_digests(std::vector<DigestFile> files, bool is_whole);

/// The same of their files.
[[nodiscard]] Pool open_digests(const std::vector<std::filesystem::path>& paths, bool is_whole);

}  // namespace hqe
