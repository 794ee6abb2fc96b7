// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hqe/saved/json_read_study.h"
#include "hqe/saved/saved.h"
#include "hqe/saved/saved_kinds.h"

namespace hqe {

namespace {

TeamFigures read_figures(const Entry& entry, const PoolSummary& pool, bool may_be_empty = false) {
  return {.team = read_team(entry.at("team"), pool, may_be_empty),
          .correct = entry.at("correct").count(sample_limit(pool)),
          .test_correct = {},
          .merit = maybe(entry, "merit", number_of)};
}

TierSummary read_tier(const Entry& entry, const PoolSummary& pool) {
  TierSummary tier{.size = entry.at("size").whole(1, static_cast<int>(pool.models.size())),
                   .candidates = entry.at("candidates").count(),
                   .cut = maybe(entry, "cut", count_of),
                   .beta = entry.at("beta").share()};
  tier.pruned = entry.at("pruned").count({tier.candidates, "the tier's", "candidates"});
  return tier;
}

/// A column that teams have either all or none of.
template <typename T>
void require_whole(const Entry& teams, const std::vector<T>& column, std::string_view name) {
  if (column.empty() || column.size() == teams.list().size()) return;
  teams.refuse(fmt::format("some of these have \"{}\", others none", name));
}

/// Reads the parts of a study one after the other; later ones are checked against earlier ones.
class StudyReader {
 public:
  explicit StudyReader(const Entry& document) : document_(document) {}

  Study read() {
    study_.pool = read_pool(document_.at("pool"));
    study_.options = read_options(document_.at("options"));
    study_.vote = document_.at("vote").word(parse_vote);
    study_.reference = read_figures(document_.at("reference"), study_.pool);
    study_.desired_size = document_.at("desired_size").whole(1, max_model_count);
    study_.metrics = read_metrics(document_.at("metrics"));
    read_selections();
    read_baselines(document_.at("baselines"));
    if (const auto evidence = document_.find("evidence")) read_evidence(*evidence);
    if (const auto recommended = document_.find("recommended")) read_recommended(*recommended);
    study_.warnings = read_messages(document_.at("warnings"));
    if (const auto test = document_.find("test")) read_test(*test);
    if (study_.recommended) {
      if (const auto serving = document_.at("recommended").find("serving")) {
        read_serving(*serving, study_);
      }
    }
    if (const auto trust = document_.find("trust")) study_.trust = read_trust(*trust, study_);
    if (document_.find("scored")) read_detail(document_, study_);
    return std::move(study_);
  }

 private:
  [[nodiscard]] SelectedTeams selected(const Entry& entry) const {
    SelectedTeams read;
    for (const Entry team : entry.list()) {
      read.teams.push_back(read_team(team.at("team"), study_.pool).view());
      read.scores.push_back(read_score(team.at("score")));
      read.correct.push_back(
          static_cast<std::uint32_t>(team.at("correct").count(sample_limit(study_.pool))));
      if (const auto votes = team.find("votes")) {
        read.votes.push_back(votes->whole(0, static_cast<int>(all_metrics.size())));
      }
      if (const auto merit = team.find("merit")) read.merit.push_back(merit->number());
    }
    require_whole(entry, read.votes, "votes");
    require_whole(entry, read.merit, "merit");
    return read;
  }

  [[nodiscard]] Selection selection(const Entry& entry) const {
    Selection read;
    read.metric = read_selection_name(entry.at("metric"));
    read.threshold = maybe(entry, "threshold", read_score);
    if (const auto tiers = entry.find("tiers")) {
      for (const Entry tier : tiers->list()) read.tiers.push_back(read_tier(tier, study_.pool));
    }
    read.selected = selected(entry.at("teams"));
    read.quality = read_quality(entry, sample_limit(study_.pool), read.selected.size());
    return read;
  }

  void read_selections() {
    for (const Entry entry : document_.at("selections").list()) {
      Selection read = selection(entry);
      if (std::ranges::find(study_.selections, read.metric, &Selection::metric) !=
          study_.selections.end()) {
        entry.at("metric").refuse_value("occurs twice");
      }
      study_.selections.push_back(std::move(read));
    }
    if (const auto entry = document_.find("consensus")) {
      const auto opinions = static_cast<int>(focal_metrics.size());
      study_.consensus = Consensus{selection(*entry), entry->at("metrics").whole(0, opinions),
                                   entry->at("distinct_metrics").whole(0, opinions)};
    }
  }

  void read_baselines(const Entry& entry) {
    Baselines& baselines = study_.baselines;
    baselines.best_single = read_figures(entry.at("best_single"), study_.pool);
    // Budgets and exclusions may leave too few models for a team of that size.
    baselines.most_accurate = read_figures(entry.at("most_accurate"), study_.pool, true);
    baselines.best_of_size = maybe(
        entry, "best_of_size", [&](const Entry& best) { return read_figures(best, study_.pool); });
    baselines.best_of_size_not_computed = read_text_or_nothing(entry, "best_of_size_not_computed");
  }

  void read_recommended(const Entry& entry) {
    study_.recommended = Recommendation{.figures = read_figures(entry, study_.pool),
                                        .from = entry.at("from").text(),
                                        .why = entry.at("why").text()};
    read_weights(entry);
    if (const auto alternatives = entry.find("alternatives")) {
      for (const Entry one : alternatives->list()) {
        study_.recommended->alternatives.push_back(read_alternative(one));
      }
    }
    study_.recommended_errors = maybe(entry, "errors", [](const Entry& errors) {
      return TeamErrors{maybe(errors, "error_correlation", number_of),
                        maybe(errors, "posterior_error_correlation", number_of),
                        maybe(errors, "added_error_ratio", number_of)};
    });
    study_.recommended_robustness = maybe(entry, "robustness", [](const Entry& found) {
      Robustness robustness{.median_radius = found.at("median_radius").not_negative(),
                            .certified = {},
                            .estimated = maybe(found, "estimated", truth_of).value_or(false)};
      for (const Entry one : found.at("certified").list()) {
        robustness.certified.push_back({one.at("radius").not_negative(), one.at("share").share()});
      }
      return robustness;
    });
  }

