// SPDX-License-Identifier: MIT
#include "hqe/evaluation/open_patterns.h"

#include <algorithm>

namespace hqe {
namespace {

// Whole vectors of every SIMD width that compilers use.
constexpr std::size_t padding = 16;

std::size_t padded(std::size_t count) { return (count + padding - 1) / padding * padding; }

// Samples of the `count` patterns all of whose rivals' sums of two (or three) terms are above
// `limit`. Masks in place of branches, so that compilers vectorise it.
template <class Term>
std::uint64_t count_above(const std::uint32_t* weights, std::size_t count, std::size_t rivals,
                          std::int32_t limit, const Term& term) {
  std::uint64_t total = 0;
  for (std::size_t begin = 0; begin < count; begin += padding) {
    std::uint32_t masks[padding];
    for (std::size_t i = 0; i < padding; ++i) masks[i] = weights[begin + i];
    for (std::size_t rival = 0; rival < rivals; ++rival) {
      const std::size_t row = rival * count + begin;
      for (std::size_t i = 0; i < padding; ++i) {
        masks[i] &= term(row + i) > limit ? ~std::uint32_t{0} : 0;
      }
    }
    std::uint32_t samples = 0;
    for (std::size_t i = 0; i < padding; ++i) samples += masks[i];
    total += samples;
  }
  return total;
}

}  // namespace

void Reach::reset(std::size_t rows) {
  inserted_ = 0;
  for (auto* values : {&most_, &second_most_, &least_, &second_least_, &high_, &low_}) {
    values->assign(rows, 0);
  }
}

void Reach::insert(const std::int32_t* margins) {
  const std::size_t rows = most_.size();
  if (inserted_ == 0) {
    std::copy_n(margins, rows, most_.begin());
    std::copy_n(margins, rows, least_.begin());
  } else {
    const bool second = inserted_ > 1;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int32_t margin = margins[row];
      const std::int32_t lower = std::min(most_[row], margin);
      const std::int32_t higher = std::max(least_[row], margin);
      second_most_[row] = second ? std::max(second_most_[row], lower) : lower;
      second_least_[row] = second ? std::min(second_least_[row], higher) : higher;
      most_[row] = std::max(most_[row], margin);
      least_[row] = std::min(least_[row], margin);
    }
  }
  ++inserted_;
}

void Reach::settle(int members) {
  const std::int32_t others = members - 1;
  for (std::size_t row = 0; row < most_.size(); ++row) {
    high_[row] = most_[row] + others * second_most_[row];
    low_[row] = least_[row] + others * second_least_[row];
  }
}

void OpenPatterns::start(const Contests::Data& data, std::span<const ModelId> order,
                         SumLimits limits) {
  limits_ = limits;
  first_ = 0;
  positions_ = order.size();
  won_ = data.summary.always_right;
  kept_.clear();
  sources_.clear();
  for (std::size_t pattern = 0; pattern < data.pattern_count(); ++pattern) {
    const Group& group = data.groups[pattern / group_size];
    kept_.push_back({data.weights[pattern], 0, static_cast<std::uint32_t>(sources_.size())});
    for (std::size_t rival = 0; rival < group.rivals; ++rival) {
      const std::size_t row = (group.row + rival) * group_size + pattern % group_size;
      if (data.table.starts[row] == largest_sum) continue;  // Fills the group only.
      sources_.push_back(static_cast<std::uint32_t>(row));
      ++kept_.back().rivals;
    }
  }
  lay_out();
  std::vector<std::size_t> groups(data.table.starts.size() / group_size);
  for (std::size_t index = 0; index < data.groups.size(); ++index) {
    std::fill_n(groups.begin() + static_cast<std::ptrdiff_t>(data.groups[index].row),
                data.groups[index].rivals, index);
  }
  margins_.assign(positions_ * sums_.size(), 0);
  for (std::size_t row = 0; row < sums_.size(); ++row) {
    const std::size_t source = sources_[row];
    sums_[row] = data.table.starts[source];
    const Group& group = data.groups[groups[source / group_size]];
    const std::size_t place = source - group.row * group_size;
    for (std::size_t position = 0; position < positions_; ++position) {
      margins_[position * sums_.size() + row] =
          data.table.margins_of(group, order[position])[place];
    }
  }
}

// Orders what is kept by open rivals and rewrites `sources_` row by row. What fills up a segment
// has no weight, so any row may stand there.
void OpenPatterns::lay_out() {
  if (!std::ranges::is_sorted(kept_, {}, &Kept::rivals)) {
    std::ranges::stable_sort(kept_, {}, &Kept::rivals);
  }
  segments_.clear();
  weights_.clear();
  rows_.clear();
  for (std::size_t begin = 0; begin < kept_.size();) {
    std::size_t end = begin;
    while (end < kept_.size() && kept_[end].rivals == kept_[begin].rivals) ++end;
    const Segment segment{.rivals = kept_[begin].rivals,
                          .count = padded(end - begin),
                          .row = rows_.size(),
                          .pattern = weights_.size()};
    segments_.push_back(segment);
    weights_.resize(segment.pattern + segment.count, 0);
    const std::uint32_t any = segment.rivals == 0 ? 0 : sources_[kept_[begin].begin];
    rows_.resize(segment.row + segment.rivals * segment.count, any);
    for (std::size_t i = 0; i < end - begin; ++i) {
      const Kept& each = kept_[begin + i];
      weights_[segment.pattern + i] = each.weight;
      for (std::size_t rival = 0; rival < each.rivals; ++rival) {
        rows_[segment.row + rival * segment.count + i] = sources_[each.begin + rival];
      }
    }
    begin = end;
  }
  std::swap(sources_, rows_);
  sums_.resize(sources_.size());
}

