// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Writes the cases of a run as JUnit XML when it ends. Not doctest's own reporter "junit", which
/// leaves out what was skipped; what went wrong is told by the console.
class CaseReporter final : public doctest::IReporter {
 public:
  explicit CaseReporter(const doctest::ContextOptions& options) : xml_(*options.cout) {}

  void test_case_start(const doctest::TestCaseData& test) override { current_ = test.m_name; }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    cases_.push_back({current_, stats.testCaseSuccess ? Outcome::passed : Outcome::failed, {}});
  }
  /// A case that the command line leaves out, or that only the soak runs, has no reason.
  void test_case_skipped(const doctest::TestCaseData& test) override {
    if (test.m_skip && test.m_description != nullptr)
      cases_.push_back({test.m_name, Outcome::skipped, test.m_description});
  }

  void test_run_end(const doctest::TestRunStats&) override {
    xml_.startElement("testsuites");
    for (const Case& test : cases_) {
      const auto element = xml_.scopedElement("testcase");
      xml_.writeAttribute("name", test.name);
      if (test.outcome == Outcome::failed) xml_.scopedElement("failure");
      if (test.outcome == Outcome::skipped)
        xml_.scopedElement("skipped").writeAttribute("message", test.reason);
    }
    xml_.endElement();
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}

 private:
  enum class Outcome { passed, failed, skipped };
  struct Case {
    std::string name;
    Outcome outcome;
    std::string reason;
  };

  doctest::XmlWriter xml_;
  std::string current_;
  std::vector<Case> cases_;
};

REGISTER_REPORTER("cases", 0, CaseReporter);

}  // namespace

/// With HQE_JUNIT in the environment, as scripts/test has it, a report of the cases follows the
/// words for people.
int main(int argc, char** argv) {
  doctest::Context context;
  if (std::getenv("HQE_JUNIT") != nullptr) context.setOption("reporters", "console,cases");
  context.applyCommandLine(argc, argv);
  return context.run();
}
