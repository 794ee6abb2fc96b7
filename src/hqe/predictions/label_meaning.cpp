// SPDX-License-Identifier: MIT
#include "hqe/predictions/label_meaning.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/listed.h"
#include "hqe/predictions/columns.h"
#include "hqe/predictions/detect.h"
#include "hqe/predictions/owned_array.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::int64_t abstains = -1;

bool is_vector(const Array& array) { return array.rank == 1 || array.columns() == 1; }
bool is_float_vector(const Array& array) { return is_float(array.dtype) && is_vector(array); }
bool is_label_vector(const Array& array) { return !is_float(array.dtype) && is_vector(array); }

/// Numbers that stand for others, which took that much room.
Array in_place_of(const Array& given, Array made) {
  made.given_width = given.row_bytes_as_given();
  return made;
}

Array whole_numbers(const Array& array) {
  return in_place_of(array, owned_labels(array.rows(), std::size_t{1} << 31, [&](std::int64_t row) {
                       return static_cast<std::int32_t>(read_number(array, row));
                     }));
}

template <typename Float>
Array two_shares(const Array& array) {
  std::vector<Float> shares(static_cast<std::size_t>(array.rows()) * 2);
  for (std::int64_t row = 0; row < array.rows(); ++row) {
    const auto second = static_cast<Float>(read_number(array, row));
    shares[static_cast<std::size_t>(row) * 2] = Float{1} - second;
    shares[static_cast<std::size_t>(row) * 2 + 1] = second;
  }
  return in_place_of(array, owned_matrix(std::move(shares), 2));
}

bool are_two(const std::set<std::int64_t>& labels) {
  return labels == std::set<std::int64_t>{-1, 1};
}

class LabelMeaning {
 public:
  explicit LabelMeaning(PoolParts& parts)
      : parts_(parts), elsewhere_(parts.elsewhere.value_or(ShownLabels{})) {}

  void settle() {
    if (parts_.models.empty()) return;
    if (parts_.labels && parts_.labels->rows() > 0 && is_float_vector(*parts_.labels) &&
        look_at_floats(*parts_.labels).is_whole) {
      parts_.labels = whole_numbers(*parts_.labels);
    }
    settle_float_vectors();
    if (parts_.kind == Kind::correctness) return;
    const bool usable = !parts_.labels || (is_label_vector(*parts_.labels) && rows_fit());
    if (!usable) return;
    if (has_words()) return settle_words();
    if (parts_.names_are_labels) return settle_named_numbers();
    if (!parts_.labels || !parts_.class_names.empty()) return;
    if (is_label_vector(parts_.models.front().predictions)) {
      check_off_by_one();
      return settle_numbers();
    }
    settle_numbers_of_scores();
  }

 private:
  [[nodiscard]] bool rows_fit() const {
    return std::ranges::all_of(parts_.models, [&](const Model& model) {
      return model.predictions.rows() == parts_.labels->rows() && model.predictions.rows() > 0;
    });
  }

  // Vectors of floats.

  void settle_float_vectors() {
    std::vector<Array*> vectors;
    bool all_whole = !elsewhere_.has_fractions;
    bool all_shares = !elsewhere_.has_others;
    for (Model& model : parts_.models) {
      if (!is_float_vector(model.predictions)) continue;
      const FloatLook look = look_at_floats(model.predictions);
      all_whole = all_whole && look.is_whole;
      all_shares = all_shares && look.is_share;
      vectors.push_back(&model.predictions);
    }
    if (vectors.empty() || parts_.kind == Kind::logits) return;
    const bool are_labels = all_whole && parts_.kind != Kind::probabilities;
    const bool can_be_shares = !parts_.kind || parts_.kind == Kind::probabilities;
    if (!are_labels && !(can_be_shares && all_shares && has_two_classes())) return;
    for (Array* vector : vectors) {
      *vector = are_labels                        ? whole_numbers(*vector)
                : vector->dtype == DType::float64 ? two_shares<double>(*vector)
                                                  : two_shares<float>(*vector);
    }
  }

