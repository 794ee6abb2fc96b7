// SPDX-License-Identifier: MIT
#include "hqe/evaluation/open_patterns.h"

#include <algorithm>

namespace hqe {
namespace {

std::size_t padded(std::size_t count) {
  return (count + open_padding - 1) / open_padding * open_padding;
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
    widen(extremes(), margins, inserted_ > 1, rows);
  }
  ++inserted_;
}

void Reach::settle(int members) {
  write_reach(extremes(), members - 1, most_.size(), high_.data(), low_.data());
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

// Pools of two classes have nothing else, and what stays open stays in its order.
void OpenPatterns::lay_out_one_rival(const OpenPatterns& parent, std::size_t position,
                                     const Reach& reach) {
  const OneRivalColumns all = parent.one_rival_columns(position, reach);
  sources_.resize(all.count + open_padding);
  const StillOpen open = find_open(all, limits_.lost, limits_.sure, sources_.data());
  won_ += open.won;
  const std::size_t rows = padded(open.count);
  segments_.clear();
  if (rows > 0) segments_.push_back({.rivals = 1, .count = rows});
  sources_.resize(rows);
  weights_.assign(rows, 0);
  for (std::size_t row = 0; row < open.count; ++row) weights_[row] = all.weights[sources_[row]];
  for (std::size_t row = open.count; row < rows; ++row) sources_[row] = sources_.front();
  sums_.resize(rows);
}

void OpenPatterns::keep_of_one_rival(const OpenPatterns& parent, const Segment& segment,
                                     const std::int32_t* added, const Reach& reach) {
  const StillOpen open = [&] {
    rows_.resize(segment.count + open_padding);
    return find_open({.weights = parent.weights_.data() + segment.pattern,
                      .count = segment.count,
                      .sums = parent.sums_.data() + segment.row,
                      .added = added + segment.row,
                      .high = reach.high() + segment.row,
                      .low = reach.low() + segment.row},
                     limits_.lost, limits_.sure, rows_.data());
  }();
  won_ += open.won;
  kept_.reserve(kept_.size() + open.count);
  sources_.reserve(sources_.size() + open.count);
  for (std::size_t i = 0; i < open.count; ++i) {
    kept_.push_back({parent.weights_[segment.pattern + rows_[i]], 1,
                     static_cast<std::uint32_t>(sources_.size())});
    sources_.push_back(static_cast<std::uint32_t>(segment.row + rows_[i]));
  }
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
  if (parent.has_one_rival()) {
    lay_out_one_rival(parent, position, reach);
  } else {
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
  }
  const std::size_t rows = sums_.size();
  margins_.resize((positions_ - first_) * rows);
  const std::uint32_t* const sources = sources_.data();
  for (std::size_t row = 0; row < rows; ++row) {
    sums_[row] = parent.sums_[sources[row]] + added[sources[row]];
  }
  for (std::size_t at = first_; at < positions_; ++at) {
    gather(parent.margins(at), sources, rows, margins_.data() + (at - first_) * rows);
  }
}

OpenColumns OpenPatterns::columns(const Segment& segment, std::size_t position) const {
  return {.weights = weights_.data() + segment.pattern,
          .count = segment.count,
          .rivals = segment.rivals,
          .sums = sums_.data() + segment.row,
          .added = margins(position) + segment.row};
}

OneRivalColumns OpenPatterns::one_rival_columns(std::size_t position, const Reach& reach) const {
  return {.weights = weights_.data(),
          .count = segments_.front().count,
          .sums = sums_.data(),
          .added = margins(position),
          .high = reach.high(),
          .low = reach.low()};
}

std::size_t OpenPatterns::rows_after(std::size_t position, const Reach& reach) const {
  return padded(count_open(one_rival_columns(position, reach), limits_.lost, limits_.sure));
}

void OpenPatterns::finish_all(std::size_t position, const Reach& reach,
                              std::vector<std::uint64_t>& possible) const {
  std::vector<const std::int32_t*> last;
  last.reserve(positions_ - position);
  for (std::size_t at = position + 1; at < positions_; ++at) last.push_back(margins(at));
  possible.resize(last.size());
  count_not_lost(one_rival_columns(position, reach), last, limits_.lost, possible);
  for (std::uint64_t& each : possible) each += won_;
}

std::uint64_t OpenPatterns::bound(std::size_t position, const Reach& reach) const {
  std::uint64_t samples = won_;
  for (const Segment& segment : segments_) {
    OpenColumns all = columns(segment, position);
    all.more = reach.high() + segment.row;
    samples += count_above(all, limits_.lost, limits_.lost).first;
  }
  return samples;
}

Outcome OpenPatterns::finish(std::size_t position) const {
  Outcome outcome{won_, won_};
  for (const Segment& segment : segments_) {
    const Above above = count_above(columns(segment, position), limits_.sure, limits_.lost);
    outcome.sure += above.first;
    outcome.possible += above.second;
  }
  return outcome;
}

}  // namespace hqe
