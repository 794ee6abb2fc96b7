// SPDX-License-Identifier: MIT
#include "hqe/base/error.h"
#include "hqe/io/json.h"
#include "hqe/io/json_read_parts.h"

namespace hqe {

namespace {

/// Reads teams and refuses those that are not of the pool.
class StudyReader {
 public:
  explicit StudyReader(const Json& json) : json_(json) {}

  Study read() {
    if (!json_.is_object() || json_.value("command", Json()) != "prune") {
      throw NotAStudy{"\"command\" is not \"prune\""};
    }
    if (json_.at("schema") != 1) throw NotAStudy{"schema " + json_.at("schema").dump()};
    study_.pool = read_pool(json_.at("pool"));
    study_.options = read_options(json_.at("options"));
    study_.vote = word(json_, "vote", parse_vote);
    study_.reference = figures(json_.at("reference"));
    study_.desired_size = json_.at("desired_size");
    study_.metrics = read_metrics(json_.at("metrics"));
    for (const Json& entry : json_.at("selections")) study_.selections.push_back(selection(entry));
    if (const Json& entry = json_.at("consensus"); !entry.is_null()) {
      study_.consensus =
          Consensus{selection(entry), entry.at("metrics"), entry.at("distinct_metrics")};
    }
    read_baselines(json_.at("baselines"));
    read_recommended(json_.at("recommended"));
    study_.warnings = json_.at("warnings").get<std::vector<std::string>>();
    if (json_.contains("test")) read_test(json_.at("test"));
    if (json_.contains("trust")) {
      study_.trust = read_trust(json_.at("trust"), [&](const Json& entry) { return team(entry); });
    }
    if (json_.contains("scored")) read_detail();
    return std::move(study_);
  }

 private:
  Team team(const Json& json) const {
    std::vector<ModelId> members;
    for (const Json& entry : json) {
      const auto member = entry.get<std::int64_t>();
      if (member < 0 || member >= static_cast<std::int64_t>(study_.pool.models.size())) {
        throw NotAStudy{"team " + json.dump() + " names a model that the pool lacks"};
      }
      members.push_back(static_cast<ModelId>(member));
    }
    return Team(std::move(members));
  }

  TeamFigures figures(const Json& json) const {
    return {.team = team(json.at("team")),
            .correct = json.at("correct"),
            .test_correct = {},
            .merit = maybe<double>(json, "merit")};
  }

  static Quality quality(const Json& json) {
    return {.selected = json.at("selected"),
            .good = maybe<std::uint64_t>(json, "good"),
            .true_positive = json.at("true_positive"),
            .teams_of_size = maybe<std::uint64_t>(json, "teams_of_size"),
            .precision = maybe<double>(json, "precision"),
            .recall = maybe<double>(json, "recall"),
            .base_rate = maybe<double>(json, "base_rate"),
            .correct_min = maybe<std::uint64_t>(json, "correct_min"),
            .correct_max = maybe<std::uint64_t>(json, "correct_max"),
            .cost_reduction = maybe<double>(json, "cost_reduction"),
            .not_computed = value_or(json, "not_computed", std::string())};
  }

  Selection selection(const Json& json) const {
    Selection read;
    read.metric = json.at("metric");
    read.threshold = maybe<double>(json, "threshold");
    for (const Json& tier : json.value("tiers", Json::array())) {
      read.tiers.push_back({.size = tier.at("size"),
                            .candidates = tier.at("candidates"),
                            .pruned = tier.at("pruned"),
                            .cut = maybe<std::uint64_t>(tier, "cut"),
                            .beta = tier.at("beta")});
    }
    for (const Json& entry : json.at("teams")) {
      read.selected.teams.push_back(team(entry.at("team")).view());
      read.selected.scores.push_back(entry.at("score"));
      if (entry.contains("votes")) read.selected.votes.push_back(entry.at("votes"));
      read.selected.correct.push_back(entry.at("correct"));
      if (entry.contains("merit")) read.selected.merit.push_back(entry.at("merit"));
    }
    if (!read.selected.votes.empty() && read.selected.votes.size() != read.selected.size()) {
      throw NotAStudy{"some teams of " + read.metric + " have votes, others none"};
    }
    read.quality = quality(json);
    return read;
  }

