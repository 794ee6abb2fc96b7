// SPDX-License-Identifier: MIT
/// A page of text in the making: what all texts share.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/report/numbers.h"
#include "hqe/report/table.h"
#include "hqe/report/text.h"

namespace hqe {

/// For columns of words.
inline constexpr auto left = Table::Align::left;

/// Text of strangers may be given as it is: every method makes it displayable.
class Page {
 public:
  Page(const PoolSummary& pool, const TextOptions& options) : pool_(pool), options_(options) {}

  [[nodiscard]] const TextOptions& options() const { return options_; }
  [[nodiscard]] const PoolSummary& pool() const { return pool_; }

  /// "cifar10-10: 10 models, 10,000 samples, 10 classes, labels (detected)".
  void title();
  void blank() { text_ += '\n'; }
  void heading(std::string_view text);
  /// Wrapped to the width of the page.
  void paragraph(std::string_view text, int indent = 0, Paint paint = Paint::plain);
  void table(const Table& table, int indent = 2) {
    text_ += table.text(options_.width, options_.colour, indent);
  }
  /// A list under the heading "Notes"; nothing where there are none.
  void notes(const std::vector<Message>& warnings);
  /// The same list without a heading.
  void bullets(const std::vector<Message>& messages);
  [[nodiscard]] std::string take() { return std::move(text_); }

  /// The message with its options as the reader writes them.
  [[nodiscard]] std::string spelled(const Message& message) const {
    return message.text(options_.spelling);
  }
  /// Names, or "0,2,5", as the options ask.
  [[nodiscard]] std::string team(TeamView team) const;
  /// A name in a line of text: at most 40 columns of it.
  [[nodiscard]] static std::string name(std::string_view name);
  /// "alexnet, resnet50", always.
  [[nodiscard]] std::string names(TeamView team) const;

 private:
  const PoolSummary& pool_;
  const TextOptions& options_;
  std::string text_;
};

/// The text with a capital at its start and a full stop at its end.
[[nodiscard]] std::string sentence(std::string text);

/// Green above the reference, red below.
[[nodiscard]] Table::Cell gain_cell(std::uint64_t correct, std::uint64_t reference,
                                    std::uint64_t total);

/// "params", "GFLOPs", "latency", "memory".
[[nodiscard]] std::string cost_title(Cost cost);

}  // namespace hqe
