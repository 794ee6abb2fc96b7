// SPDX-License-Identifier: MIT
/// What the fuzzers call with any bytes. A target returns whatever the bytes are: a refusal is
/// fine; anything else that is thrown, a crash or a hang is a finding.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hqe::fuzz {

void fuzz_npy(std::string_view bytes);
void fuzz_csv(std::string_view bytes);
void fuzz_safetensors(std::string_view bytes);
void fuzz_pool_toml(std::string_view bytes);

/// Also scans what is not refused, and asks for a vote. Bytes that begin with PART are up to three
/// files, opened as one pool.
void fuzz_digest(std::string_view bytes);

/// The first byte says which columns are asked for; the others are the table.
void fuzz_table(std::string_view bytes);

/// Bytes that do not begin as a zip archive are put into one, as an array: that way most of the
/// tries reach the reader behind the archive.
void fuzz_npz(std::string_view bytes);

/// Likewise as a pickle, beside a storage that it can name.
void fuzz_pt(std::string_view bytes);

struct NamedTarget {
  std::string name;  ///< Also the folder of the corpus.
  std::function<void(std::string_view bytes)> run;
};

/// The readers of predictions, and of each saved document `name` and `name_edits`.
[[nodiscard]] const std::vector<NamedTarget>& all_targets();

}  // namespace hqe::fuzz