  void read_baselines(const Json& json) {
    study_.baselines.best_single = figures(json.at("best_single"));
    study_.baselines.most_accurate = figures(json.at("most_accurate"));
    if (!json.at("best_of_size").is_null()) {
      study_.baselines.best_of_size = figures(json.at("best_of_size"));
    }
    study_.baselines.best_of_size_not_computed =
        value_or(json, "best_of_size_not_computed", std::string());
  }

  void read_recommended(const Json& json) {
    if (json.is_null()) return;
    study_.recommended = Recommendation{figures(json), json.at("from"), json.at("why")};
    if (json.contains("errors")) {
      const Json& errors = json.at("errors");
      study_.recommended_errors = TeamErrors{maybe<double>(errors, "error_correlation"),
                                             maybe<double>(errors, "posterior_error_correlation"),
                                             maybe<double>(errors, "added_error_ratio")};
    }
    if (json.contains("robustness")) {
      Robustness robustness;
      robustness.median_radius = json.at("robustness").at("median_radius");
      for (const Json& entry : json.at("robustness").at("certified")) {
        robustness.certified.push_back({entry.at("radius"), entry.at("share")});
      }
      study_.recommended_robustness = std::move(robustness);
    }
  }

  static void read_test_selection(const Json& json, Selection& selection) {
    for (const Json& entry : json.at("teams")) {
      selection.selected.test_correct.push_back(entry.at("correct"));
      if (entry.contains("merit")) selection.selected.test_merit.push_back(entry.at("merit"));
    }
    if (selection.selected.test_correct.size() != selection.selected.size()) {
      throw NotAStudy{"the test pool counts other teams than " + selection.metric + " selected"};
    }
    if (json.contains("selected")) selection.test_quality = quality(json);
  }

  void read_test(const Json& json) {
    study_.test = TestSummary{read_pool(json.at("pool")), json.at("reference").at("correct")};
    const Json& selections = json.at("selections");
    if (selections.size() != study_.selections.size()) {
      throw NotAStudy{"the test pool has other selections"};
    }
    for (std::size_t i = 0; i < study_.selections.size(); ++i) {
      read_test_selection(selections[i], study_.selections[i]);
    }
    if (study_.consensus) read_test_selection(json.at("consensus"), study_.consensus->selection);
    const auto count = [](const Json& entry, TeamFigures& figures) {
      figures.test_correct = maybe<std::uint64_t>(entry, "correct");
      figures.test_merit = maybe<double>(entry, "merit");
    };
    const Json& baselines = json.at("baselines");
    count(baselines.at("best_single"), study_.baselines.best_single);
    count(baselines.at("most_accurate"), study_.baselines.most_accurate);
    if (study_.baselines.best_of_size) {
      count(baselines.at("best_of_size"), *study_.baselines.best_of_size);
    }
    if (study_.recommended) count(json.at("recommended"), study_.recommended->figures);
    study_.reference.test_merit = maybe<double>(json.at("reference"), "merit");
    study_.reference.test_correct = study_.test->reference_correct;
  }

  StudyDetail::ScoredTeams scored(const Json& json) const {
    StudyDetail::ScoredTeams read;
    read.metric = json.at("metric");
    for (const Json& entry : json.at("teams")) read.teams.push_back(team(entry).view());
    read.scores = json.at("score").get<std::vector<double>>();
    for (const char letter : value_or(json, "fate", std::string())) {
      read.fates.push_back(letter == 'k' ? StudyDetail::Fate::kept : StudyDetail::Fate::pruned);
    }
    using Counts = std::vector<std::uint64_t>;
    read.correct = value_or(json, "correct", Counts{});
    read.test_correct = value_or(json, "test_correct", Counts{});
    const auto is_whole = [&](const auto& column) {
      return column.empty() || column.size() == read.teams.size();
    };
    if (!is_whole(read.scores) || !is_whole(read.fates) || !is_whole(read.correct) ||
        !is_whole(read.test_correct)) {
      throw NotAStudy{"the columns of " + read.metric + " in \"scored\" differ in length"};
    }
    return read;
  }

