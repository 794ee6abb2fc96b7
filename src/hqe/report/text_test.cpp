// SPDX-License-Identifier: MIT
#include "hqe/report/text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "hqe/base/option_name.h"
#include "hqe/report/display.h"
#include "tests/support/hand_made_study.h"

namespace hqe {
namespace {

void check_width(const std::string& text, int width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CHECK_MESSAGE(display_width(line) <= width, line);
    CHECK_MESSAGE((line.empty() || line.back() != ' '), line);
  }
}

TEST_CASE("a study begins with the decision, and fits a screen") {
  CHECK(to_text(testing::hand_made_study(), {.next = "Next: ask for more."}) ==
        R"(four friends: 4 models, 100 samples, 3 classes, probabilities (detected)

Ship these 2: a model with a very long name indeed, v2, dora
  It is the best.

  accuracy     84.00 % on these samples; nothing was held out
  costs        2 of 4 models, -20 % params
  calibration  log-loss 0.750, 0.500 at temperature 2.00
  robustness   median certified radius 0.01 of the answers that are right

Or
  cheaper        dora: 77.50 % expected, 1 model, -47 % params; as good
  most accurate  the same team

How focal pruning saw it
              kept  of  good of kept  good of all  follows accuracy
  F-BD, F-GD     2   6        50.0 %       50.0 %             +0.75
  consensus      2   6        50.0 %       50.0 %

Notes
  - S_d is half of the models.

Next: ask for more.
)");
}

TEST_CASE("what would not fit a screen is left to a verbose one, the least of it first") {
  Study study = testing::hand_made_study();
  const TextOptions options{.next = "Next: ask for more.", .all_notes = "ask"};
  const auto lines = [&] {
    const std::string text = to_text(study, options);
    return std::ranges::count(text, '\n');
  };
  const auto says = [&](std::string_view part) {
    return to_text(study, options).find(part) != std::string::npos;
  };
  const auto notes = [&](std::size_t count) { study.warnings.assign(count, "something is odd"); };
  const auto names = [&](std::size_t length) {
    for (PoolSummary::Member& model : study.pool.models) model.name.assign(length, 'n');
  };
  notes(9);
  CHECK(lines() == 30);
  CHECK(says("\nNotes\n"));
  notes(10);
  CHECK(lines() == 30);
  CHECK_FALSE(says("\nNotes\n"));
  CHECK(says("- Something is odd.\n"));
  notes(11);
  CHECK(says("\n11 notes: ask.\n"));
  CHECK(says("F-BD, F-GD"));
  notes(1);
  names(40);
  CHECK(says("- Something is odd.\n"));
  study.selections.resize(20, study.selections.front());
  for (std::size_t i = 0; i < study.selections.size(); ++i) {
    TeamTable& teams = study.selections[i].selected.teams;
    for (std::size_t team = 0; team < i; ++team) teams.push_back(Team{0}.view());
    study.selections[i].metric = "F-" + std::to_string(i);
  }
  CHECK(lines() <= 30);
  CHECK_FALSE(says("F-1"));
  CHECK(says("consensus"));
}

TEST_CASE("a text writes options as its reader does") {
  Study study = testing::hand_made_study();
  testing::add_trust(study);
  study.warnings = {message("raise {}", option("keep"))};
  study.trust.says = message("See {}.", option("folds", 5));
  study.trust.stability->not_measured = message("not measured: see {}", option("size", "auto"));
  const Spelling spelling{.option = [](const OptionName& name) {
    return "<" + name.name + "=" + name.value.value_or("?") + ">";
  }};
  const std::string spelled = to_text(study, {.verbose = true, .spelling = spelling});
  for (const char* part : {"  See <folds=5>.\n", "Stability: not measured: see <size=auto>.\n",
                           "  - Raise <keep=?>.\n"}) {
    CHECK_MESSAGE(spelled.find(part) != std::string::npos, part);
  }
  CHECK(to_text(study).find("  - Raise the option keep.\n") != std::string::npos);
}

TEST_CASE("figures of the test pool leave a full screen before the names of other teams do") {
  Study study = testing::hand_made_study();
  testing::add_test_pool(study);
  study.recommended->alternatives.front().figures.team = Team{0, 3};
  const auto says = [&](std::string_view part) {
    return to_text(study).find(part) != std::string::npos;
  };
  CHECK(says("on the test pool"));
  while (says("on the test pool") && study.selections.size() < 30) {
    study.selections.push_back(study.selections.front());
    TeamTable& teams = study.selections.back().selected.teams;
    for (std::size_t i = 0; i < study.selections.size(); ++i) teams.push_back(Team{0}.view());
  }
  CHECK_FALSE(says("on the test pool"));
  CHECK(says("anna, dora: "));
}

TEST_CASE("one model and the entire ensemble are answers") {
  Study study = testing::hand_made_study();
  study.recommended->figures.team = Team{3};
  CHECK(to_text(study).find("Ship one model: dora\n") != std::string::npos);
  study.recommended->figures.team = Team::all(4);
  CHECK(to_text(study).find("Keep all 4 models.\n") != std::string::npos);
}

TEST_CASE("the decision says what it is worth on held-out samples, and who was judged there") {
  Study study = testing::hand_made_study();
  testing::add_trust(study);
  study.trust.held_out = HeldOut::half;
  const std::string text = to_text(study, {.width = 200});
  for (const char* part :
       {"84.00 % on these samples; 79.00 % (73.00 to 84.00) on 200 samples that took no part in "
        "the "
        "choice (of anna, dora, which the rule chose on the other half)",
        "against entire ensemble    +4.00 points: cannot tell, about 450 samples could",
        "against best single model  +4.00 points: better"}) {
    CAPTURE(std::string(part));
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("radii from estimated bounds are called estimated") {
  Study study = testing::hand_made_study();
  for (const bool verbose : {false, true}) {
    CAPTURE(verbose);
    const auto has = [&](std::string_view part) {
      return to_text(study, {.verbose = verbose}).find(part) != std::string::npos;
    };
    study.recommended_robustness->estimated = false;
    CHECK(has("median certified radius 0.01 of the answers that are right\n"));
    CHECK(has("radius 0.01; 62.5 % of samples at 0.005.\n") == verbose);
    CHECK_FALSE(has("estimated radius"));
    study.recommended_robustness->estimated = true;
    CHECK(has("median estimated radius 0.01 of the answers that are right\n"));
    CHECK_FALSE(has("certified radius"));
  }
  study.recommended_robustness.reset();
  CHECK(to_text(study).find("radius") == std::string::npos);
}

TEST_CASE("a verbose text reads from the decision to every table behind it") {
  CHECK(to_text(testing::hand_made_study(), {.by_name = false, .verbose = true}) ==
        R"(four friends: 4 models, 100 samples, 3 classes, probabilities (detected)

Ship these 2: a model with a very long name indeed, v2, dora
  It is the best.

  accuracy     84.00 % on these samples; nothing was held out
  costs        2 of 4 models, -20 % params
  calibration  log-loss 0.750, 0.500 at temperature 2.00
  robustness   median certified radius 0.01 of the answers that are right

Or
  cheaper        dora: 77.50 % expected, 1 model, -47 % params; as good
  most accurate  the same team

  Its members' failures correlate at 0.20, so it keeps 60 % of a member's added error. Median
  certified radius 0.01; 62.5 % of samples at 0.005.

Entire ensemble, soft vote: 80.00 % (80 correct). Wanted: teams of 2, pruning 70 % of each tier.

F-BD
  size  candidates  cut  pruned  kept
     2           6    0       4     2

  2 of 6 teams selected, precision 50.0 % (1 of 2), recall 33.3 % (1 of 3), base rate 50.0 %,
  accuracy 79.00 % to 84.00 %, 50 % fewer models.
  Score and accuracy of the 6 teams of 2 that were scored: Spearman +0.75 (BD -0.25).

  team   score  accuracy   gain   95 % interval  models  params
  2,3   0.9375   84.00 %  +4.00  75.58 to 89.90   -50 %   -20 %
  0,3   0.5000   79.00 %  -1.00  70.02 to 85.83   -50 %   -40 %

F-GD
  size  candidates  cut  pruned  kept
     2           6    0       4     2

  2 of 6 teams selected, precision 50.0 % (1 of 2), recall 33.3 % (1 of 3), base rate 50.0 %,
  accuracy 79.00 % to 84.00 %, 50 % fewer models.
  Score and accuracy of the 6 teams of 2 that were scored: Spearman +0.75 (GD -0.25).

  team   score  accuracy   gain   95 % interval  models  params
  2,3   0.9375   84.00 %  +4.00  75.58 to 89.90   -50 %   -20 %
  0,3   0.5000   79.00 %  -1.00  70.02 to 85.83   -50 %   -40 %

MAJORITY-F
  Kept by at least 2 of 2 focal metrics. 2 of 6 teams selected, precision 50.0 % (1 of 2), recall
  33.3 % (1 of 3), base rate 50.0 %, accuracy 79.00 % to 84.00 %, 50 % fewer models.

  team  votes   score  accuracy   gain   95 % interval  models  params
  2,3       2  0.9375   84.00 %  +4.00  75.58 to 89.90   -50 %   -20 %
  0,3       2  0.5000   79.00 %  -1.00  70.02 to 85.83   -50 %   -40 %

For comparison
                       team     accuracy   gain   95 % interval  models  params
  best single model    3         78.00 %  -2.00  68.93 to 85.00   -75 %   -47 %
  the 2 most accurate  2,3       84.00 %  +4.00  75.58 to 89.90   -50 %   -20 %
  best team of 2       2,3       84.00 %  +4.00  75.58 to 89.90   -50 %   -20 %
  entire ensemble      0,1,2,3   80.00 %   0.00  71.12 to 86.66     0 %     0 %

Notes
  - S_d is half of the models.
)");
}

TEST_CASE("a study with a test pool shows both counts and fits the page") {
  Study study = testing::hand_made_study();
  testing::add_test_pool(study);
  const std::string text = to_text(study, {.by_name = false, .verbose = true});
  CHECK(text.find("team   score  accuracy   gain     test   gain") != std::string::npos);
  for (const bool by_name : {false, true}) {
    for (const bool verbose : {false, true}) {
      check_width(to_text(study, {.by_name = by_name, .verbose = verbose}), 100);
      check_width(to_text(study, {.width = 72, .by_name = by_name, .verbose = verbose}), 72);
    }
  }
}

TEST_CASE("trust reads like advice and fits the page") {
  Study study = testing::hand_made_study();
  testing::add_test_pool(study);
  testing::add_trust(study);
  const std::string text = to_text(study, {.verbose = true});
  for (const char* part :
       {"How sure is that?\n  Judged on others.",
        "84.00 %  75.00 to 90.00   79.00 %  73.00 to 84.00     +5.00", "+1.00 to +8.00  0.1250",
        "cannot tell on 200 samples", "+1.00 to +10.00  0.1250  better", "within 0.5",
        "so choosing did not flatter the team", "the 2 most accurate of 3 teams",
        "the same team in 50 %, its members in 75 % (2) 100 % (3)", "F-GD 0.62",
        "In 1 resample no team was selected", "3 of 4    8", "25 %", "+1.00"}) {
    CAPTURE(std::string(part));
    CHECK(text.find(part) != std::string::npos);
  }
  for (const int width : {72, 100})
    check_width(to_text(study, {.width = width, .verbose = true}), width);
  study.trust.held_out = HeldOut::nothing;
  for (auto& row : study.trust.teams) row.held_out.reset();
  CHECK(to_text(study, {.verbose = true}).find("corrected for the choice among many teams") !=
        std::string::npos);
}

TEST_CASE("an empty study says so") {
  Study study = testing::hand_made_study();
  for (Selection& selection : study.selections) {
    selection.selected = {};
    selection.quality = {};
  }
  study.consensus->selection.selected = {};
  study.consensus->selection.quality = {};
  study.recommended.reset();
  const std::string text = to_text(study, {.verbose = true});
  CHECK(text.find("Nothing was selected.") != std::string::npos);
  CHECK(text.find("No team is recommended.") != std::string::npos);
}

TEST_CASE("what was not computed is said, not shown as zero") {
  Study study = testing::hand_made_study();
  study.baselines.best_of_size.reset();
  study.baselines.best_of_size_not_computed = "not computed: 9,657,648 teams of size 5";
  study.selections[0].quality.good.reset();
  study.selections[0].quality.recall.reset();
  study.selections[0].quality.base_rate.reset();
  study.selections[0].quality.not_computed = "not computed: 9,657,648 teams of size 5";
  const std::string text = to_text(study, {.verbose = true});
  CHECK(text.find("Recall: not computed: 9,657,648 teams of size 5.") != std::string::npos);
  CHECK(text.find("Best team of that size: not computed") != std::string::npos);
}

TEST_CASE("a limit of rows limits a table and says how much is left") {
  const std::string text = to_text(testing::hand_made_study(), {.verbose = true, .top = 1});
  CHECK(text.find("... and 1 more team\n") != std::string::npos);
}

TEST_CASE("a model's name cannot write to the terminal") {
  Study study = testing::hand_made_study();
  study.pool.models[2].name = "evil\x1b[2J";
  study.pool.name = "pool\x1b[2J";
  CHECK(to_text(study, {.by_name = true}).find('\x1b') == std::string::npos);
}

TEST_CASE("colour is for terminals that ask for it") {
  const Study study = testing::hand_made_study();
  CHECK(to_text(study).find('\x1b') == std::string::npos);
  CHECK(to_text(study, {.colour = true, .verbose = true}).find("\x1b[32m+4.00\x1b[0m") !=
        std::string::npos);
  CHECK(to_text(study, {.colour = true, .verbose = true}).find("\x1b[31m-1.00\x1b[0m") !=
        std::string::npos);
}

TEST_CASE("an inspection of many models shows pairs, of few a matrix") {
  Inspection inspection;
  inspection.pool = testing::hand_made_pool();
  inspection.models.resize(4);
  inspection.models[1].notes = {"never fails"};
  inspection.correct_min = 70;
  inspection.correct_max = 78;
  inspection.accuracy_mean = 0.7375;
  inspection.co_failures = {30, 10, 9, 8, 10, 28, 7, 6, 9, 7, 25, 5, 8, 6, 5, 22};
  CHECK(to_text(inspection).find("   3   8.0   6.0   5.0  22.0\n") != std::string::npos);
  check_width(to_text(inspection), 100);

  inspection.pool.models.resize(40, inspection.pool.models.front());
  inspection.models.resize(40);
  inspection.co_failures.assign(1600, 30);
  inspection.co_failures[1] = inspection.co_failures[40] = 3;
  const std::string text = to_text(inspection);
  CHECK(text.find("Pairs that fail most and least alike") != std::string::npos);
  check_width(text, 100);
}

}  // namespace
}  // namespace hqe
