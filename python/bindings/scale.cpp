// SPDX-License-Identifier: MIT
// Digests, and answers in pieces that are worked out elsewhere. Pieces cross as the texts that
// travel.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/digest/write_digest.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/json.h"
#include "hqe/files/output_place.h"
#include "hqe/saved/pieces_json.h"
#include "hqe/verbs/verbs.h"
#include "options/words.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

using Rows = std::optional<std::pair<std::uint64_t, std::uint64_t>>;
using Costs = std::map<std::string, std::map<std::string, double>>;

DigestSummary digest(Pool pool, const std::string& path, const Rows& rows,
                     std::optional<std::uint64_t> first_row, std::optional<std::uint64_t> pool_rows,
                     const Costs& costs, const std::optional<std::string>& kind,
                     const std::string& folder, const Run& run) {
  // What other parts of the pool showed, and this one does not; detected all the same.
  if (kind && has_scores(pool.kind)) {
    pool.kind = options::parse_choice("kind", *kind, all_kinds);
    pool.kind_detected = true;
  }
  check_outputs({path}, pool.files);
  check_not_in(path, folder);
  for (Model& model : pool.models) {
    if (const auto known = costs.find(model.name); known != costs.end()) {
      model.costs = parse_costs(model.name, known->second);
    }
  }
  DigestOptions options{.first_row = first_row, .pool_rows = pool_rows};
  if (rows) options.rows = RowRange{rows->first, rows->second};
  return write_digest(std::move(pool), path, options, run, check_python_signals);
}

/// A text of each piece, and what each is called in messages.
using Pieces = std::vector<std::pair<std::string, std::string>>;

template <typename Piece, typename Read>
std::vector<Piece> read_pieces(const Pieces& pieces, const Pool& pool, Read read) {
  std::vector<Piece> all;
  for (const auto& [name, text] : pieces) {
    std::vector<Piece> some = read(text, name, pool);
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace

void bind_scale(nb::module_& module) {
  module.def(
      "digest",
      [](const Pool& pool, const std::string& path, const Rows& rows,
         std::optional<std::uint64_t> first_row, std::optional<std::uint64_t> pool_rows,
         const Costs& costs, const std::optional<std::string>& kind, const std::string& folder,
         int threads, nb::object progress) {
        return without_gil(threads, std::move(progress), [&](const Run& run) {
          return to_json(digest(pool, path, rows, first_row, pool_rows, costs, kind, folder, run));
        });
      },
      "pool"_a, "path"_a, "rows"_a.none(), "first_row"_a.none(), "pool_rows"_a.none(), "costs"_a,
      "kind"_a.none(), "folder"_a, "threads"_a, "progress"_a.none());
  module.def("round_count", &round_count, "options"_a, "has_test"_a,
             "Rounds that a comparison has.");
  module.def(
      "play_rounds",
      [](const Pool& pool, const CompareOptions& options, const std::vector<int>& rounds,
         const std::optional<Pool>& test, int threads) {
        return without_gil(threads, nb::none(), [&](const Run& run) {
          return to_json(play_rounds(pool, options, rounds, run, test));
        });
      },
      "pool"_a, "options"_a, "rounds"_a, "test"_a.none(), "threads"_a);
  module.def(
      "compare_rounds",
      [](const Pool& pool, const CompareOptions& options, const Pieces& pieces,
         const std::optional<Pool>& test, int threads) {
        return without_gil(threads, nb::none(), [&](const Run& run) {
          return to_json(compare_rounds(
              pool, options, read_pieces<Round>(pieces, pool, rounds_from_json), run, test));
        });
      },
      "pool"_a, "options"_a, "pieces"_a, "test"_a.none(), "threads"_a);
  module.def(
      "sweep_of_rows",
      [](const Pool& pool, const std::vector<int>& sizes, const std::vector<double>& betas,
         const PruneOptions& options, const Pieces& pieces, int threads) {
        return without_gil(threads, nb::none(), [&](const Run& run) {
          return to_json(sweep_of_rows(pool, sizes, betas, options,
                                       read_pieces<SweepRow>(pieces, pool, sweep_rows_from_json),
                                       run));
        });
      },
      "pool"_a, "sizes"_a, "betas"_a, "options"_a, "pieces"_a, "threads"_a);
}

}  // namespace hqe::python
