// SPDX-License-Identifier: MIT
/// Who votes for what in one sample, a character a model: not_voting, voting_right, or a rival, as
/// in a VoteTable. Rivals are numbered as they first appear, so samples that differ only in names
/// of classes share their votes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "hqe/agreement/vote_table.h"

namespace hqe {

using LabelVotes = std::u16string_view;

/// The characters of the labels of one sample after another.
class LabelCodes {
 public:
  /// The next sample, of this class.
  void start(std::int32_t truth);
  /// Requires: label >= -1, which is an abstention.
  char16_t of(std::int32_t label) {
    const auto place = static_cast<std::size_t>(label + 1);
    const bool is_known = place < entries_.size() && entries_[place].sample == sample_;
    return is_known ? entries_[place].code : first_of(label);
  }

 private:
  struct Entry {
    std::uint64_t sample = 0;  ///< In which the label was last seen, counted from 1.
    char16_t code = 0;
  };
  char16_t first_of(std::int32_t label);
  Entry& at(std::int32_t label);

  std::uint64_t sample_ = 0;
  std::int32_t truth_ = 0;
  int rivals_ = 0;
  std::vector<Entry> entries_;  ///< By label + 1.
};

/// Which samples share some votes.
struct SeenSamples {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t first = none;  ///< The lowest.
  std::uint32_t samples = 0;

  void add(const SeenSamples& more) {
    first = more.first < first ? more.first : first;
    samples += more.samples;
  }
};

/// Distinct votes in the order in which they were first seen, side by side in memory.
class SeenVotes {
 public:
  explicit SeenVotes(std::size_t models = 0) : models_(models) {}

  [[nodiscard]] std::size_t size() const { return seen_.size(); }
  [[nodiscard]] LabelVotes votes(std::size_t place) const {
    return {flat_.data() + place * models_, models_};
  }
  [[nodiscard]] const SeenSamples& samples(std::size_t place) const { return seen_[place]; }
  /// Of votes known or new, which have no samples yet. Good until the next call.
  SeenSamples& of(LabelVotes votes);
  /// The votes, one after another, where votes() has them.
  [[nodiscard]] std::vector<char16_t> take_flat() && { return std::move(flat_); }

 private:
  void grow();

  std::size_t models_;
  std::vector<char16_t> flat_;
  std::vector<SeenSamples> seen_;
  std::vector<std::size_t> hashes_;   ///< Of each.
  std::vector<std::uint32_t> slots_;  ///< By hash, then the next free one: a place + 1, or 0.
};

}  // namespace hqe
