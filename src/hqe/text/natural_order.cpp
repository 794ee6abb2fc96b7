// SPDX-License-Identifier: MIT
#include "hqe/text/natural_order.h"

#include <algorithm>

namespace hqe {
namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Takes a run of digits off the front of `text`; without its leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  std::string_view number(text.begin(), end);
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

int compare(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = take_number(a);
      const std::string_view right = take_number(b);
      if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
      if (const int order = left.compare(right); order != 0) return order;
      continue;
    }
    if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() ? (b.empty() ? 0 : -1) : 1;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const int order = compare(a, b);
  return order != 0 ? order < 0 : a < b;
}

}  // namespace hqe
