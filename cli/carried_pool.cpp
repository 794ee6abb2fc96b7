// SPDX-License-Identifier: MIT
#include "cli/carried_pool.h"

#ifdef HQE_DEMO_ARCHIVE

#include <algorithm>

#include "hqe/formats/npy.h"
#include "hqe/formats/pool_toml.h"
#include "hqe/formats/zip.h"

// The assembler takes megabytes as they are, the compiler only letter by letter.
asm(R"(
  .section .rodata
  .balign 16
hqe_demo_begin:
  .incbin ")" HQE_DEMO_ARCHIVE R"("
hqe_demo_end:
  .previous
)");
extern const std::byte hqe_demo_begin[], hqe_demo_end[];

namespace hqe::cli {

namespace {

/// A file of the archive, of which we know that it is there.
FileBytes entry(const ZipFile& archive, const std::string& name) {
  FileBytes bytes = archive.read(*archive.find(name));
  bytes.file = name;
  return bytes;
}

}  // namespace

std::optional<Pool> carried_pool(const std::string& folder) {
  const ZipFile archive(
      {.file = "demo", .bytes = {hqe_demo_begin, hqe_demo_end}, .owner = nullptr});
  const auto file = [&](const std::string& name) { return entry(archive, folder + "/" + name); };
  const FileBytes text = file("pool.toml");
  PoolToml toml = read_pool_toml(text.text(), text.file);
  PoolParts parts{.name = toml.name,
                  .kind = toml.kind,
                  .labels = read_npy(file("labels.npy")),
                  .class_names = toml.classes,
                  .about = toml.about,
                  .licence = toml.licence,
                  .source = toml.source};
  for (const std::string& name : toml.models.value()) {
    const auto costs =
        std::ranges::find(toml.costs, name, [](const auto& row) { return row.first; });
    const FileBytes bytes = file(name + ".npy");
    parts.models.push_back({name, costs->second, read_npy(bytes), bytes.file});
  }
  return make_pool(std::move(parts));
}

}  // namespace hqe::cli

#else

namespace hqe::cli {

std::optional<Pool> carried_pool(const std::string&) { return std::nullopt; }

}  // namespace hqe::cli

#endif
