// SPDX-License-Identifier: MIT
#include "hqe/report/html.h"

#include <doctest/doctest.h>

#include <string>

#include "hqe/io/packed_column.h"

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
