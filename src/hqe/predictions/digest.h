// SPDX-License-Identifier: MIT
/// A pool's predictions as digests: parts of consecutive samples, each with what teams can depend
/// on. Implemented in digest.cpp, and read by the scan in digest_scan.cpp.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hqe/predictions/digest_part.h"

namespace hqe {

/// Parts one after the other, of one shape but for their numbers of samples.
class Digest {
 public:
  /// Requires: at least one part.
  explicit Digest(std::vector<DigestPart> parts);

  [[nodiscard]] const std::vector<DigestPart>& parts() const { return parts_; }

  struct Row {
    const DigestPart* part = nullptr;
    std::uint64_t row = 0;  ///< In the part.
  };
  /// Requires: there is such a row.
  [[nodiscard]] Row find(std::uint64_t row) const;

 private:
  std::vector<DigestPart> parts_;
  std::vector<std::uint64_t> ends_;
};

/// A pool of digests, before its predictions have a place. Of the pool's models only what is not in
/// a digest is given: names, costs, and the types of their numbers.
struct DigestedPool {
  Pool pool;  ///< Without truth, sample_count and digest.
  std::vector<DigestPart> parts;
};

/// The pool of those parts, in their order. Throws InputError where a true label is no class.
[[nodiscard]] Pool pool_of_digests(DigestedPool digested);

}  // namespace hqe
