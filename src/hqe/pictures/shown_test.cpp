// SPDX-License-Identifier: MIT
// What can be shown of a document that somebody has changed.
#include <doctest/doctest.h>

#include <string>

#include "hqe/base/error.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/json.h"
#include "hqe/pictures/plot.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/html.h"
#include "hqe/report/text.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_cascade.h"
#include "tests/support/hand_made_comparison.h"
#include "tests/support/hand_made_study.h"
#include "tests/support/hostile_documents.h"

namespace hqe {
namespace {

using testing::DocumentJson;

/// A picture or nothing, where the study lacks what it shows.
template <typename Draw>
void check_picture(Draw draw) {
  try {
    const std::string svg = draw();
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf\"") == std::string::npos);
    CHECK(svg.find("</script>") == std::string::npos);
    CHECK(svg.find('\x1b') == std::string::npos);
  } catch (const UsageError&) {
  }
}

void show(const Study& study) {
  CHECK(to_text(study).find('\x1b') == std::string::npos);
  for (const Figure figure : all_figures) {
    check_picture([&] { return plot(study, figure); });
  }
  CHECK(to_json(study_from_json(to_json(study), "again")) == to_json(study));
}

void show(const Comparison& comparison) {
  CHECK(to_text(comparison).find('\x1b') == std::string::npos);
  check_picture([&] { return plot_ranks(rank_summary(comparison)); });
  CHECK(to_json(comparison_from_json(to_json(comparison), "again")) == to_json(comparison));
}

void show(const Cascading& cascading) {
  CHECK(to_text(cascading).find('\x1b') == std::string::npos);
  check_picture([&] { return plot_cascades(cascading); });
  CHECK(to_json(cascade_from_json(to_json(cascading), "again")) == to_json(cascading));
}

std::size_t script_ends(const std::string& page) {
  std::size_t count = 0;
  for (std::size_t at = page.find("</script>"); at != page.npos; ++count) {
    at = page.find("</script>", at + 1);
  }
  return count;
}

/// Anything but a refusal that says what to do fails the test.
void check_shown_or_refused(const std::string& text, std::size_t scripts) {
  try {
    const Saved saved = saved_from_json(text, "document.json");
    std::visit([](const auto& one) { show(one); }, saved);
    CHECK(script_ends(page_of_document(text, "document.json")) == scripts);
  } catch (const InputError& error) {
    CHECK_FALSE(error.advice().empty());
  }
}

/// The fuzzers try all of it, and more than one thing at a time.
#ifdef HQE_FEWER_CASES
constexpr std::size_t one_in = 37;
#else
constexpr std::size_t one_in = 5;
#endif

void check_changes(const std::string& text) {
  const DocumentJson document = DocumentJson::parse(text);
  const std::size_t scripts = script_ends(page_of_document(text, "document.json"));
  std::size_t turn = 0;
  for (const auto& place : testing::places_in(document)) {
    CAPTURE(place.to_string());
    if (++turn % one_in == 0) check_shown_or_refused(testing::without(document, place), scripts);
    for (const std::string_view value : testing::hostile_values) {
      CAPTURE(value);
      if (++turn % one_in != 0) continue;
      check_shown_or_refused(testing::with_value(document, place, value), scripts);
    }
  }
}

TEST_CASE("whatever is put in the place of whatever, a study is refused or shown") {
  check_changes(to_json(testing::whole_study()));
}

TEST_CASE("whatever is put in the place of whatever, a comparison is refused or shown") {
  check_changes(to_json(testing::hand_made_comparison()));
  check_changes(to_json(testing::hand_made_tested_comparison()));
}

TEST_CASE("whatever is put in the place of whatever, a cascade is refused or shown") {
  check_changes(to_json(testing::hand_made_cascade()));
  check_changes(to_json(testing::hand_made_tested_cascade()));
}

}  // namespace
}  // namespace hqe
