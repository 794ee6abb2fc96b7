// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hqe/ensemble/team.h"
#include "hqe/saved/json_read_study.h"

namespace hqe {

namespace {

using DecidingSample = StudyDetail::DecidingSample;

/// What a report needs beyond the answer, of a study whose other parts are read.
class DetailReader {
 public:
  DetailReader(const Entry& document, Study& study) : document_(document), study_(study) {}

  void read() {
    StudyDetail detail;
    for (const Entry entry : document_.at("scored").list()) {
      const std::string metric = read_metric_name(entry.at("metric"));
      if (std::ranges::find(detail.scored, metric, &StudyDetail::ScoredTeams::metric) !=
          detail.scored.end()) {
        entry.at("metric").refuse_value("occurs twice");
      }
      detail.scored.push_back(scored(entry, metric));
    }
    detail.co_failures = co_failures(document_.at("co_failures"));
    detail.focal_co_failures =
        focal_co_failures(document_.at("focal_co_failures"), detail.co_failures);
    read_correlations();
    const Entry deciding = document_.at("deciding_samples");
    detail.repaired_count = deciding.at("repaired").count(samples());
    detail.broken_count = deciding.at("broken").count(samples());
    for (const Entry entry : deciding.at("samples").list()) {
      detail.deciding_samples.push_back(deciding_sample(entry));
    }
    if (const auto sweep = document_.find("sweep")) {
      for (const Entry entry : sweep->list()) detail.sweep.push_back(sweep_row(entry));
    }
    study_.detail = std::move(detail);
    study_.options.detail = true;
  }

 private:
  [[nodiscard]] Limit samples() const { return sample_limit(study_.pool); }
  [[nodiscard]] std::size_t model_count() const { return study_.pool.models.size(); }
  [[nodiscard]] int size(const Entry& entry) const {
    return entry.whole(1, static_cast<int>(model_count()));
  }

  /// A column of correct counts; empty where it is absent.
  [[nodiscard]] static std::vector<std::uint64_t> correct_counts(const Entry& entry,
                                                                 std::string_view name,
                                                                 std::size_t teams,
                                                                 const Limit& limit) {
    std::vector<std::uint64_t> counts;
    const auto column = entry.find(name);
    if (!column) return counts;
    counts.reserve(teams);
    for (const Entry count : column->list_of(teams, "one a team")) {
      counts.push_back(count.count(limit));
    }
    return counts;
  }

  [[nodiscard]] static std::vector<StudyDetail::Fate> fates(const Entry& entry, std::size_t teams) {
    std::vector<StudyDetail::Fate> read;
    const auto letters = entry.find("fate");
    if (!letters) return read;
    for (const char letter : letters->text()) {
      if (letter != 'k' && letter != 'p') letters->refuse("holds other letters than k and p");
      read.push_back(letter == 'k' ? StudyDetail::Fate::kept : StudyDetail::Fate::pruned);
    }
    if (read.size() != teams) {
      letters->refuse(
          fmt::format("holds {} letters where {} are due, one a team", read.size(), teams));
    }
    return read;
  }

  [[nodiscard]] StudyDetail::ScoredTeams scored(const Entry& entry,
                                                const std::string& metric) const {
    StudyDetail::ScoredTeams read;
    read.metric = metric;
    for (const Entry team : entry.at("teams").list()) {
      read.teams.push_back(read_team(team, study_.pool).view());
    }
    const std::size_t teams = read.teams.size();
    read.scores.reserve(teams);
    for (const Entry score : entry.at("score").list_of(teams, "one a team")) {
      read.scores.push_back(read_score(score));
    }
    read.fates = fates(entry, teams);
    read.correct = correct_counts(entry, "correct", teams, samples());
    const Limit test_samples = study_.test ? sample_limit(study_.test->pool, "the test pool's")
                                           : Limit{0, "a missing test pool's", "samples"};
    read.test_correct = correct_counts(entry, "test_correct", teams, test_samples);
    return read;
  }

