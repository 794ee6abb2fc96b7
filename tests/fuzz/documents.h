// SPDX-License-Identifier: MIT
/// The saved documents and pieces of answers that are read back, as targets: any bytes, and edits
/// of a valid document.

#pragma once

#include <array>
#include <string>
#include <string_view>

namespace hqe::fuzz {

/// One row a kind of document that HQE reads back.
struct Document {
  std::string_view name;
  /// A valid one with everything that the kind can have.
  std::string (*make)();
  /// Reads it and shows it in every way there is. Throws what these throw.
  void (*show)(std::string_view text);
};

[[nodiscard]] const std::array<Document, 6>& documents();

/// Shows the bytes as a document of this kind. Refusals are fine.
void fuzz_bytes(const Document& document, std::string_view bytes);

/// The bytes say how to change a valid document: a few times where, and what to do there.
void fuzz_edits(const Document& document, std::string_view bytes);

}  // namespace hqe::fuzz
