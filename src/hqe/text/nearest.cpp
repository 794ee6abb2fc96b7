// SPDX-License-Identifier: MIT
#include "hqe/text/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hqe {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, std::span<const std::string> words) {
  // Long words come from damaged files; comparing their start is enough for a hint.
  const std::string_view start = word.substr(0, 100);
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& known : words) {
    const std::size_t distance = edit_distance(start, std::string_view(known).substr(0, 100));
    if (best.empty() || distance < best_distance) {
      best = known;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace hqe
