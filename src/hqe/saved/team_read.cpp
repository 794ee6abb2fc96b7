// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hqe/calibration/calibrate.h"
#include "hqe/documents/team_json.h"
#include "hqe/ensemble/costs.h"
#include "hqe/saved/json_read_parts.h"
#include "hqe/saved/saved.h"
#include "hqe/saved/saved_kinds.h"

namespace hqe {
namespace {

std::vector<TeamFile::Member> read_members(const Entry& entry, const Limit& samples) {
  const auto list = entry.list();
  if (list.empty() || list.size() > static_cast<std::size_t>(max_model_count)) {
    entry.refuse(fmt::format("holds {} members, a team has 1 to {}", list.size(), max_model_count));
  }
  std::vector<TeamFile::Member> members;
  std::vector<std::string> names;
  for (const Entry one : list) {
    members.push_back({one.at("name").text(), one.at("correct").count(samples)});
    if (members.back().name.empty()) one.at("name").refuse("is empty");
    names.push_back(members.back().name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    entry.refuse(fmt::format("names \"{}\" twice", *twice));
  }
  return members;
}

std::vector<double> read_weights(const Entry& entry, const TeamFile& file) {
  const auto list = entry.find("weights");
  if (row_of(file.vote).has_weights != list.has_value()) {
    entry.at("weights").refuse("a weighted vote has one a member, and no other vote has any");
  }
  if (!list) return {};
  std::vector<double> weights;
  for (const Entry weight : list->list_of(file.members.size(), "one a member")) {
    weights.push_back(weight.not_negative());
    if (weights.back() != 0) static_cast<void>(weight.number(1e-100, 1e100));
  }
  if (std::ranges::max(weights) == 0) list->refuse("gives nobody a say");
  return weights;
}

std::optional<double> read_temperature(const Entry& entry, const TeamFile& file) {
  const auto found = entry.find("temperature");
  if (!found) return std::nullopt;
  if (!file.adds_scores()) found->refuse_value("stands beside a vote of labels");
  return found->number(1 / largest_temperature, largest_temperature);
}

std::vector<std::size_t> read_order(const Entry& entry, const TeamFile& file) {
  std::vector<std::size_t> order;
  for (const Entry one : entry.list_of(file.members.size(), "one a member")) {
    const auto member = std::ranges::find(file.members, one.text(), &TeamFile::Member::name);
    if (member == file.members.end()) one.refuse_value("is no member of the team");
    const auto place = static_cast<std::size_t>(member - file.members.begin());
    if (std::ranges::find(order, place) != order.end()) one.refuse_value("runs twice");
    order.push_back(place);
  }
  return order;
}

TeamFile::Exit read_exit(const Entry& entry, const TeamFile& file) {
  constexpr double slack = 1e-9;
  TeamFile::Exit exit{
      .order = read_order(entry.at("order"), file),
      .bound = maybe(entry, "bound", read_score_bound),
      .cost = maybe(entry, "cost", [](const Entry& cost) { return cost.word(parse_cost); }),
      .full_cost = entry.at("full_cost").not_negative(),
      .expected_models = entry.at("expected_models").number(1, file.size())};
  if (exit.bound.has_value() != file.adds_scores()) {
    entry.at("bound").refuse("votes of scores have a bound, and no other vote has one");
  }
  if (exit.full_cost == 0) entry.at("full_cost").refuse_value("saves nothing");
  exit.expected_cost = entry.at("expected_cost").number(0, exit.full_cost * (1 + slack));
  return exit;
}

TeamFile::Expected read_expected(const Entry& entry) {
  const auto interval = entry.at("interval").list_of(2, "its ends");
  TeamFile::Expected expected{.accuracy = entry.at("accuracy").share(),
                              .interval = read_interval(interval[0], interval[1]),
                              .judged_on = entry.at("judged_on").word(parse_held_out),
                              .samples = entry.at("samples").count()};
  if (expected.samples == 0) entry.at("samples").refuse_value("samples tell nothing");
  return expected;
}

TeamCosts read_costs(const Entry& entry) {
  TeamCosts costs;
  for (const Cost cost : all_costs) {
    const auto value = entry.find(to_string(cost));
    if (!value) continue;
    costs.values[static_cast<std::size_t>(cost)] =
        TeamCosts::Value{.sum = value->at("sum").not_negative(),
                         .reduction = value->at("reduction").number(),
                         .parallel = maybe(*value, "parallel", number_of),
                         .parallel_reduction = maybe(*value, "parallel_reduction", number_of)};
  }
  return costs;
}

void read_classes(const Entry& document, TeamFile& file) {
  const Entry count = document.at("class_count");
  file.class_count = count.whole(1, max_class_count);
  if (file.kind == Kind::correctness && file.class_count != 2) {
    count.refuse_value("classes are not right and wrong");
  }
  if (const auto classes = document.find("classes")) {
    static_cast<void>(classes->list_of(static_cast<std::size_t>(file.class_count), "one a class"));
    file.class_names = read_texts(*classes);
  }
}

}  // namespace

TeamFile read_team_file(const Entry& document) {
  TeamFile file;
  file.name = document.at("name").text();
  file.kind = document.at("kind").word(parse_kind);
  file.sample_count = read_pool_samples(document);
  file.members = read_members(document.at("members"), {file.sample_count, "the pool's", "samples"});
  const auto models = document.find("model_count");
  file.model_count = models ? models->whole(file.size(), max_model_count) : file.size();
  const Entry vote = document.at("vote");
  file.vote = vote.word(parse_vote);
  if (row_of(file.vote).needs == VoteNeeds::scores && !has_scores(file.kind)) {
    vote.refuse_value("needs probabilities or logits");
  }
  file.ties = document.at("ties").word(parse_ties);
  file.weights = read_weights(document, file);
  file.temperature = read_temperature(document, file);
  read_classes(document, file);
  file.early_exit =
      maybe(document, "early_exit", [&](const Entry& exit) { return read_exit(exit, file); });
  file.expected = read_expected(document.at("expected"));
  file.costs = read_costs(document.at("costs"));
  return file;
}

TeamFile team_from_json(std::string_view text, const std::string& file) {
  const SavedDocument document(text, file, std::array{saved_study, saved_team});
  const Entry root(document);
  if (document.command() == saved_study.command) return team_file_of(read_study(root));
  if (!is_sealed(text)) root.at("checksum").refuse_value("is not the checksum of these bytes");
  return read_team_file(root);
}

}  // namespace hqe
