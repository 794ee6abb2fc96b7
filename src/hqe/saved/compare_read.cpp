// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hqe/saved/json_read_parts.h"
#include "hqe/saved/saved.h"
#include "hqe/saved/saved_kinds.h"

namespace hqe {
namespace {

CompareOptions read_compare_options(const Entry& entry) {
  CompareOptions options;
  options.size =
      maybe(entry, "size", [](const Entry& size) { return size.whole(1, max_model_count); });
  options.repeats = entry.at("repeats").whole(1, most_repeats);
  options.seed = entry.at("seed").seed();
  for (const Entry method : entry.at("methods").list()) {
    options.methods.push_back(method.word(parse_method));
  }
  options.beta.clear();
  for (const Entry beta : entry.at("beta").list()) options.beta.push_back(beta.share());
  options.keep = maybe(entry, "keep", count_of);
  options.max_candidates = maybe(entry, "max_candidates", count_of).value_or(UINT64_MAX);
  options.vote = read_vote_options(entry);
  options.budget = read_budget(entry.at("budget"));
  options.max_evaluate = maybe(entry, "max_evaluate", count_of).value_or(UINT64_MAX);
  options.time_limit = maybe(entry, "time_limit", number_of);
  return options;
}

Interval read_ends(const Entry& entry) { return read_interval(entry.at("low"), entry.at("high")); }

/// Reads the parts of a comparison one after the other; later ones are checked against earlier
/// ones.
class ComparisonReader {
 public:
  explicit ComparisonReader(const Entry& document) : document_(document) {}

  Comparison read() {
    read_head();
    read_reference(document_.at("reference"));
    for (const Entry entry : document_.at("methods").list()) read_method(entry);
    result_.warnings = read_messages(document_.at("warnings"));
    return std::move(result_);
  }

 private:
  void read_head() {
    result_.pool = read_pool(document_.at("pool"));
    result_.test = maybe(document_, "test",
                         [&](const Entry& entry) { return read_test_pool(entry, result_.pool); });
    result_.options = read_compare_options(document_.at("options"));
    result_.vote = document_.at("vote").word(parse_vote);
    result_.desired_size = document_.at("desired_size").whole(1, max_model_count);
    const Entry judged_on = document_.at("judged_on");
    if (judged_on.text() != (result_.test ? "test" : "splits")) {
      judged_on.refuse_value("does not fit \"test\"");
    }
    splits_ = result_.test ? 1 : result_.options.repeats;
    const Entry split_count = document_.at("split_count");
    if (split_count.count() != static_cast<std::uint64_t>(splits_)) {
      split_count.refuse_value(fmt::format("does not fit the options, which ask for {}", splits_));
    }
    result_.selection_samples = samples("selection_samples", result_.pool);
    result_.test_samples = samples("test_samples", result_.test ? *result_.test : result_.pool);
  }

  [[nodiscard]] std::uint64_t samples(std::string_view name, const PoolSummary& pool) const {
    const Entry entry = document_.at(name);
    const std::uint64_t count = entry.count(sample_limit(pool));
    if (count == 0) entry.refuse_value("samples tell nothing");
    return count;
  }

  void read_reference(const Entry& entry) {
    result_.reference.team = read_team(entry.at("team"), result_.pool);
    result_.reference.correct = entry.at("correct").count(sample_limit(result_.pool));
    result_.reference_test_correct = test_correct(entry.at("test_correct"));
    result_.reference_interval = read_ends(entry.at("interval"));
  }

  /// A mean of counts of at most `most`, which adding up may have rounded.
  [[nodiscard]] static double mean_count(const Entry& entry, std::uint64_t most) {
    const double mean = entry.not_negative();
    if (mean > static_cast<double>(most) * (1 + 1e-9)) {
      entry.refuse_value(fmt::format("is more than the {} samples", most));
    }
    return mean;
  }

  [[nodiscard]] double test_correct(const Entry& entry) const {
    return mean_count(entry, result_.test_samples);
  }

  [[nodiscard]] static double rank(const Entry& entry) {
    return entry.number(1, static_cast<double>(method_rows().size()));
  }

