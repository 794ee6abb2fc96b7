// SPDX-License-Identifier: MIT
#include "hqe/agreement/partitions.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hqe {
namespace {

enum class Fate { open, sure, hopeless };

/// What `left` further members can make of a partition. Ties are open.
Fate fate_of(const Partition& partition, int left) {
  const int own = std::popcount(partition.right);
  int most = 0;  // A class that nobody votes for yet is a rival too.
  for (const Places places : partition.wrong) most = std::max(most, std::popcount(places));
  if (most > own + left) return Fate::hopeless;
  return own > most + left ? Fate::sure : Fate::open;
}

/// Gives masks their places; those of sure partitions are only counted until all open ones are
/// known.
class Numbering {
 public:
  explicit Numbering(int left) : left_(left) {}

  /// The place of a new partition's mask; sure ones stand behind `sure_base`, hopeless ones at
  /// `hopeless`.
  std::uint8_t place(Partition partition) {
    switch (fate_of(partition, left_)) {
      case Fate::open:
        open_.push_back(std::move(partition));
        return static_cast<std::uint8_t>(open_.size() - 1);
      case Fate::sure:
        return static_cast<std::uint8_t>(sure_base + sure_++);
      case Fate::hopeless:
        break;
    }
    return hopeless;
  }
  /// A place as it is once all are known.
  [[nodiscard]] std::uint8_t final(std::uint8_t place) const {
    if (place == hopeless) return static_cast<std::uint8_t>(open_.size() + sure_);
    if (place < sure_base) return place;
    return static_cast<std::uint8_t>(open_.size() + (place - sure_base));
  }
  [[nodiscard]] Slots slots() const { return {open_.size(), open_.size() + sure_}; }
  [[nodiscard]] std::vector<Partition> take_open() { return std::move(open_); }

  static constexpr std::uint8_t sure_base = 203;
  static constexpr std::uint8_t hopeless = 255;

 private:
  int left_;
  std::vector<Partition> open_;
  std::size_t sure_ = 0;
};

}  // namespace

Partitions::Partitions(int depth, bool one_rival) : levels_(1, {Partition{}}), slots_(1, {1, 1}) {
  for (int members = 0; members < depth; ++members) add_level(members, one_rival, depth - members);
}

void Partitions::add_level(int members, bool one_rival, int left) {
  Numbering numbering(left);
  const auto next = static_cast<Places>(1U << members);
  std::vector<Split> splits;
  for (const Partition& parent : levels_.back()) {
    Split split;
    Partition child = parent;
    child.right |= next;
    split.right = numbering.place(std::move(child));
    // Where one class can be wrong and is, who is not right votes for it.
    const bool rest_joins = one_rival && !parent.wrong.empty();
    for (std::size_t i = 0; i < parent.wrong.size(); ++i) {
      child = parent;
      child.wrong[i] |= next;
      const std::uint8_t place = numbering.place(std::move(child));
      if (rest_joins) {
        split.rest = place;
      } else {
        split.joined.push_back(
            {static_cast<std::uint8_t>(std::countr_zero(parent.wrong[i])), place});
      }
    }
    if (!rest_joins) {
      child = parent;
      child.wrong.push_back(next);
      split.rest = numbering.place(std::move(child));
    }
    split.has_rest = split.rest != Numbering::hopeless;
    if (!split.has_rest) {
      std::erase_if(split.joined,
                    [](const Split::Joined& joined) { return joined.slot == Numbering::hopeless; });
    }
    splits.push_back(std::move(split));
  }
  for (Split& split : splits) {
    split.right = numbering.final(split.right);
    split.rest = numbering.final(split.rest);
    for (Split::Joined& joined : split.joined) joined.slot = numbering.final(joined.slot);
  }
  slots_.push_back(numbering.slots());
  levels_.push_back(numbering.take_open());
  splits_.push_back(std::move(splits));
}

std::size_t Partitions::count(int members, bool one_rival) {
  // Of each number of wrong classes: joining keeps it, voting alone raises it, being right keeps
  // it.
  std::vector<std::size_t> with(static_cast<std::size_t>(members) + 2, 0);
  with[0] = 1;
  for (int member = 0; member < members; ++member) {
    for (std::size_t wrong = static_cast<std::size_t>(member) + 1; wrong > 0; --wrong) {
      const bool may_be_alone = !one_rival || wrong == 1;
      with[wrong] = with[wrong] * (wrong + 1) + (may_be_alone ? with[wrong - 1] : 0);
    }
  }
  std::size_t sum = 0;
  for (const std::size_t some : with) sum += some;
  return sum;
}

}  // namespace hqe
