// SPDX-License-Identifier: MIT
#include "hqe/verbs/verbs.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/documents/answers.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/pictures/plot.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/html.h"
#include "hqe/saved/saved.h"
#include "python/bindings/bindings.h"
#include "python/bindings/named_teams.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

template <typename Result>
void bind_table(nb::class_<Result>& type) {
  type.def_prop_ro("teams",
                   [](const Result& result) {
                     return to_list(result.teams, 0, std::numeric_limits<std::size_t>::max());
                   })
      .def(
          "to_json", [](const Result& result) { return to_json(result); },
          nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("warnings", [](const Result& result) {
        std::vector<std::string> texts;
        for (const Message& warning : result.warnings) texts.push_back(warning.text());
        return texts;
      });
}

void bind_results(nb::module_& module) {
  nb::class_<Scores> scores(module, "Scores", "Scores of teams, a column a metric.");
  bind_table(scores);
  scores
      .def_prop_ro("metrics",
                   [](const Scores& result) {
                     std::vector<std::string> names;
                     for (const auto& column : result.columns) {
                       names.emplace_back(to_string(column.metric));
                     }
                     return names;
                   })
      .def(
          "column",
          [](nb::handle self, std::size_t i) {
            return to_column(nb::cast<const Scores&>(self).columns.at(i).scores, self);
          },
          "place"_a)
      .def(
          "focal",
          [](nb::handle self, std::size_t i) {
            return to_column(nb::cast<const Scores&>(self).columns.at(i).focal, self);
          },
          "place"_a, "q_f, team after team, member after member; NaN where f never fails.");
  nb::class_<Evaluation> evaluation(module, "Evaluation", "Correct counts of teams.");
  bind_table(evaluation);
  evaluation
      .def_prop_ro("vote",
                   [](const Evaluation& result) { return std::string(to_string(result.vote)); })
      .def_prop_ro("correct", [](nb::handle self) {
        return to_column(nb::cast<const Evaluation&>(self).correct, self);
      });
}

void bind_combined(nb::module_& module) {
  nb::class_<Combined>(module, "Combined", "A team's answers.")
      .def_prop_ro("vote",
                   [](const Combined& result) { return std::string(to_string(result.vote)); })
      .def_prop_ro("team",
                   [](const Combined& result) { return to_tuple(result.figures.team.view()); })
      .def("summary", [](const Combined& result) { return to_json(result); })
      .def_prop_ro(
          "labels",
          [](nb::handle self) { return to_column(nb::cast<const Combined&>(self).labels, self); })
      .def_prop_ro(
          "scores",
          [](nb::handle self) { return to_column(nb::cast<const Combined&>(self).scores, self); },
          "Sample after sample, class after class; empty for votes over labels.")
      .def_prop_ro("probabilities",
                   [](nb::handle self) {
                     return to_column(nb::cast<const Combined&>(self).probabilities, self);
                   })
      .def_prop_ro(
          "margins",
          [](nb::handle self) { return to_column(nb::cast<const Combined&>(self).margins, self); })
      .def_prop_ro("agreeing", [](nb::handle self) {
        return to_column(nb::cast<const Combined&>(self).agreeing, self);
      });
}

std::vector<Team> to_teams(const std::vector<std::vector<int>>& lists) {
  std::vector<Team> teams;
  for (const std::vector<int>& members : lists) teams.push_back(to_team(members));
  return teams;
}

/// How the one team votes.
VoteOptions vote_of_team(const options::Words& words, const options::NamedTeam& team,
                         const Pool& pool) {
  return vote_of_teams(options::read_vote_words(words), {team}, true, pool.model_count());
}

/// The verbs whose answer is small: it crosses as the JSON that the command prints.
void bind_documents(nb::module_& module) {
  module.def(
      "inspect",
      [](const Pool& pool, int threads, nb::object progress) {
        return without_gil(threads, std::move(progress),
                           [&](const Run& run) { return to_json(inspect(pool, run)); });
      },
      "pool"_a, "threads"_a, "progress"_a.none());
  module.def(
      "compare",
      [](const Pool& pool, const CompareOptions& options, const std::optional<Pool>& test,
         int threads, nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          return to_json(compare(pool, options, run, test));
        });
      },
      "pool"_a, "options"_a, "test"_a.none(), "threads"_a, "progress"_a.none());
  module.def(
      "page_of_document",
      [](const std::string& json) { return page_of_document(json, "the document"); }, "json"_a);
  module.def(
      "front",
      [](const Pool& pool, const FrontOptions& options, int threads, nb::object progress) {
        return without_gil(threads, std::move(progress),
                           [&](const Run& run) { return to_json(front(pool, options, run)); });
      },
      "pool"_a, "options"_a, "threads"_a, "progress"_a.none());
  module.def(
      "sweep",
      [](const Pool& pool, const std::vector<int>& sizes, const std::vector<double>& betas,
         const PruneOptions& options, int threads, nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          return to_json(sweep(pool, sizes, betas, options, run));
        });
      },
      "pool"_a, "sizes"_a, "betas"_a, "options"_a, "threads"_a, "progress"_a.none());
  module.def(
      "explain",
      [](const Pool& pool, const std::vector<std::vector<int>>& teams, const PruneOptions& options,
         int threads, nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          return to_json(explain(pool, to_teams(teams), options, run));
        });
      },
      "pool"_a, "teams"_a, "options"_a, "threads"_a, "progress"_a.none());
}