  /// `chosen_on`: the samples that it was chosen on.
  [[nodiscard]] Certificate certificate(const Entry& entry, const Limit& chosen_on) const {
    return {.upper_bound = entry.at("upper_bound").count(chosen_on),
            .is_proven = entry.at("is_proven").truth(),
            .counted = entry.at("counted").count()};
  }

  [[nodiscard]] Choice read_choice(const Entry& entry, const Limit& chosen_on) const {
    Choice choice;
    if (const auto team = entry.find("team")) choice.team = read_team(*team, result_.pool);
    if (const auto weights = entry.find("weights")) {
      const auto members = static_cast<std::size_t>(choice.team.size());
      for (const Entry weight : weights->list_of(members, "one a member")) {
        choice.weights.push_back(weight.not_negative());
      }
    }
    const auto correct = entry.find("selection_correct");
    if (correct) {
      choice.selection_correct = mean_count(*correct, chosen_on.most);
    } else {
      choice.not_computed = "nothing was chosen";  // A method says more; its splits do not.
    }
    choice.certificate = maybe(entry, "certificate",
                               [&](const Entry& found) { return certificate(found, chosen_on); });
    return choice;
  }

  [[nodiscard]] Choice split(const Entry& entry) const {
    Choice choice =
        read_choice(entry, {result_.selection_samples, "the", "samples that a split chooses on"});
    const auto correct = entry.find("test_correct");
    if (correct.has_value() != choice.not_computed.empty()) {
      entry.refuse("\"test_correct\" and \"selection_correct\" are not both there or both null");
    }
    if (correct) choice.test_correct = test_correct(*correct);
    choice.rank = maybe(entry, "rank", rank);
    return choice;
  }

  /// What a method chose on the entire pool.
  [[nodiscard]] Choice chosen(const Entry& entry) const {
    Choice choice = read_choice(entry, sample_limit(result_.pool));
    const std::string reason = entry.at("not_computed").text();
    if (reason.empty() != choice.not_computed.empty()) {
      entry.refuse("\"not_computed\" must say why \"selection_correct\" is null, and only then");
    }
    choice.not_computed = reason;
    return choice;
  }

  void read_method(const Entry& entry) {
    MethodResult result;
    result.method = entry.at("method").word(parse_method);
    if (std::ranges::find(result_.methods, result.method, &MethodResult::method) !=
        result_.methods.end()) {
      entry.at("method").refuse_value("occurs twice");
    }
    result.chosen = chosen(entry);
    const auto splits = static_cast<std::size_t>(splits_);
    bool chose_everywhere = true;
    for (const Entry one : entry.at("splits").list_of(splits, "one a split")) {
      result.splits.push_back(split(one));
      chose_everywhere = chose_everywhere && result.splits.back().not_computed.empty();
    }
    result.mean_rank = maybe(entry, "mean_rank", rank);
    check_rank(entry, result, chose_everywhere);
    if (result.mean_rank) {
      result.test_correct = test_correct(entry.at("test_correct"));
      result.test_interval = read_ends(entry.at("interval"));
    }
    result.verdict = maybe(entry, "verdict",
                           [](const Entry& verdict) { return verdict.word(parse_method_verdict); });
    result.p_value = maybe(entry, "p_value", share_of);
    result.detectable = maybe(entry, "detectable", share_of);
    result.seconds = maybe(entry, "seconds", number_of);
    result.note = entry.at("note").text();
    result_.methods.push_back(std::move(result));
  }

  /// Methods stand by rank, those without one last.
  void check_rank(const Entry& entry, const MethodResult& result, bool chose_everywhere) const {
    if (result.mean_rank.has_value() != chose_everywhere) {
      entry.refuse("\"mean_rank\" must be null where some split has no choice, and only then");
    }
    if (!result.mean_rank || result_.methods.empty()) return;
    const std::optional<double>& before = result_.methods.back().mean_rank;
    if (!before || *before > *result.mean_rank) {
      entry.at("mean_rank").refuse_value("is out of order: methods stand best first");
    }
  }

  const Entry document_;
  Comparison result_;
  int splits_ = 1;
};

}  // namespace

Comparison read_comparison(const Entry& document) { return ComparisonReader(document).read(); }

Comparison comparison_from_json(std::string_view text, const std::string& file) {
  const SavedDocument document(text, file, std::array{saved_comparison});
  return read_comparison(Entry(document));
}

}  // namespace hqe