  [[nodiscard]] std::vector<std::uint64_t> co_failures(const Entry& entry) const {
    const std::size_t models = model_count();
    std::vector<std::uint64_t> values;
    const auto rows = entry.list_of(models, "one a model");
    for (const Entry row : rows) {
      for (const Entry count : row.list_of(models, "one a model")) {
        values.push_back(count.count(samples()));
      }
    }
    for (std::size_t i = 0; i < models; ++i) {
      for (std::size_t j = 0; j < models; ++j) {
        const std::uint64_t failures = std::min(values[i * models + i], values[j * models + j]);
        static_cast<void>(rows[i].list()[j].count({failures, "either model's", "failures"}));
      }
    }
    return values;
  }

  /// Empty in large pools.
  [[nodiscard]] std::vector<std::uint64_t> focal_co_failures(
      const Entry& entry, const std::vector<std::uint64_t>& co_failures) const {
    const std::size_t models = model_count();
    std::vector<std::uint64_t> values;
    if (entry.list().empty()) return values;
    for (const Entry square : entry.list_of(models, "one a model")) {
      std::size_t place = 0;
      for (const Entry row : square.list_of(models, "one a model")) {
        for (const Entry count : row.list_of(models, "one a model")) {
          values.push_back(count.count({co_failures[place++], "the two models'", "co-failures"}));
        }
      }
    }
    return values;
  }

  /// Each goes to the selection that it tells of.
  void read_correlations() {
    const auto coefficient = [](const Entry& number) { return number.number(-1.001, 1.001); };
    for (const Entry entry : document_.at("correlations").list()) {
      const Correlation correlation{size(entry.at("size")), entry.at("teams").count(),
                                    maybe(entry, "spearman", coefficient),
                                    maybe(entry, "kendall", coefficient)};
      const auto teams_of = entry.find("teams_of");
      const std::string scorer = read_selection_name(entry.at("metric"));
      const std::string metric = teams_of ? read_metric_name(*teams_of) : scorer;
      for (Selection& selection : study_.selections) {
        if (selection.metric != metric) continue;
        (teams_of ? selection.baseline_correlations : selection.correlations)
            .push_back(correlation);
      }
      if (study_.consensus && study_.consensus->selection.metric == metric) {
        study_.consensus->selection.correlations.push_back(correlation);
      }
    }
  }

  [[nodiscard]] int class_of(const Entry& entry, int least = 0) const {
    return entry.whole(least, study_.pool.class_count - 1);
  }

  [[nodiscard]] DecidingSample::Opinion opinion(const Entry& entry) const {
    DecidingSample::Opinion read;
    read.model =
        static_cast<ModelId>(entry.at("model").whole(0, static_cast<int>(model_count()) - 1));
    const auto classes = entry.at("classes").list();
    for (const Entry one : classes) read.classes.push_back(class_of(one, -1));
    const Entry confidences = entry.at("confidences");
    if (confidences.list().empty()) return read;
    for (const Entry one : confidences.list_of(classes.size(), "one a class")) {
      read.confidences.push_back(one.number());
    }
    return read;
  }

  [[nodiscard]] DecidingSample deciding_sample(const Entry& entry) const {
    // The samples may be some of a larger pool's, which numbers them.
    constexpr Limit stored{max_sample_count - 1, "the last of", "samples"};
    DecidingSample sample{.sample = entry.at("sample").count(stored),
                          .truth = class_of(entry.at("truth")),
                          .answer = class_of(entry.at("answer"), -1),
                          .repaired = entry.at("repaired").truth(),
                          .members = {}};
    for (const Entry member : entry.at("members").list()) {
      sample.members.push_back(opinion(member));
    }
    return sample;
  }

  [[nodiscard]] SweepRow sweep_row(const Entry& entry) const {
    return {size(entry.at("size")), entry.at("beta").share(),
            read_selection_name(entry.at("metric")), read_quality(entry, samples())};
  }

  const Entry& document_;
  Study& study_;
};

}  // namespace

void read_detail(const Entry& document, Study& study) { DetailReader(document, study).read(); }

}  // namespace hqe
