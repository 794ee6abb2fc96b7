// SPDX-License-Identifier: MIT
#include "hqe/report/html.h"

#include <string_view>

#include "hqe/base/error.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/json.h"
#include "hqe/saved/saved.h"

namespace hqe {

extern const std::string_view report_template;  // web/dist/report.html, embedded by the build.

namespace {

constexpr std::string_view placeholder = "__HQE_STUDY_JSON__";

/// JSON that cannot end the script element it stands in, nor a line of it: `<` and the two line
/// separators that JavaScript knows and JSON does not are written as escapes.
std::string for_script(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<') {
      safe += "\\u003c";
    } else if (json.substr(i, 3) == "\xE2\x80\xA8") {
      safe += "\\u2028";
      i += 2;
    } else if (json.substr(i, 3) == "\xE2\x80\xA9") {
      safe += "\\u2029";
      i += 2;
    } else {
      safe.push_back(json[i]);
    }
  }
  return safe;
}

std::string page_with(std::string_view json) {
  const std::size_t place = report_template.find(placeholder);
  if (place == std::string_view::npos) throw Error("the report template has no place for a study");
  std::string page(report_template.substr(0, place));
  page += for_script(json);
  page += report_template.substr(place + placeholder.size());
  return page;
}

}  // namespace

std::string report_page(const Study& study) {
  return page_with(to_json(study, JsonDetail::for_page));
}

std::string report_page(const Comparison& comparison) { return page_with(to_json(comparison)); }

std::string report_page(const Cascading& cascading) { return page_with(to_json(cascading)); }

std::string page_of_document(std::string_view json, const std::string& file) {
  // Written anew from what was read: nothing gets into a page that was not looked at.
  return std::visit([](const auto& saved) { return report_page(saved); },
                    saved_from_json(json, file));
}

}  // namespace hqe