  [[nodiscard]] bool has_two_classes() const {
    if (!parts_.class_names.empty()) return parts_.class_names.size() == 2;
    if (!parts_.labels) return true;
    if (parts_.labels->words) {
      std::set<std::string> words(parts_.labels->words->begin(), parts_.labels->words->end());
      words.insert(elsewhere_.words.begin(), elsewhere_.words.end());
      return words.size() == 2;
    }
    if (!is_label_vector(*parts_.labels)) return false;
    const auto labels = true_labels();
    return labels && (labels->size() == 2 || (*labels->begin() >= 0 && *labels->rbegin() <= 1));
  }

  // Text.

  [[nodiscard]] bool has_words() const {
    return (parts_.labels && parts_.labels->words) ||
           std::ranges::any_of(parts_.models, [](const Model& model) {
             return model.predictions.words && is_label_vector(model.predictions);
           });
  }

  void settle_words() {
    std::set<std::string> seen(elsewhere_.words.begin(), elsewhere_.words.end());
    visit_labels([&](const Array& array, const std::string&) {
      if (array.words) seen.insert(array.words->begin(), array.words->end());
    });
    const bool are_named = !parts_.class_names.empty();
    const std::vector<std::string> classes =
        are_named ? parts_.class_names : std::vector<std::string>(seen.begin(), seen.end());
    check_words_count(classes);
    std::map<std::string, std::int32_t> places;
    for (const std::string& word : classes) {
      places.emplace(word, static_cast<std::int32_t>(places.size()));
    }
    visit_labels([&](Array& array, const std::string& file) {
      if (!array.words) {
        throw InputError(file, "", "holds numbers, and other labels are text",
                         "Give both alike: the words, or their numbers");
      }
      if (*array.words == classes) {
        array.words = nullptr;
      } else {
        array = with_places(array, places, file);
      }
    });
    parts_.class_names = classes;
  }

  void check_words_count(const std::vector<std::string>& classes) const {
    const Array& first = parts_.models.front().predictions;
    if (is_vector(first) || first.columns() == std::ssize(classes)) return;
    throw InputError(parts_.labels_file, "",
                     fmt::format("{} different words, and the predictions have {} columns",
                                 classes.size(), first.columns()),
                     "Name the classes in the order of the columns: classes = [...] in pool.toml");
  }

  [[nodiscard]] Array with_places(const Array& array,
                                  const std::map<std::string, std::int32_t>& places,
                                  const std::string& file) const {
    std::vector<std::int32_t> by_code;
    for (const std::string& word : *array.words) {
      const auto found = places.find(word);
      by_code.push_back(found == places.end() ? -1 : found->second);
    }
    return owned_labels(array.rows(), places.size(), [&](std::int64_t row) {
      const auto code = static_cast<std::size_t>(read_integer(array, row));
      if (by_code[code] >= 0) return by_code[code];
      throw InputError(file, place_of(static_cast<std::uint64_t>(array.stored_row(row))),
                       fmt::format("{} is not one of the classes that are named",
                                   printable((*array.words)[code])),
                       "Correct it, or the names of the classes");
    });
  }

  /// True labels, and predictions that are labels.
  template <typename Visit>
  void visit_labels(Visit visit) {
    if (parts_.labels) visit(*parts_.labels, parts_.labels_file);
    for (Model& model : parts_.models) {
      if (is_label_vector(model.predictions)) visit(model.predictions, file_of(model));
    }
  }

  // Numbers.

  /// Those of all rows; nothing where there are too many.
  [[nodiscard]] std::optional<std::set<std::int64_t>> true_labels() const {
    auto labels = distinct(*parts_.labels, true);
    if (labels) labels->insert(elsewhere_.truth.begin(), elsewhere_.truth.end());
    return labels;
  }

