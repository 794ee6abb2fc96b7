// SPDX-License-Identifier: MIT
#include "hqe/predictions/pool.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/formats/open_pool.h"
#include "hqe/predictions/detect.h"
#include "options/words.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

/// `type` is a letter and a size as in NumPy's array interface ("f4"), or "bf2" for bfloat16.
DType parse_type(const std::string& type) {
  static const std::map<std::string, DType> types{
      {"b1", DType::boolean},  {"i1", DType::int8},    {"i2", DType::int16},
      {"i4", DType::int32},    {"i8", DType::int64},   {"u1", DType::uint8},
      {"u2", DType::uint16},   {"u4", DType::uint32},  {"u8", DType::uint64},
      {"f2", DType::float16},  {"f4", DType::float32}, {"f8", DType::float64},
      {"bf2", DType::bfloat16}};
  const auto found = types.find(type);
  if (found == types.end()) {
    throw InputError("", "", "arrays of type '" + type + "' are not supported",
                     "Give integers, booleans or floats");
  }
  return found->second;
}

Array make_array(std::uintptr_t address, const std::string& type, bool byte_swapped,
                 const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                 nb::object owner, std::optional<std::vector<std::string>> words) {
  if (shape.empty() || shape.size() > 2 || strides.size() != shape.size()) {
    throw InputError("", "", "an array of " + std::to_string(shape.size()) + " dimensions",
                     "Give one of 1 dimension (labels) or 2 (samples x classes) a model");
  }
  Array array;
  array.dtype = parse_type(type);
  array.byte_swapped = byte_swapped;
  array.rank = static_cast<int>(shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    array.shape[axis] = shape[axis];
    array.strides[axis] = strides[axis];
  }
  array.data = reinterpret_cast<const std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
  array.owner = keep_alive(std::move(owner));
  if (words) {
    array.words = std::make_shared<const std::vector<std::string>>(std::move(*words));
  }
  return array;
}

std::optional<Kind> kind_or_nothing(const std::optional<std::string>& word) {
  if (!word) return std::nullopt;
  return options::parse_choice("kind", *word, all_kinds);
}

Pool pool_from_arrays(const std::vector<std::string>& names, const std::vector<Array>& predictions,
                      const std::optional<Array>& labels, const std::optional<std::string>& kind,
                      const std::map<std::string, std::map<std::string, double>>& costs,
                      const std::vector<std::string>& classes, const std::string& name,
                      bool has_names, const std::vector<std::string>& places,
                      const std::string& labels_place) {
  PoolParts parts;
  parts.has_names = has_names;
  parts.name = name;
  parts.kind = kind_or_nothing(kind);
  parts.labels = labels;
  parts.labels_file = labels_place;
  parts.class_names = classes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Model model;
    model.name = names[i];
    model.file = places[i];
    model.predictions = predictions[i];
    if (const auto known = costs.find(names[i]); known != costs.end()) {
      model.costs = parse_costs(names[i], known->second);
    }
    parts.models.push_back(std::move(model));
  }
  return make_pool(std::move(parts));
}

PoolPath path_of(const std::string& folder, const std::vector<std::string>& files,
                 const std::optional<std::string>& labels) {
  PoolPath path;
  path.folder = folder;
  for (const std::string& file : files) path.files.emplace_back(file);
  if (labels) path.labels = *labels;
  return path;
}

Pool open(const std::string& folder, const std::vector<std::string>& files,
          const std::optional<std::string>& labels, const std::optional<std::string>& kind,
          std::optional<ShownLabels> elsewhere) {
  PoolPath path = path_of(folder, files, labels);
  path.kind = kind_or_nothing(kind);
  return open_pool(path, std::move(elsewhere));
}

/// How many rows files have, and what these show of labels.
std::pair<std::int64_t, ShownLabels> rows_of(const std::string& folder,
                                             const std::vector<std::string>& files,
                                             const std::optional<std::string>& labels,
                                             const std::optional<std::string>& kind) {
  PoolPath path = path_of(folder, files, labels);
  path.kind = kind_or_nothing(kind);
  const PoolParts parts = read_pool_parts(path);
  return {parts.labels ? parts.labels->rows() : parts.models.front().predictions.rows(),
          shown_labels(parts)};
}