  static StudyDetail::DecidingSample deciding_sample(const Json& json) {
    StudyDetail::DecidingSample sample;
    sample.sample = json.at("sample");
    sample.truth = json.at("truth");
    sample.answer = json.at("answer");
    sample.repaired = json.at("repaired");
    for (const Json& member : json.at("members")) {
      sample.members.push_back({member.at("model"),
                                member.at("classes").get<std::vector<std::int32_t>>(),
                                member.at("confidences").get<std::vector<double>>()});
    }
    return sample;
  }

  static void append_flat(const Json& json, std::vector<std::uint64_t>& values) {
    if (!json.is_array()) {
      values.push_back(json);
      return;
    }
    for (const Json& entry : json) append_flat(entry, values);
  }

  std::vector<std::uint64_t> table(const char* key, int dimensions) const {
    std::vector<std::uint64_t> values;
    append_flat(json_.at(key), values);
    std::size_t expected = 1;
    for (int i = 0; i < dimensions; ++i) expected *= study_.pool.models.size();
    if (!values.empty() && values.size() != expected) {
      throw NotAStudy{"\"" + std::string(key) + "\" does not fit the number of models"};
    }
    return values;
  }

  void read_correlations() {
    for (const Json& entry : json_.at("correlations")) {
      const Correlation correlation{entry.at("size"), entry.at("teams"),
                                    maybe<double>(entry, "spearman"),
                                    maybe<double>(entry, "kendall")};
      const bool is_baseline = entry.contains("teams_of");
      const std::string metric = entry.at(is_baseline ? "teams_of" : "metric");
      for (Selection& selection : study_.selections) {
        if (selection.metric != metric) continue;
        (is_baseline ? selection.baseline_correlations : selection.correlations)
            .push_back(correlation);
      }
      if (study_.consensus && study_.consensus->selection.metric == metric) {
        study_.consensus->selection.correlations.push_back(correlation);
      }
    }
  }

  void read_detail() {
    StudyDetail detail;
    for (const Json& entry : json_.at("scored")) detail.scored.push_back(scored(entry));
    detail.co_failures = table("co_failures", 2);
    detail.focal_co_failures = table("focal_co_failures", 3);
    read_correlations();
    const Json& deciding = json_.at("deciding_samples");
    detail.repaired_count = deciding.at("repaired");
    detail.broken_count = deciding.at("broken");
    for (const Json& entry : deciding.at("samples")) {
      detail.deciding_samples.push_back(deciding_sample(entry));
    }
    for (const Json& entry : value_or(json_, "sweep", Json::array())) {
      detail.sweep.push_back(
          {entry.at("size"), entry.at("beta"), entry.at("metric"), quality(entry)});
    }
    study_.detail = std::move(detail);
    study_.options.detail = true;
  }

  const Json& json_;
  Study study_;
};

}  // namespace

Study study_from_json(std::string_view text, const std::string& file) {
  const std::string advice = "Write it again with hqe prune POOL -o FILE.";
  try {
    const Json json = Json::parse(text);
    return StudyReader(json).read();
  } catch (const Json::parse_error& error) {
    throw InputError(file, "byte " + std::to_string(error.byte), "this is not JSON", advice);
  } catch (const Json::exception& error) {
    // nlohmann's messages begin with "[json.exception.name.number] ".
    const std::string_view message = error.what();
    const std::size_t bracket = message.find("] ");
    throw InputError(file, "",
                     "not a saved study: " +
                         std::string(message.substr(bracket == message.npos ? 0 : bracket + 2)),
                     advice);
  } catch (const NotAStudy& problem) {
    throw InputError(file, "", "not a saved study: " + problem.reason, advice);
  } catch (const UsageError& error) {
    throw InputError(file, "", std::string("not a saved study: ") + error.what(), advice);
  } catch (const std::logic_error&) {
    throw InputError(file, "", "not a saved study: a seed that is no number", advice);
  }
}

}  // namespace hqe