  /// The least and the largest of them.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range() const {
    const auto& others = elsewhere_.truth;
    const std::int64_t least = smallest_integer(*parts_.labels);
    const std::int64_t most = largest_integer(*parts_.labels);
    return {others.empty() ? least : std::min(least, others.front()),
            others.empty() ? most : std::max(most, others.back())};
  }

  /// Classes are called by numbers, and labels are these.
  void settle_named_numbers() {
    std::map<std::int64_t, std::int32_t> places;
    for (const std::string& name : parts_.class_names) {
      places.emplace(std::stoll(name), static_cast<std::int32_t>(places.size()));
    }
    if (parts_.labels) place(*parts_.labels, parts_.labels_file, places, false);
    for (Model& model : parts_.models) {
      if (is_label_vector(model.predictions)) {
        place(model.predictions, file_of(model), places, !places.contains(abstains));
      }
    }
  }

  void place(Array& array, const std::string& file,
             const std::map<std::int64_t, std::int32_t>& places, bool abstain) const {
    const Array given = array;
    array = in_place_of(given, owned_labels(given.rows(), places.size(), [&](std::int64_t row) {
                          const std::int64_t label = read_integer(given, row);
                          if (abstain && label == abstains) return std::int32_t{-1};
                          const auto found = places.find(label);
                          if (found != places.end()) return found->second;
                          throw InputError(
                              file, place_of(static_cast<std::uint64_t>(given.stored_row(row))),
                              fmt::format("{} is not one of the classes that are named", label),
                              "Correct it, or the names of the classes");
                        }));
  }

  void settle_numbers() {
    const auto [least, most] = range();
    if (least == 0 || most >= max_class_count) return;
    const auto truth = true_labels();
    const bool two = truth && are_two(*truth);
    if (!truth || (least < 0 && !two)) return;
    std::set<std::int64_t> classes = *truth;
    for (const std::int64_t label : elsewhere_.predicted) {
      if (!two && label == 0) return;
      if (two || label != abstains) classes.insert(label);
    }
    if (*classes.begin() < (two ? -1 : 0)) return;
    for (const Model& model : parts_.models) {
      if (!is_label_vector(model.predictions)) return;
      if (!two && smallest_class(model.predictions) == 0) return;
      const auto labels = distinct(model.predictions, two);
      // Of what is no class the scan says where it stands.
      if (!labels || (!labels->empty() && *labels->begin() < (two ? -1 : 0))) return;
      classes.insert(labels->begin(), labels->end());
    }
    if (*classes.rbegin() >= max_class_count) return;
    rename(classes, !two);
  }

  void settle_numbers_of_scores() {
    const std::int64_t columns = parts_.models.front().predictions.columns();
    // Models of several kinds are refused later, by name.
    if (!std::ranges::all_of(parts_.models, [&](const Model& model) {
          return !is_label_vector(model.predictions) && model.predictions.columns() == columns;
        })) {
      return;
    }
    const auto [least, most] = range();
    if (least >= 0 && most < columns) return;
    const auto classes = true_labels();
    if (!classes || std::ssize(*classes) != columns) return;
    rename(*classes, false);
    parts_.notes.emplace_back(
        fmt::format("the true labels are {} to {}: taken as the {} columns in this order", least,
                    most, columns));
  }

  void rename(const std::set<std::int64_t>& classes, bool abstain) {
    std::map<std::int64_t, std::int32_t> places;
    parts_.names_are_labels = true;
    for (const std::int64_t label : classes) {
      places.emplace(label, static_cast<std::int32_t>(places.size()));
      parts_.class_names.push_back(std::to_string(label));
    }
    visit_labels([&](Array& array, const std::string&) {
      const Array given = array;
      array =
          in_place_of(given, owned_labels(given.rows(), classes.size(), [&](std::int64_t row) {
                        const std::int64_t label = read_integer(given, row);
                        return abstain && label == abstains ? std::int32_t{-1} : places.at(label);
                      }));
    });
    const std::int64_t first = *classes.begin();
    if (!abstain || (first == 1 && *classes.rbegin() == std::ssize(classes))) return;
    parts_.notes.emplace_back(
        fmt::format("the labels go from {} to {} and are {} classes, which keep these names", first,
                    *classes.rbegin(), classes.size()));
  }

  /// A model that is right after adding or subtracting 1 counts its classes from elsewhere.
  void check_off_by_one() const {
    if (parts_.elsewhere) return;  // Of rows that are sorted by class a wrong model looks so.
    const std::int64_t least = smallest_integer(*parts_.labels);
    const std::int64_t most = largest_integer(*parts_.labels);
    if (least == most) return;
    for (const Model& model : parts_.models) {
      if (!is_label_vector(model.predictions)) continue;
      const std::int64_t shift = largest_integer(model.predictions) - most;
      if (shift != 1 && shift != -1) continue;
      if (smallest_integer(model.predictions) != least + shift) continue;
      check_shift(model, shift, least, most);
    }
  }

  void check_shift(const Model& model, std::int64_t shift, std::int64_t least,
                   std::int64_t most) const {
    std::int64_t right = 0;
    std::int64_t right_if_shifted = 0;
    for (std::int64_t row = 0; row < parts_.labels->rows(); ++row) {
      const std::int64_t truth = read_integer(*parts_.labels, row);
      const std::int64_t said = read_integer(model.predictions, row);
      right += said == truth ? 1 : 0;
      right_if_shifted += said - shift == truth ? 1 : 0;
    }
    if (right_if_shifted * 2 <= parts_.labels->rows() || right * 2 > right_if_shifted) return;
    throw InputError(file_of(model), "",
                     fmt::format("has the classes {} to {}, {} {} to {}: off by one", least + shift,
                                 most + shift, parts_.labels_file, least, most),
                     fmt::format("{} 1: so it is right on {} of {} samples, as it is on {}",
                                 shift == 1 ? "Subtract" : "Add", right_if_shifted,
                                 parts_.labels->rows(), right));
  }

  PoolParts& parts_;
  ShownLabels elsewhere_;
};

