// SPDX-License-Identifier: MIT
#include "hqe/votes/label_votes.h"

#include <algorithm>
#include <functional>

namespace hqe {

void LabelCodes::start(std::int32_t truth) {
  ++sample_;
  truth_ = truth;
  rivals_ = 0;
  at(truth) = {.sample = sample_, .code = VoteTable::voting_right};
}

char16_t LabelCodes::first_of(std::int32_t label) {
  const int code = label < 0 ? VoteTable::not_voting
                             : VoteTable::first_rival + 2 * rivals_++ + (label > truth_ ? 1 : 0);
  at(label) = {.sample = sample_, .code = static_cast<char16_t>(code)};
  return static_cast<char16_t>(code);
}

LabelCodes::Entry& LabelCodes::at(std::int32_t label) {
  const auto place = static_cast<std::size_t>(label + 1);
  if (place >= entries_.size()) entries_.resize(place + 1);
  return entries_[place];
}

SeenSamples& SeenVotes::of(LabelVotes votes) {
  if (2 * (seen_.size() + 1) > slots_.size()) grow();
  const std::size_t hash = std::hash<LabelVotes>{}(votes);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::size_t place = slots_[slot] - 1;
    if (hashes_[place] == hash && this->votes(place) == votes) return seen_[place];
  }
  flat_.insert(flat_.end(), votes.begin(), votes.end());
  hashes_.push_back(hash);
  slots_[slot] = static_cast<std::uint32_t>(seen_.size() + 1);
  return seen_.emplace_back();
}

void SeenVotes::grow() {
  slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = 0; place < hashes_.size(); ++place) {
    std::size_t slot = hashes_[place] & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(place + 1);
  }
}

}  // namespace hqe
