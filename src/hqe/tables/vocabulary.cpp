// SPDX-License-Identifier: MIT
#include "hqe/tables/vocabulary.h"

#include <algorithm>
#include <array>

namespace hqe {
namespace {

using namespace std::string_view_literals;

constexpr std::array<std::array<std::string_view, 2>, 3> spellings_of_truth{
    {{"False"sv, "True"sv}, {"false"sv, "true"sv}, {"FALSE"sv, "TRUE"sv}}};

}  // namespace

std::optional<std::int32_t> Vocabulary::number_of(std::string_view word, std::size_t limit) {
  if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
  if (words_.size() >= limit) return std::nullopt;
  const auto number = static_cast<std::int32_t>(words_.size());
  words_.emplace_back(word);
  numbers_.emplace(word, number);
  return number;
}

bool Vocabulary::sort() {
  std::vector<std::string> sorted = words_;
  std::ranges::sort(sorted);
  for (const auto& spelling : spellings_of_truth) {
    const bool only_these = !sorted.empty() && std::ranges::all_of(sorted, [&](const auto& word) {
      return std::ranges::find(spelling, word) != spelling.end();
    });
    if (only_these) sorted.assign(spelling.begin(), spelling.end());
  }
  if (sorted == words_) return false;
  words_ = std::move(sorted);
  numbers_.clear();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    numbers_.emplace(words_[i], static_cast<std::int32_t>(i));
  }
  return true;
}

bool Vocabulary::is_truth_values() const {
  return std::ranges::any_of(spellings_of_truth, [&](const auto& spelling) {
    return std::ranges::equal(spelling, words_);
  });
}

}  // namespace hqe