/// What is said of running one team.
void bind_serving(nb::module_& module) {
  module.def(
      "cascade",
      [](const Pool& pool, const std::optional<std::vector<int>>& members,
         const std::optional<TeamFile>& file, const options::Words& words,
         const FrontOptions& options, const std::optional<Pool>& test, int threads,
         nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          Pool own = pool;
          OrderOptions asked{.vote = options.vote, .seed = options.seed};
          std::optional<Team> wanted;
          if (members) {
            const options::NamedTeam team = named_team(own, *members, file);
            asked.vote = vote_of_team(words, team, own);
            wanted = Team(team.members);
          }
          return to_json(cascade(std::move(own), wanted, asked, run, test));
        });
      },
      "pool"_a, "team"_a.none(), "file"_a.none(), "words"_a, "options"_a, "test"_a.none(),
      "threads"_a, "progress"_a.none());
  module.def(
      "order",
      [](const Pool& pool, const std::vector<int>& members, const std::optional<TeamFile>& file,
         const options::Words& words, const std::optional<Pool>& test, int threads,
         nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          Pool own = pool;
          const options::NamedTeam team = named_team(own, members, file);
          const OrderOptions options{.vote = vote_of_team(words, team, own)};
          return to_json(order(std::move(own), Team(team.members), options, run, test));
        });
      },
      "pool"_a, "team"_a, "file"_a.none(), "words"_a, "test"_a.none(), "threads"_a,
      "progress"_a.none());
}

/// A kind of document that is read back: checked, as a text or from a file, and written anew.
template <typename Read>
void bind_saved(nb::module_& module, const char* checked, const char* from_file,
                const std::string& name, Read read) {
  module.def(
      checked, [=](const std::string& json) { return to_json(read(json, "the " + name)); },
      "json"_a);
  module.def(
      from_file,
      [=](const std::string& path) { return to_json(read_document(map_file(path), read)); },
      "path"_a, nb::call_guard<nb::gil_scoped_release>());
}

void bind_saved_documents(nb::module_& module) {
  bind_saved(module, "checked_comparison", "read_comparison", "comparison", comparison_from_json);
  bind_saved(module, "checked_cascade", "read_cascade", "cascade", cascade_from_json);
  module.def(
      "plot_ranks",
      [](const std::string& json) {
        return plot_ranks(rank_summary(comparison_from_json(json, "the comparison")));
      },
      "json"_a);
  module.def(
      "plot_cascades",
      [](const std::string& json) { return plot_cascades(cascade_from_json(json, "the cascade")); },
      "json"_a);
}

/// The C++ call alone, for bench/python_overhead.py.
double seconds_of_prune(const Pool& pool, const PruneOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Study study = prune(pool, options);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void bind_verbs(nb::module_& module) {
  bind_results(module);
  bind_combined(module);
  bind_documents(module);
  bind_serving(module);
  bind_saved_documents(module);
  module.def("seconds_of_prune", &seconds_of_prune, "pool"_a, "options"_a,
             nb::call_guard<nb::gil_scoped_release>(), "How long the C++ call takes.");
  module.def(
      "prune",
      [](const Pool& pool, const PruneOptions& options, const std::optional<Pool>& test,
         int threads, nb::object progress) {
        return without_gil(threads, std::move(progress),
                           [&](const Run& run) { return prune(pool, options, run, test); });
      },
      "pool"_a, "options"_a, "test"_a.none(), "threads"_a, "progress"_a.none());
  module.def(
      "score",
      [](const Pool& pool, const ScoreOptions& options, int threads, nb::object progress) {
        return without_gil(threads, std::move(progress),
                           [&](const Run& run) { return score(pool, options, run); });
      },
      "pool"_a, "options"_a, "threads"_a, "progress"_a.none());
  module.def(
      "evaluate",
      [](const Pool& pool, const EvaluateOptions& options, int threads, nb::object progress) {
        return without_gil(threads, std::move(progress),
                           [&](const Run& run) { return evaluate(pool, options, run); });
      },
      "pool"_a, "options"_a, "threads"_a, "progress"_a.none());
  module.def(
      "apply",
      [](const Pool& pool, const std::vector<int>& members, const std::optional<TeamFile>& file,
         const options::Words& words, bool scores, int threads, nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          Pool own = pool;
          const options::NamedTeam team = named_team(own, members, file);
          ApplyOptions options{.vote = vote_of_team(words, team, own)};
          if (file) options = apply_options(*file, options.vote, team.members);
          options.with_scores = scores;
          return apply(std::move(own), Team(team.members), options, run);
        });
      },
      "pool"_a, "team"_a, "file"_a.none(), "words"_a, "scores"_a, "threads"_a, "progress"_a.none());
}

}  // namespace hqe::python