// Most pools of two classes have nothing else, and who stays open is hard to predict: no branches.
void OpenPatterns::keep_of_one_rival(const OpenPatterns& parent, const Segment& segment,
                                     const std::int32_t* added, const Reach& reach) {
  const std::size_t kept_before = kept_.size();
  const std::size_t sources_before = sources_.size();
  kept_.resize(kept_before + segment.count);
  sources_.resize(sources_before + segment.count);
  std::size_t count = 0;
  for (std::size_t i = 0; i < segment.count; ++i) {
    const std::size_t row = segment.row + i;
    const std::uint32_t weight = parent.weights_[segment.pattern + i];
    const std::int32_t sum = parent.sums_[row] + added[row];
    const bool is_lost = sum + reach.high()[row] <= limits_.lost;
    const bool is_beaten = sum + reach.low()[row] > limits_.sure;
    won_ += is_beaten && !is_lost ? weight : 0;
    kept_[kept_before + count] = {weight, 1, static_cast<std::uint32_t>(sources_before + count)};
    sources_[sources_before + count] = static_cast<std::uint32_t>(row);
    count += static_cast<std::size_t>(!is_lost) & static_cast<std::size_t>(!is_beaten) &
             static_cast<std::size_t>(weight != 0);
  }
  kept_.resize(kept_before + count);
  sources_.resize(sources_before + count);
}

void OpenPatterns::keep_of_many_rivals(const OpenPatterns& parent, const Segment& segment,
                                       const std::int32_t* added, const Reach& reach) {
  for (std::size_t i = 0; i < segment.count; ++i) {
    const std::uint32_t weight = parent.weights_[segment.pattern + i];
    if (weight == 0) continue;
    Kept next{weight, 0, static_cast<std::uint32_t>(sources_.size())};
    bool is_lost = false;
    for (std::size_t rival = 0; rival < segment.rivals && !is_lost; ++rival) {
      const std::size_t row = segment.row + rival * segment.count + i;
      const std::int32_t sum = parent.sums_[row] + added[row];
      is_lost = sum + reach.high()[row] <= limits_.lost;
      if (sum + reach.low()[row] > limits_.sure) continue;  // Beaten for good.
      sources_.push_back(static_cast<std::uint32_t>(row));
      ++next.rivals;
    }
    if (is_lost) {
      sources_.resize(next.begin);
    } else if (next.rivals == 0) {
      won_ += weight;
    } else {
      kept_.push_back(next);
    }
  }
}

void OpenPatterns::take(const OpenPatterns& parent, std::size_t position, const Reach& reach) {
  limits_ = parent.limits_;
  first_ = position + 1;
  positions_ = parent.positions_;
  won_ = parent.won_;
  const std::int32_t* added = parent.margins(position);
  kept_.clear();
  sources_.clear();
  for (const Segment& segment : parent.segments_) {
    if (segment.rivals == 1) {
      keep_of_one_rival(parent, segment, added, reach);
    } else {
      keep_of_many_rivals(parent, segment, added, reach);
    }
  }
  lay_out();
  const std::size_t rows = sums_.size();
  margins_.resize((positions_ - first_) * rows);
  const std::uint32_t* const sources = sources_.data();
  for (std::size_t row = 0; row < rows; ++row) {
    sums_[row] = parent.sums_[sources[row]] + added[sources[row]];
  }
  for (std::size_t at = first_; at < positions_; ++at) {
    const std::int32_t* const from = parent.margins(at);
    std::int32_t* const to = margins_.data() + (at - first_) * rows;
    for (std::size_t row = 0; row < rows; ++row) to[row] = from[sources[row]];
  }
}

std::uint64_t OpenPatterns::bound(std::size_t position, const Reach& reach) const {
  const std::int32_t* added = margins(position);
  std::uint64_t samples = won_;
  for (const Segment& segment : segments_) {
    const std::int32_t* sums = sums_.data() + segment.row;
    const std::int32_t* more = added + segment.row;
    const std::int32_t* most = reach.high() + segment.row;
    samples +=
        count_above(weights_.data() + segment.pattern, segment.count, segment.rivals, limits_.lost,
                    [&](std::size_t row) { return sums[row] + more[row] + most[row]; });
  }
  return samples;
}

Outcome OpenPatterns::finish(std::size_t position) const {
  const std::int32_t* added = margins(position);
  Outcome outcome{won_, won_};
  for (const Segment& segment : segments_) {
    const std::int32_t* sums = sums_.data() + segment.row;
    const std::int32_t* more = added + segment.row;
    const auto above = [&](std::int32_t limit) {
      return count_above(weights_.data() + segment.pattern, segment.count, segment.rivals, limit,
                         [&](std::size_t row) { return sums[row] + more[row]; });
    };
    outcome.sure += above(limits_.sure);
    if (limits_.has_doubts()) outcome.possible += above(limits_.lost);
  }
  if (!limits_.has_doubts()) outcome.possible = outcome.sure;
  return outcome;
}

}  // namespace hqe