  /// Documents know the weights of the recommended team alone.
  void read_weights(const Entry& entry) {
    const auto weights = entry.find("weights");
    if (!weights) return;
    const Team& team = study_.recommended->figures.team;
    const auto read = weights->list_of(static_cast<std::size_t>(team.size()), "one a member");
    study_.weights.assign(study_.pool.models.size(), 0.0);
    for (std::size_t place = 0; place < read.size(); ++place) {
      study_.weights[team[place]] = read[place].not_negative();
    }
  }

  [[nodiscard]] Alternative read_alternative(const Entry& entry) const {
    Alternative read{.role = entry.at("role").word(parse_role),
                     .figures = read_figures(entry, study_.pool),
                     .rule = entry.at("rule").text(),
                     .expected = entry.at("expected").number(),
                     .says = entry.at("says").text()};
    read.figures.test_correct = maybe(entry, "test_correct", [&](const Entry& correct) {
      return correct.count({max_sample_count, "the", "samples that a pool can have"});
    });
    return read;
  }

  void read_evidence(const Entry& entry) {
    for (const Entry one : entry.list()) {
      study_.evidence.push_back({.rule = one.at("rule").text(),
                                 .team = read_team(one.at("team"), study_.pool),
                                 .worth = one.at("worth").number(),
                                 .expected = one.at("expected").number(),
                                 .ahead = one.at("ahead").number(),
                                 .standard_error = one.at("standard_error").not_negative()});
    }
  }

  [[nodiscard]] Limit test_samples() const {
    return sample_limit(study_.test->pool, "the test pool's");
  }

  void read_test_selection(const Entry& entry, Selection& selection) const {
    SelectedTeams& selected = selection.selected;
    const Entry teams = entry.at("teams");
    for (const Entry team : teams.list_of(selected.size(), "one a selected team")) {
      selected.test_correct.push_back(
          static_cast<std::uint32_t>(team.at("correct").count(test_samples())));
      if (const auto merit = team.find("merit")) selected.test_merit.push_back(merit->number());
    }
    require_whole(teams, selected.test_merit, "merit");
    if (entry.find("selected")) {
      selection.test_quality = read_quality(entry, test_samples(), selected.size());
    }
  }

  void read_test_figures(const Entry& entry, TeamFigures& figures) const {
    figures.test_correct = maybe(
        entry, "correct", [&](const Entry& correct) { return correct.count(test_samples()); });
    figures.test_merit = maybe(entry, "merit", number_of);
  }

  void read_test(const Entry& entry) {
    study_.test = TestSummary{read_test_pool(entry.at("pool"), study_.pool), 0};
    const Entry reference = entry.at("reference");
    study_.test->reference_correct = reference.at("correct").count(test_samples());
    read_test_figures(reference, study_.reference);
    const auto selections =
        entry.at("selections").list_of(study_.selections.size(), "one a selection");
    for (std::size_t i = 0; i < selections.size(); ++i) {
      read_test_selection(selections[i], study_.selections[i]);
    }
    if (study_.consensus) read_test_selection(entry.at("consensus"), study_.consensus->selection);
    const Entry baselines = entry.at("baselines");
    read_test_figures(baselines.at("best_single"), study_.baselines.best_single);
    read_test_figures(baselines.at("most_accurate"), study_.baselines.most_accurate);
    if (study_.baselines.best_of_size) {
      read_test_figures(baselines.at("best_of_size"), *study_.baselines.best_of_size);
    }
    if (study_.recommended) read_test_figures(entry.at("recommended"), study_.recommended->figures);
  }

  const Entry document_;
  Study study_;
};

}  // namespace

std::string read_selection_name(const Entry& entry) {
  return entry.text() == consensus_name ? std::string(consensus_name) : read_metric_name(entry);
}

Quality read_quality(const Entry& entry, const Limit& samples,
                     std::optional<std::size_t> count_of_teams) {
  const auto correct = [&](const Entry& count) { return count.count(samples); };
  Quality quality{.selected = entry.at("selected").count(),
                  .good = maybe(entry, "good", count_of),
                  .teams_of_size = maybe(entry, "teams_of_size", count_of),
                  .precision = maybe(entry, "precision", share_of),
                  .recall = maybe(entry, "recall", share_of),
                  .base_rate = maybe(entry, "base_rate", share_of),
                  .correct_min = maybe(entry, "correct_min", correct),
                  .correct_max = maybe(entry, "correct_max", correct),
                  .cost_reduction = maybe(entry, "cost_reduction", share_of),
                  .not_computed = read_text_or_nothing(entry, "not_computed")};
  quality.true_positive =
      entry.at("true_positive").count({quality.selected, "the", "selected teams"});
  if (count_of_teams && quality.selected != *count_of_teams) {
    entry.at("selected").refuse_value(fmt::format("stands beside {} teams", *count_of_teams));
  }
  return quality;
}

Study study_from_json(std::string_view text, const std::string& file) {
  const SavedDocument document(text, file, std::array{saved_study});
  return read_study(Entry(document));
}

Study read_study(const Entry& document) { return StudyReader(document).read(); }

}  // namespace hqe
