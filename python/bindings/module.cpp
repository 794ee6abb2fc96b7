// SPDX-License-Identifier: MIT
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <limits>
#include <utility>

#include "cli/progress_bar.h"
#include "hqe/base/error.h"
#include "hqe/base/version.h"
#include "hqe/bits/target.h"
#include "hqe/files/atomic_file.h"
#include "hqe/files/output_place.h"
#include "hqe/report/display.h"
#include "options/words.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

/// Raises the exception of hqe/errors.py that a C++ one stands for.
void translate(const std::exception_ptr& pointer, void*) {
  const auto raise = [](const char* name, const Error& error) {
    const nb::object type = nb::module_::import_("hqe.errors").attr(name);
    PyErr_SetString(type.ptr(), message_text(error.message().text(python_spelling())).c_str());
  };
  try {
    std::rethrow_exception(pointer);
  } catch (const InputError& error) {
    raise("InputError", error);
  } catch (const UsageError& error) {
    raise("UsageError", error);
  } catch (const OutputError& error) {
    raise("OutputError", error);
  } catch (const Cancelled& error) {
    raise("Cancelled", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

/// Hears of progress on the thread that called, which does not hold the GIL.
class Listener {
 public:
  explicit Listener(nb::object progress) {
    if (progress.is(nb::bool_(true))) {
      bar_ = std::make_unique<cli::ProgressBar>();
    } else if (!progress.is_none()) {
      callback_ = keep_alive(std::move(progress));
    }
  }

  void hear(const Progress& event) {
    if (bar_) bar_->show(event);
    // The engine reports after every range of work; Python only needs to hear of it now and then.
    const auto now = Clock::now();
    const bool is_news = callback_ && event.done == event.total;
    if (now - heard_ < std::chrono::milliseconds(50) && !is_news) return;
    heard_ = now;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callback_) return;
    (*callback_)(nb::str(event.stage.data(), event.stage.size()), event.done, event.total);
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<cli::ProgressBar> bar_;
  std::shared_ptr<nb::object> callback_;
  Clock::time_point heard_ = Clock::now();
};

}  // namespace

void check_python_signals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

nb::tuple to_tuple(TeamView team) {
  nb::list members;
  for (const ModelId model : team) members.append(static_cast<int>(model));
  return nb::tuple(members);
}

nb::list to_list(const TeamTable& teams, std::size_t first, std::size_t last) {
  nb::list result;
  for (std::size_t i = first; i < std::min(last, teams.size()); ++i) {
    result.append(to_tuple(teams[i]));
  }
  return result;
}

std::vector<ModelId> to_ids(const std::vector<int>& members) {
  std::vector<ModelId> ids;
  for (const int member : members) {
    if (member < 0 || member > std::numeric_limits<ModelId>::max()) {
      throw UsageError("there is no model " + std::to_string(member));
    }
    ids.push_back(static_cast<ModelId>(member));
  }
  return ids;
}

Team to_team(const std::vector<int>& members) { return Team(to_ids(members)); }

std::shared_ptr<nb::object> keep_alive(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* held) {
            const nb::gil_scoped_acquire gil;
            delete held;
          }};
}

Run make_run(int threads, nb::object progress) {
  Run run;
  run.threads = options::parse_threads(std::to_string(threads));
  // Runs are copied without the GIL, so they share one listener.
  run.on_progress = [listener = std::make_shared<Listener>(std::move(progress))](
                        const Progress& event) { listener->hear(event); };
  return run;
}

}  // namespace hqe::python

NB_MODULE(_core, module) {
  module.doc() = "The engine of hqe. Use the package `hqe`, not this module.";
  nb::register_exception_translator(hqe::python::translate);
  hqe::apply_target_from_environment();
  module.def("version", &hqe::version, "The version of hqe.");
  module.def("active_target", &hqe::active_target, "The SIMD target in use.");
  module.def("available_targets", &hqe::available_targets,
             "The SIMD targets this machine can use.");
  module.def("message_text", &hqe::message_text, "text"_a,
             "A stranger's text as one line for people, escaped and cut where need be.");
  module.def(
      "write_file",
      [](const std::string& path, const std::string& text, const std::vector<std::string>& inputs) {
        hqe::check_outputs({path}, inputs);
        hqe::write_file(path, text, hqe::python::check_python_signals);
      },
      "path"_a, "text"_a, "inputs"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Writes a text to a file, whole or not at all, and never over one of the inputs.");
  hqe::python::bind_pool(module);
  hqe::python::bind_options(module);
  hqe::python::bind_scale(module);
  hqe::python::bind_study(module);
  hqe::python::bind_team(module);
  hqe::python::bind_verbs(module);
  hqe::python::bind_voter(module);
}
