// SPDX-License-Identifier: MIT
// A study in Python: what is small crosses as the summary's JSON, so that Python says what the
// command says; tables of teams cross as columns that share the engine's memory.
#include "hqe/study/study.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "hqe/documents/json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/pictures/plot.h"
#include "hqe/report/html.h"
#include "hqe/report/numbers.h"
#include "hqe/report/text.h"
#include "hqe/saved/saved.h"
#include "options/words.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

using NoGil = nb::call_guard<nb::gil_scoped_release>;

Study load_study(const std::string& path) { return read_document(map_file(path), study_from_json); }

std::string figure_of(const Study& study, const std::string& word, const std::string& metric) {
  const Figure figure = options::parse_choice("figure", word, all_figures);
  return plot(study, figure, {.metric = metric});
}

std::string text_of(const Study& study, std::size_t top, bool by_name) {
  return to_text(study,
                 {.by_name = by_name,
                  .top = top,
                  .spelling = python_spelling(),
                  .next = "Next: study.report(\"page.html\") for a look, hqe.compare(pool) for "
                          "every method.",
                  .all_notes = "study.warnings"});
}

std::string fates_of(const StudyDetail::ScoredTeams& scored) {
  std::string letters;
  for (const StudyDetail::Fate fate : scored.fates) {
    letters += fate == StudyDetail::Fate::kept ? 'k' : 'p';
  }
  return letters;
}

/// The columns of a table of teams: `Table` has teams, scores, correct and test_correct.
template <typename Class, typename Get>
void bind_columns(nb::class_<Class>& type, Get table) {
  type.def("__len__", [table](const Class& self) { return table(self).teams.size(); })
      .def(
          "teams",
          [table](const Class& self, std::size_t first, std::size_t last) {
            return to_list(table(self).teams, first, last);
          },
          "first"_a, "last"_a, "Teams first .. last as tuples.")
      .def_prop_ro(
          "members",
          [table](nb::handle self) {
            return to_own_column(table(nb::cast<const Class&>(self)).teams.members());
          },
          nb::rv_policy::automatic, "All members, team after team.")
      .def_prop_ro(
          "begins",
          [table](nb::handle self) {
            return to_own_column(table(nb::cast<const Class&>(self)).teams.begins());
          },
          nb::rv_policy::automatic,
          "Where each team begins in `members`, and where the last one ends.")
      .def_prop_ro("scores",
                   [table](nb::handle self) {
                     return to_column(table(nb::cast<const Class&>(self)).scores, self);
                   })
      .def_prop_ro(
          "correct",
          [table](nb::handle self) {
            return to_count_column(table(nb::cast<const Class&>(self)).correct);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "test_correct",
          [table](nb::handle self) {
            return to_count_column(table(nb::cast<const Class&>(self)).test_correct);
          },
          nb::rv_policy::automatic, "Empty without a test pool.");
}

void bind_tables(nb::module_& module) {
  nb::class_<Selection> selection(module, "Selection", "What was kept, as columns.");
  bind_columns(selection,
               [](const Selection& one) -> const SelectedTeams& { return one.selected; });
  selection.def_prop_ro(
      "votes",
      [](nb::handle self) {
        return to_column(nb::cast<const Selection&>(self).selected.votes, self);
      },
      "Consensus only; empty otherwise.");
  nb::class_<StudyDetail::ScoredTeams> scored(module, "Scored", "What was scored, as columns.");
  bind_columns(scored, [](const StudyDetail::ScoredTeams& one) -> const auto& { return one; });
  scored.def_ro("metric", &StudyDetail::ScoredTeams::metric)
      .def_prop_ro("fates", &fates_of, "A letter a team, k = kept, p = pruned; may be empty.");
}

}  // namespace

void bind_study(nb::module_& module) {
  bind_tables(module);
  nb::class_<Study>(module, "Study", "One run from predictions to verdict.")
      .def("summary", [](const Study& study) { return to_json(study, JsonDetail::summary); })
      .def(
          "to_json",
          [](const Study& study, bool detail) {
            return to_json(study, detail ? JsonDetail::included : JsonDetail::left_out);
          },
          "detail"_a, NoGil())
      .def(
          "page", [](const Study& study) { return report_page(study); }, NoGil(),
          "The report, one page for a browser.")
      .def("plot", &figure_of, "figure"_a, "metric"_a, NoGil(), "A figure as SVG.")
      .def("text", &text_of, "top"_a = TextOptions{}.top, "by_name"_a = true,
           "The command's tables.")
      .def_prop_ro("has_detail", [](const Study& study) { return study.detail.has_value(); })
      .def(
          "selection",
          [](const Study& study, std::size_t i) -> const Selection& {
            return study.selections.at(i);
          },
          "place"_a, nb::rv_policy::reference_internal)
      .def_prop_ro(
          "consensus",
          [](const Study& study) -> const Selection* {
            return study.consensus ? &study.consensus->selection : nullptr;
          },
          nb::rv_policy::reference_internal, nb::sig("def consensus(self) -> Selection | None"))
      .def_prop_ro("scored_count",
                   [](const Study& study) {
                     return study.detail ? study.detail->scored.size() : std::size_t{0};
                   })
      .def(
          "scored",
          [](const Study& study, std::size_t i) -> const StudyDetail::ScoredTeams& {
            return study.detail.value().scored.at(i);
          },
          "place"_a, nb::rv_policy::reference_internal);
  module.def("accuracy_text", &accuracy_text, "correct"_a, "total"_a,
             "'94.31 %', rounded as the command does.");
  module.def("load_study", &load_study, "path"_a, NoGil());
  module.def(
      "study_from_json", [](const std::string& text) { return study_from_json(text, "study"); },
      "text"_a, NoGil());
}

}  // namespace hqe::python