/// The kind that the files themselves declare.
std::optional<std::string> declared_kind(const std::string& folder,
                                         const std::vector<std::string>& files,
                                         const std::optional<std::string>& labels) {
  const std::optional<Kind> kind = read_pool_parts(path_of(folder, files, labels)).kind;
  return kind ? std::optional(std::string(to_string(*kind))) : std::nullopt;
}

std::vector<bool> logits_of(const Pool& pool, int threads) {
  if (!has_scores(pool.kind) || pool.digest) return {};
  return without_gil(threads, nb::none(),
                     [&](const Run& run) { return hold_logits(pool.models, run); });
}

}  // namespace

ModelCosts parse_costs(const std::string& model, const std::map<std::string, double>& values) {
  ModelCosts costs;
  for (const auto& [word, value] : values) {
    if (!std::isfinite(value) || value < 0) {
      throw InputError("costs", model, word + " is not a finite number of at least 0", "");
    }
    if (word == "lipschitz") {
      costs.lipschitz = value;
    } else if (word == "lipschitz_radius") {
      costs.lipschitz_radius = value;
    } else if (word == "lipschitz_estimated") {
      costs.lipschitz_estimated = value != 0;
    } else if (const auto cost = parse_cost(word)) {
      costs[*cost] = value;
    } else {
      throw InputError("costs", model, "unknown cost '" + word + "'",
                       "Known are " + options::words_of(all_costs) +
                           ", lipschitz, lipschitz_radius, lipschitz_estimated");
    }
  }
  return costs;
}

void bind_pool(nb::module_& module) {
  nb::class_<Array>(module, "Array", "Somebody else's numbers, where they lie.")
      .def_prop_ro("shape", [](const Array& array) { return array.shape; });
  module.def("make_array", &make_array, "address"_a, "type"_a, "byte_swapped"_a, "shape"_a,
             "strides"_a, "owner"_a, "words"_a.none());
  module.def("pool_from_arrays", &pool_from_arrays, "names"_a, "predictions"_a, "labels"_a.none(),
             "kind"_a.none(), "costs"_a, "classes"_a, "name"_a, "has_names"_a, "places"_a,
             "labels_place"_a);
  nb::class_<ShownLabels>(module, "ShownLabels", "What rows of a pool show of its labels.")
      .def(nb::init<>())
      .def_rw("truth", &ShownLabels::truth)
      .def_rw("predicted", &ShownLabels::predicted)
      .def_rw("words", &ShownLabels::words)
      .def_rw("has_fractions", &ShownLabels::has_fractions)
      .def_rw("has_others", &ShownLabels::has_others);
  module.def("open_pool", &open, "folder"_a, "files"_a, "labels"_a.none(), "kind"_a.none(),
             "elsewhere"_a.none() = nb::none(), nb::call_guard<nb::gil_scoped_release>());
  module.def("rows_of", &rows_of, "folder"_a, "files"_a, "labels"_a.none(), "kind"_a.none(),
             nb::call_guard<nb::gil_scoped_release>());
  module.def("declared_kind", &declared_kind, "folder"_a, "files"_a, "labels"_a.none(),
             nb::call_guard<nb::gil_scoped_release>());
  module.def("hold_logits", &logits_of, "pool"_a, "threads"_a,
             "Whether each model of scores holds a value outside [0,1].");

  nb::class_<Pool>(module, "Pool", "M trained models as their predictions on N samples.")
      .def_ro("name", &Pool::name)
      .def_prop_ro("kind", [](const Pool& pool) { return std::string(to_string(pool.kind)); })
      .def_ro("kind_detected", &Pool::kind_detected)
      .def_ro("has_labels", &Pool::has_labels)
      .def_ro("has_names", &Pool::has_names)
      .def_prop_ro("model_count", &Pool::model_count)
      .def_ro("sample_count", &Pool::sample_count)
      .def_ro("class_count", &Pool::class_count)
      .def_ro("class_names", &Pool::class_names)
      .def_ro("files", &Pool::files, "What the pool was read from; empty for arrays in memory.")
      .def_prop_ro("names",
                   [](const Pool& pool) {
                     std::vector<std::string> names;
                     for (const Model& model : pool.models) names.push_back(model.name);
                     return names;
                   })
      .def("find_model", [](const Pool& pool, const std::string& id_or_name) {
        return static_cast<int>(find_model(pool, id_or_name));
      });
}

}  // namespace hqe::python
