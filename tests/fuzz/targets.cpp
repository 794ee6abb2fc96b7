// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hqe/archives/members.h"
#include "hqe/base/error.h"
#include "hqe/evaluation/contests.h"
#include "hqe/failures/counts.h"
#include "hqe/formats/digest_file.h"
#include "hqe/formats/format.h"
#include "hqe/formats/pool_toml.h"
#include "hqe/predictions/array.h"
#include "hqe/predictions/pool.h"
#include "hqe/scan/scan.h"
#include "hqe/tables/table_text.h"
#include "hqe/votes/vote.h"
#include "tests/fuzz/documents.h"
#include "tests/support/torch_builder.h"
#include "tests/support/zip_builder.h"

namespace hqe::fuzz {
namespace {

// Elements all over the array, the corners included: the sanitizers notice one outside the file.
void touch(const Array& array) {
  constexpr std::int64_t steps = 32;
  const auto spread = [](std::int64_t i, std::int64_t count) {
    return count <= steps ? std::min(i, count - 1) : (count - 1) / (steps - 1) * i;
  };
  double sum = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    for (std::int64_t j = 0; j < steps; ++j) {
      sum += read_number(array, spread(i, array.rows()), spread(j, array.columns()));
    }
  }
  sum += read_number(array, array.rows() - 1, array.columns() - 1);
  volatile double kept = sum;
  static_cast<void>(kept);
}

void read_all(std::string_view text, Format format) {
  // A copy of its own, so that the sanitizers see a read one byte past the end.
  if (text.empty()) return;  // Never reaches a reader: empty files are refused before.
  const auto copy = std::make_unique_for_overwrite<std::byte[]>(text.size());
  std::memcpy(copy.get(), text.data(), text.size());
  const std::span<const std::byte> bytes(copy.get(), text.size());
  try {
    for (const Member& member : row_of(format).read({"fuzz", bytes, nullptr})) {
      try {
        touch(member.read());
      } catch (const InputError&) {
      }
    }
  } catch (const InputError&) {
  }
}

struct Bytes {
  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;
};

/// As above.
Bytes own_copy(std::string_view bytes) {
  Bytes copy{std::make_unique_for_overwrite<std::byte[]>(bytes.size()), bytes.size()};
  std::memcpy(copy.memory.get(), bytes.data(), bytes.size());
  return copy;
}

/// Up to three files after the word PART and two sizes of four bytes; else one. None is empty.
std::vector<std::string_view> parts_of(std::string_view bytes) {
  constexpr std::string_view word = "PART";
  std::vector<std::string_view> parts;
  if (bytes.starts_with(word) && bytes.size() >= word.size() + 8) {
    std::uint32_t sizes[2];
    std::memcpy(sizes, bytes.data() + word.size(), sizeof sizes);
    bytes.remove_prefix(word.size() + sizeof sizes);
    for (const std::uint32_t size : sizes) {
      parts.push_back(bytes.substr(0, size));
      bytes.remove_prefix(parts.back().size());
    }
  }
  parts.push_back(bytes);
  std::erase_if(parts, [](std::string_view part) { return part.empty(); });
  return parts;
}

bool is_archive(std::string_view bytes) { return bytes.starts_with("PK"); }

}  // namespace

void fuzz_npy(std::string_view bytes) { read_all(bytes, Format::npy); }
void fuzz_csv(std::string_view bytes) { read_all(bytes, Format::csv); }
void fuzz_safetensors(std::string_view bytes) { read_all(bytes, Format::safetensors); }

void fuzz_pool_toml(std::string_view bytes) {
  try {
    static_cast<void>(read_pool_toml(bytes, "fuzz"));
  } catch (const InputError&) {
  }
}

void fuzz_digest(std::string_view bytes) {
  std::vector<Bytes> parts;
  for (const std::string_view part : parts_of(bytes)) parts.push_back(own_copy(part));
  if (parts.empty()) return;
  try {
    std::vector<DigestFile> files;
    for (const Bytes& part : parts) {
      files.push_back(read_digest({"fuzz", {part.memory.get(), part.size}, nullptr}));
    }
    Pool pool = join_digests(std::move(files), false);
    if (pool.class_count <= 4096 && pool.model_count() <= 64) {
      CountBuilder counts;
      ContestBuilder contests({.vote = has_scores(pool.kind) ? Vote::soft : Vote::plurality});
      BlockConsumer* const consumers[] = {&counts, &contests};
      scan(pool, consumers, {.threads = 1});
    } else {
      scan(pool, {}, {.threads = 1});
    }
    const VoteRule rule{.vote = has_scores(pool.kind) ? Vote::soft : Vote::majority,
                        .correct = std::vector<std::uint64_t>(pool.models.size())};
    // A small file may claim many classes.
    if (pool.class_count > 4096) return;
    for (std::uint64_t sample = 0; sample < std::min<std::uint64_t>(pool.sample_count, 32);
         ++sample) {
      static_cast<void>(team_answer(pool, rule, Team::all(pool.model_count()).view(), sample));
      static_cast<void>(predicted_label(pool, 0, sample));
    }
  } catch (const InputError&) {
  }
}

void fuzz_table(std::string_view bytes) {
  // The first byte asks for columns that the text may have.
  if (bytes.size() < 2) return;
  const auto asked = static_cast<unsigned char>(bytes.front());
  TablePath path{.predictions = "fuzz.csv", .truth = {}, .columns = {}, .kind = {}};
  if ((asked & 1) != 0) path.columns.label = "y";
  if ((asked & 2) != 0) path.columns.id = "id";
  if ((asked & 4) != 0) path.columns.model = "model";
  if ((asked & 8) != 0) path.columns.models = {"a", "b"};
  if ((asked & 16) != 0) path.kind = all_kinds[asked >> 6];
  // A copy of its own, as above.
  const std::size_t size = bytes.size() - 1;
  const auto copy = std::make_unique_for_overwrite<std::byte[]>(size);
  std::memcpy(copy.get(), bytes.data() + 1, size);
  try {
    const PoolParts parts = read_table_text({"fuzz", {copy.get(), size}, nullptr}, path);
    for (const Model& model : parts.models) touch(model.predictions);
    const Pool pool = make_pool(parts);
    for (const Model& model : pool.models) touch(model.predictions);
  } catch (const InputError&) {
  }
}

void fuzz_npz(std::string_view bytes) {
  if (is_archive(bytes)) return read_all(bytes, Format::npz);
  const std::string array(bytes);
  read_all(testing::make_zip({{"a.npy", array}, {"b.npy", array, true}}), Format::npz);
}

void fuzz_pt(std::string_view bytes) {
  if (is_archive(bytes)) return read_all(bytes, Format::pt);
  read_all(testing::torch_file(std::string(bytes), {std::string(48, '\0')}), Format::pt);
}

const std::vector<NamedTarget>& all_targets() {
  static const std::vector<NamedTarget> all = [] {
    std::vector<NamedTarget> targets{
        {"npy", fuzz_npy},     {"npz", fuzz_npz},
        {"pt", fuzz_pt},       {"safetensors", fuzz_safetensors},
        {"csv", fuzz_csv},     {"pool_toml", fuzz_pool_toml},
        {"table", fuzz_table}, {"digest", fuzz_digest},
    };
    for (const Document& document : documents()) {
      targets.push_back({std::string(document.name),
                         [&](std::string_view bytes) { fuzz_bytes(document, bytes); }});
      targets.push_back({std::string(document.name) + "_edits",
                         [&](std::string_view bytes) { fuzz_edits(document, bytes); }});
    }
    return targets;
  }();
  return all;
}

}  // namespace hqe::fuzz
