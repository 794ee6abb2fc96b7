// SPDX-License-Identifier: MIT
// A team in Python is the document that the command writes; the engine reads, checks and matches
// it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "hqe/calibration/temper.h"
#include "hqe/documents/team_json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/saved/saved.h"
#include "hqe/study/team_file.h"
#include "hqe/verbs/verbs.h"
#include "python/bindings/bindings.h"
#include "python/bindings/named_teams.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

using NoGil = nb::call_guard<nb::gil_scoped_release>;
using Shares = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<int> members_in(const TeamFile& file, const Pool& pool) {
  Pool copy = pool;
  const std::vector<ModelId> members = match_team(file, copy);
  return {members.begin(), members.end()};
}

TeamFile load_team(const std::string& path) {
  return read_document(map_file(path, "a team file or a study"), team_from_json);
}

}  // namespace

options::NamedTeam named_team(Pool& pool, const std::vector<int>& members,
                              const std::optional<TeamFile>& file) {
  options::NamedTeam team{.members = to_ids(members), .file = file};
  if (file) team.members = match_team(*file, pool);
  return team;
}

void bind_team(nb::module_& module) {
  nb::class_<TeamFile>(module, "TeamFile", "A team as it is handed on.")
      .def("to_json", [](const TeamFile& file) { return to_json(file); })
      .def_prop_ro(
          "order",
          [](const TeamFile& file) {
            return file.early_exit ? std::optional(file.early_exit->order) : std::nullopt;
          },
          "Places of the members, in the order to run them.")
      .def_prop_ro("temperature", [](const TeamFile& file) { return file.temperature; });
  module.def("load_team", &load_team, "path"_a, NoGil());
  module.def(
      "team_from_json", [](const std::string& text) { return team_from_json(text, "team"); },
      "text"_a, NoGil());
  module.def("team_of_study", &team_file_of, "study"_a, NoGil());
  module.def(
      "team_of_pool",
      [](const Pool& pool, const std::vector<int>& members, const std::optional<TeamFile>& file,
         const options::Words& words, int threads, nb::object progress) {
        const Run run = make_run(threads, std::move(progress));
        const nb::gil_scoped_release release;
        Pool own = pool;
        const options::NamedTeam team = named_team(own, members, file);
        const OrderOptions options{.vote = vote_of_teams(options::read_vote_words(words), {team},
                                                         true, own.model_count())};
        return team_of(std::move(own), Team(team.members), options, run);
      },
      "pool"_a, "team"_a, "file"_a.none(), "words"_a, "threads"_a, "progress"_a.none());
  module.def("match_team", &members_in, "file"_a, "pool"_a,
             "The ids of the file's members in the pool.");
  module.def(
      "check_votes",
      [](const options::Words& words, const std::vector<TeamFile>& files) {
        std::vector<options::NamedTeam> teams;
        for (const TeamFile& file : files) teams.push_back({.members = {}, .file = file});
        static_cast<void>(vote_of_teams(options::read_vote_words(words), teams, false, 0));
      },
      "words"_a, "files"_a, "Refuses words that say otherwise than the files.");
  module.def(
      "temper",
      [](const Shares& shares, double temperature) {
        temper(std::span(shares.data(), shares.size()), temperature);
      },
      "shares"_a, "temperature"_a);
}

}  // namespace hqe::python
