// SPDX-License-Identifier: MIT
#include "hqe/report/html.h"

#include <doctest/doctest.h>

#include <string>

#include "hqe/base/error.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/json_packed.h"
#include "hqe/documents/packed_column.h"
#include "tests/support/hand_made_comparison.h"

namespace hqe {
namespace {

Study study_with_model(const std::string& name) {
  Study study;
  study.pool.name = name;
  study.pool.sample_count = 10;
  study.pool.models.push_back({.name = name, .correct = 7, .costs = {}});
  study.reference = {.team = Team{0}, .correct = 7};
  return study;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("a model's name cannot end the script that holds the study") {
  const std::string harmless = report_page(study_with_model("resnet"));
  const std::string hostile =
      report_page(study_with_model("</script><img src=x onerror=alert(1)>\xE2\x80\xA8"));
  CHECK(count_of(hostile, "</script>") == count_of(harmless, "</script>"));
  CHECK(count_of(hostile, "<img") == count_of(harmless, "<img"));
  CHECK(hostile.find("\\u003c/script>") != std::string::npos);
  CHECK(count_of(hostile, "\xE2\x80\xA8") == count_of(harmless, "\xE2\x80\xA8"));
}

TEST_CASE("the page holds the study once and leaves no placeholder") {
  const std::string page = report_page(study_with_model("resnet"));
  CHECK(count_of(page, "__HQE_STUDY_JSON__") == 0);
  CHECK(count_of(page, "\"command\":\"prune\"") == 1);
}

TEST_CASE("a saved comparison becomes a page as it is, and its text cannot end the script") {
  Comparison comparison = testing::hand_made_comparison();
  const std::string plain = to_json(comparison);
  CHECK(count_of(page_of_document(plain, "compare.json"), plain) == 1);
  comparison.pool.name = "</script><img>";
  const std::string page = page_of_document(to_json(comparison), "compare.json");
  CHECK(count_of(page, "\\u003c/script>\\u003cimg>") == 1);
  CHECK(count_of(page, "\"command\":\"compare\"") == 1);
  CHECK_THROWS_AS(static_cast<void>(page_of_document("{}", "study.json")), InputError);
}

TEST_CASE("a comparison gets into a page only as far as it was read") {
  const std::string plain = to_json(testing::hand_made_comparison());
  const auto with = [&](std::string_view part, std::string_view other) {
    std::string text = plain;
    text.replace(text.find(part), part.size(), other);
    return text;
  };
  const std::string unknown = with("\"vote\":", "\"surprise\":[1],\"vote\":");
  CHECK(page_of_document(unknown, "f") == page_of_document(plain, "f"));
  // A study's head in another order, and a comparison's that comes late.
  const std::string late =
      with("{\"schema\":1,\"command\":\"compare\"",
           "{\"schema\":1,\"padding\":\"" + std::string(200, 'x') + "\",\"command\":\"compare\"");
  CHECK(page_of_document(late, "f") == page_of_document(plain, "f"));
  CHECK_THROWS_AS(
      static_cast<void>(page_of_document(with("\"test_samples\":50", "\"test_samples\":0"), "f")),
      InputError);
}

/// Two metrics that scored the same pairs.
Study study_with_pairs(std::size_t count) {
  Study study = study_with_model("resnet");
  StudyDetail::ScoredTeams scored;
  for (std::size_t i = 0; i < count; ++i) {
    scored.teams.push_back(Team{0, static_cast<ModelId>(i + 1)}.view());
    scored.scores.push_back(static_cast<double>(i) / 7);
    scored.correct.push_back(i % 11);
  }
  study.detail.emplace();
  for (const char* metric : {"F-GD", "GD"}) {
    scored.metric = metric;
    study.detail->scored.push_back(scored);
  }
  return study;
}

TEST_CASE("a small page says once what two metrics share") {
  const std::string page = report_page(study_with_pairs(3));
  CHECK(count_of(page, "[[0,1],[0,2],[0,3]]") == 1);
  CHECK(count_of(page, "\"correct\":[0,1,2]") == 1);
  CHECK(count_of(page, "\"teams_of\":\"F-GD\"") == 1);
}

TEST_CASE("pages of many teams are packed, and of very many big") {
  CHECK(page_form(*study_with_pairs(packed_above / 2).detail) == ScoredForm::shared);
  CHECK(page_form(*study_with_pairs(packed_above / 2 + 1).detail) == ScoredForm::packed);
  const Study large = study_with_pairs(packed_above / 2 + 1);
  const std::string page = report_page(large);
  CHECK(count_of(page, "\"packed\":{") == 2);
  CHECK(count_of(page, "\"members\":{") == 1);
  CHECK(count_of(page, "\"score_rest\":{") == 2);
}

TEST_CASE("base64 is RFC 4648's") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("gzip gives the same bytes for the same input, and a gzip header") {
  const std::string bytes(100000, 'x');
  CHECK(gzip(bytes) == gzip(bytes));
  CHECK(gzip(bytes).substr(0, 2) == "\x1f\x8b");
  CHECK(gzip(bytes).size() < 1000);
}

}  // namespace
}  // namespace hqe
