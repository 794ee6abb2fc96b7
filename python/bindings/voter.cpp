// SPDX-License-Identifier: MIT
#include "hqe/serving/voter.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/study/team_file.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

using Scores = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

TeamVote team_vote_of(const std::string& vote, const std::string& ties, int class_count,
                      bool labels, double largest_score, std::vector<double> weights,
                      std::vector<std::uint64_t> correct) {
  const auto known_vote = parse_vote(vote);
  if (!known_vote) {
    throw UsageError("there is no vote " + vote + ": " + vote_names(" or "));
  }
  const auto known_ties = parse_ties(ties);
  if (!known_ties) throw UsageError("ties go by accuracy or by label, not by " + ties);
  return {.vote = *known_vote,
          .ties = *known_ties,
          .class_count = class_count,
          .has_scores = *known_vote == Vote::soft || (*known_vote == Vote::weighted && !labels),
          .largest_score = labels ? 1 : largest_score,
          .weights = std::move(weights),
          .correct = std::move(correct)};
}

}  // namespace

void bind_voter(nb::module_& module) {
  nb::class_<Voter>(module, "Voter", "A vote that is counted member by member.")
      .def(
          "__init__",
          [](Voter* self, const std::string& vote, const std::string& ties, int class_count,
             bool labels, double largest_score, std::vector<double> weights,
             std::vector<std::uint64_t> correct) {
            new (self) Voter(team_vote_of(vote, ties, class_count, labels, largest_score,
                                          std::move(weights), std::move(correct)));
          },
          "vote"_a, "ties"_a, "class_count"_a, "labels"_a, "largest_score"_a, "weights"_a,
          "correct"_a)
      .def_static(
          "of", [](const TeamFile& file) { return Voter(team_vote(file)); }, "file"_a)
      .def("clear", &Voter::clear)
      .def(
          "add_label",
          [](Voter& voter, int member, std::int32_t label) { voter.add(member, label); },
          "member"_a, "label"_a)
      .def(
          "add_scores",
          [](Voter& voter, int member, const Scores& scores) {
            voter.add(member, std::span(scores.data(), scores.size()));
          },
          "member"_a, "scores"_a)
      .def(
          "scores",
          [](const Voter& voter, const Out& out) {
            voter.scores(std::span(out.data(), out.size()));
          },
          "out"_a)
      .def_prop_ro("is_decided", &Voter::is_decided)
      .def_prop_ro("is_complete", &Voter::is_complete)
      .def_prop_ro("added", &Voter::added)
      .def_prop_ro("answer", &Voter::answer)
      .def_prop_ro("class_count", [](const Voter& voter) { return voter.vote().class_count; });
}

}  // namespace hqe::python
