// SPDX-License-Identifier: MIT
#include "hqe/report/page.h"

#include <fmt/core.h>

#include <algorithm>

#include "hqe/base/capital.h"

namespace hqe {

namespace {

constexpr int longest_name = 40;

}  // namespace

void Page::title() {
  const std::string facts = fmt::format(
      ": {}, {}, {}, {}{}\n", counted(pool_.models.size(), "model"),
      counted(pool_.sample_count, "sample"),
      fmt::format("{} class{}", count_text(static_cast<std::uint64_t>(pool_.class_count)),
                  pool_.class_count == 1 ? "" : "es"),
      to_string(pool_.kind), pool_.kind_detected ? " (detected)" : "");
  const int room = std::max(longest_name / 2, options_.width - display_width(facts));
  text_ += painted(shorten(displayable(pool_.name), room), Paint::heading, options_.colour);
  text_ += facts;
}

void Page::heading(std::string_view text) {
  blank();
  for (const std::string& line : wrap(displayable(text), options_.width)) {
    text_ += painted(line, Paint::heading, options_.colour);
    text_ += '\n';
  }
}

void Page::paragraph(std::string_view text, int indent, Paint paint) {
  for (const std::string& line : wrap(displayable(text), options_.width - indent)) {
    text_.append(static_cast<std::size_t>(indent), ' ');
    text_ += painted(line, paint, options_.colour);
    text_ += '\n';
  }
}

void Page::notes(const std::vector<Message>& warnings) {
  if (warnings.empty()) return;
  heading("Notes");
  bullets(warnings);
}

void Page::bullets(const std::vector<Message>& messages) {
  for (const Message& message : messages) {
    std::string bullet = "- ";
    for (const std::string& line :
         wrap(sentence(message_text(spelled(message))), options_.width - 4)) {
      text_.append("  ").append(bullet).append(line).append("\n");
      bullet = "  ";
    }
  }
}

std::string Page::name(std::string_view name) { return shorten(displayable(name), longest_name); }

std::string Page::names(TeamView team) const {
  std::string text;
  for (const ModelId model : team) {
    if (!text.empty()) text += ", ";
    text += name(pool_.models[model].name);
  }
  return text;
}

std::string Page::team(TeamView team) const {
  // The entire ensemble of a large pool would fill lines with names that say nothing.
  if (team.size() == pool_.models.size() && team.size() > 12) {
    return "all " + count_text(team.size());
  }
  return options_.by_name ? names(team) : to_string(team);
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text = capitalised(std::move(text));
  if (text.back() != '.' && text.back() != '!' && text.back() != '?') text += '.';
  return text;
}

Table::Cell gain_cell(std::uint64_t correct, std::uint64_t reference, std::uint64_t total) {
  const Paint paint = correct < reference   ? Paint::bad
                      : correct > reference ? Paint::good
                                            : Paint::plain;
  return {gain_text(correct, reference, total), paint};
}

std::string cost_title(Cost cost) {
  switch (cost) {
    case Cost::params:
      return "params";
    case Cost::gflops:
      return "GFLOPs";
    case Cost::latency_ms:
      return "latency";
    case Cost::memory_mb:
      return "memory";
  }
  return "";
}

}  // namespace hqe