/// Adds what a vector shows of labels, but nothing where there are too many to name.
void add_labels(const Array& array, std::set<std::int64_t>& labels, std::set<std::string>& words) {
  if (array.words) {
    words.insert(array.words->begin(), array.words->end());
    return;
  }
  if (const auto found = distinct(array, true)) labels.insert(found->begin(), found->end());
}

}  // namespace

void settle_labels(PoolParts& parts) { LabelMeaning(parts).settle(); }

ShownLabels shown_labels(const PoolParts& parts) {
  ShownLabels shown;
  std::set<std::int64_t> truth, predicted;
  std::set<std::string> words;
  const auto look_at = [&](const Array& array, std::set<std::int64_t>& labels) {
    FloatLook look;
    if (is_float_vector(array)) {
      look = look_at_floats(array);
      if (look.is_whole) add_labels(whole_numbers(array), labels, words);
    } else if (is_label_vector(array) && (!truth.contains(0) || array.words)) {
      // Where a true label is 0, numbers that are predicted tell nothing more.
      add_labels(array, labels, words);
    }
    return look;
  };
  if (parts.labels) look_at(*parts.labels, truth);
  for (const Model& model : parts.models) {
    const FloatLook look = look_at(model.predictions, predicted);
    shown.has_fractions = shown.has_fractions || !look.is_whole;
    shown.has_others = shown.has_others || !look.is_share;
  }
  shown.truth.assign(truth.begin(), truth.end());
  shown.predicted.assign(predicted.begin(), predicted.end());
  shown.words.assign(words.begin(), words.end());
  return shown;
}

}  // namespace hqe
