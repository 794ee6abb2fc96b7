// SPDX-License-Identifier: MIT
#include "hqe/saved/saved.h"

#include <array>

#include "hqe/base/error.h"
#include "hqe/saved/saved_kinds.h"

namespace hqe {
namespace {

struct SavedReader {
  DocumentKind kind;
  Saved (*read)(const Entry& document);
};

constexpr std::array saved_readers{
    SavedReader{saved_study, [](const Entry& document) -> Saved { return read_study(document); }},
    SavedReader{saved_comparison,
                [](const Entry& document) -> Saved { return read_comparison(document); }},
    SavedReader{saved_cascade,
                [](const Entry& document) -> Saved { return read_cascade(document); }},
};

}  // namespace

Saved saved_from_json(std::string_view text, const std::string& file) {
  std::array<DocumentKind, saved_readers.size()> kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = saved_readers[i].kind;
  const SavedDocument document(text, file, kinds);
  for (const SavedReader& reader : saved_readers) {
    if (reader.kind.command == document.command()) return reader.read(Entry(document));
  }
  throw Error("a document's command has no reader");
}

}  // namespace hqe
