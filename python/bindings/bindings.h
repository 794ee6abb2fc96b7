// SPDX-License-Identifier: MIT
/// What the binding files share: one function a part of the module, joined by module.cpp.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/ensemble/team_table.h"

namespace hqe::python {

void bind_pool(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_scale(nanobind::module_& module);
void bind_study(nanobind::module_& module);
void bind_team(nanobind::module_& module);
void bind_verbs(nanobind::module_& module);
void bind_voter(nanobind::module_& module);

/// A team as a tuple of ids.
[[nodiscard]] nanobind::tuple to_tuple(TeamView team);

/// The teams first .. last as a list of tuples.
[[nodiscard]] nanobind::list to_list(const TeamTable& teams, std::size_t first, std::size_t last);

/// How Python writes options: "keep=", "keep=50", `size="auto"`, `budget={"params": 1e8}`.
[[nodiscard]] std::string spelled_option(const OptionName& option);

/// How Python writes commands: "hqe.inspect", "hqe.prune(pool).save(path)".
[[nodiscard]] std::string spelled_command(const CommandName& command);

/// Both.
[[nodiscard]] Spelling python_spelling();

/// Throws UsageError where an id is not one.
[[nodiscard]] std::vector<ModelId> to_ids(const std::vector<int>& members);
[[nodiscard]] Team to_team(const std::vector<int>& members);

/// As Python sees a column of T: counts and ids are signed there, since the difference of two
/// unsigned ones would wrap around.
template <typename T>
using Signed = typename std::conditional_t<std::is_unsigned_v<T>, std::make_signed<T>,
                                           std::type_identity<T>>::type;

template <typename T>
using Column = nanobind::ndarray<nanobind::numpy, const Signed<T>, nanobind::ndim<1>>;

/// A NumPy array that shares `values`; `owner` keeps them alive. Requires: unsigned values are
/// below half of their range, as counts and ids are.
template <typename T>
[[nodiscard]] Column<T> to_column(const std::vector<T>& values, nanobind::handle owner) {
  return Column<T>(reinterpret_cast<const Signed<T>*>(values.data()), {values.size()}, owner);
}

/// A NumPy array that owns `values`. The same requirement.
template <typename T>
[[nodiscard]] Column<T> to_own_column(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(
      kept, [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return to_column(*kept, owner);
}

/// Counts in 64 bits, however they are held.
template <typename T>
[[nodiscard]] Column<std::uint64_t> to_count_column(const std::vector<T>& counts) {
  return to_own_column(std::vector<std::uint64_t>(counts.begin(), counts.end()));
}

/// Keeps a Python object alive from C++. Copies may be made and dropped on any thread: only the
/// last one takes the GIL.
[[nodiscard]] std::shared_ptr<nanobind::object> keep_alive(nanobind::object object);

/// Threads and progress for a call without the GIL. `progress` is None, True for the command's
/// own bar, or a function of stage, done and total. Lets Ctrl-C through in each case.
/// Throws UsageError for a number of threads that the command refuses.
[[nodiscard]] Run make_run(int threads, nanobind::object progress);

/// Runs `work(run)` without the GIL.
template <typename Work>
auto without_gil(int threads, nanobind::object progress, Work work) {
  const Run run = make_run(threads, std::move(progress));
  const nanobind::gil_scoped_release release;
  return work(run);
}

/// Lets Ctrl-C through while a write waits, which does not hold the GIL.
void check_python_signals();

/// Costs of a model by their names. Throws InputError.
[[nodiscard]] ModelCosts parse_costs(const std::string& model,
                                     const std::map<std::string, double>& values);

}  // namespace hqe::python
