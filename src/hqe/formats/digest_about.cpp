// SPDX-License-Identifier: MIT
#include "hqe/formats/digest_about.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/limits.h"
#include "hqe/text/json_parser.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

/// Reads the document, and says what is wrong with it where.
class AboutReader {
 public:
  AboutReader(std::string_view text, const std::string& file) : file_(file) {
    constexpr std::size_t max_depth = 4;
    try {
      document_ = parse_json(text, max_depth);
    } catch (const BadJson& problem) {
      refuse(problem.place, problem.reason);
    }
    if (!document_.is_object()) refuse("", "is not a JSON object");
  }

  DigestAbout read() {
    if (text(document_, "format") != "hqe.digest") refuse("format", "is not \"hqe.digest\"");
    const std::uint64_t version = count(document_, "version", 1, 1 << 30);
    if (version > 2) {
      throw InputError(
          file_, "about: version",
          fmt::format("a digest of version {}, and this hqe reads versions 1 and 2", version),
          "Use a newer hqe, or make the digest again with this one");
    }
    DigestAbout about;
    read_pool(about);
    read_models(about);
    about.shape.model_count = about.pool.model_count();
    if (document_.contains("complements")) read_complements(about);
    version == 1 ? check_complements(about.shape) : read_stored(about);
    return about;
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& reason) const {
    throw InputError(file_, key.empty() ? "about" : "about: " + key, reason,
                     "This is no digest, or it was changed: make it again from the predictions");
  }

  const Json& at(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) refuse(key, "is missing");
    return *found;
  }
  std::string text(const Json& object, const char* key) const {
    const Json& value = at(object, key);
    if (!value.is_string()) refuse(key, "is no text");
    return value.get<std::string>();
  }
  bool truth(const Json& object, const char* key) const {
    const Json& value = at(object, key);
    if (!value.is_boolean()) refuse(key, "is neither true nor false");
    return value.get<bool>();
  }
  std::uint64_t count(const Json& object, const char* key, std::uint64_t least,
                      std::uint64_t most) const {
    const Json& value = at(object, key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
        value.get<std::uint64_t>() > most) {
      refuse(key, fmt::format("is no whole number from {} to {}", least, most));
    }
    return value.get<std::uint64_t>();
  }
  std::vector<std::string> texts(const Json& object, const char* key) const {
    const Json& list = at(object, key);
    if (!list.is_array()) refuse(key, "is no list");
    std::vector<std::string> found;
    for (const Json& value : list) {
      if (!value.is_string()) refuse(key, "holds what is no text");
      found.push_back(value.get<std::string>());
    }
    return found;
  }
  std::optional<double> cost(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    const double value = found->is_number() ? found->get<double>() : -1;
    if (!(value >= 0 && std::isfinite(value))) refuse(key, "is no number of at least 0");
    return value;
  }

  void read_pool(DigestAbout& about) {
    Pool& pool = about.pool;
    pool.name = text(document_, "name");
    const auto kind = parse_kind(text(document_, "kind"));
    if (!kind) refuse("kind", "is none that is known");
    about.shape.kind = pool.kind = *kind;
    pool.kind_detected = truth(document_, "kind_detected");
    pool.has_names = truth(document_, "has_names");
    about.first_row = count(document_, "first_row", 0, max_sample_count);
    about.shape.sample_count = count(document_, "sample_count", 1, max_sample_count);
    const std::uint64_t least = has_scores(*kind) || *kind == Kind::correctness ? 2 : 1;
    const std::uint64_t most = *kind == Kind::correctness ? 2 : max_class_count;
    pool.class_count = static_cast<int>(count(document_, "class_count", least, most));
    about.shape.class_count = pool.class_count;
    pool.class_names = texts(document_, "class_names");
    if (!pool.class_names.empty() && std::ssize(pool.class_names) != pool.class_count) {
      refuse("class_names", "are not as many as there are classes");
    }
    pool.about = text(document_, "about");
    pool.licence = text(document_, "licence");
    pool.source = text(document_, "source");
    if (document_.contains("names_are_labels")) {
      about.names_are_labels = truth(document_, "names_are_labels");
    }
    read_notes(pool);
    if (document_.contains("pool_rows")) {
      about.pool_rows = count(document_, "pool_rows", about.first_row + about.shape.sample_count,
                              max_sample_count);
    }
  }

  void read_notes(Pool& pool) const {
    for (std::string& note : texts(document_, "notes")) pool.notes.emplace_back(std::move(note));
    const auto told = document_.find("note_pieces");
    if (told == document_.end()) return;
    if (!told->is_array() || told->size() != pool.notes.size()) {
      refuse("note_pieces", "is no list of as many as there are notes");
    }
    for (std::size_t i = 0; i < pool.notes.size(); ++i) {
      Message note = note_of((*told)[i]);
      if (note.text() != pool.notes[i].text()) refuse("note_pieces", "differs from the notes");
      pool.notes[i] = std::move(note);
    }
  }

  Message note_of(const Json& pieces) const {
    if (!pieces.is_array()) refuse("note_pieces", "holds what is no list");
    Message note;
    for (const Json& piece : pieces) {
      if (piece.is_string()) {
        note += piece.get<std::string>();
        continue;
      }
      if (!piece.is_object()) refuse("note_pieces", "holds neither texts nor what they name");
      note += piece.contains("command") ? Message(command_of(piece)) : Message(option_of(piece));
    }
    return note;
  }

  OptionName option_of(const Json& piece) const {
    OptionName option{.name = name(piece, "option")};
    if (piece.contains("value")) option.value = text(piece, "value");
    return option;
  }

  CommandName command_of(const Json& piece) const {
    CommandName command{.name = name(piece, "command")};
    if (piece.contains("saved")) command.is_saved = truth(piece, "saved");
    if (piece.contains("option")) command.with_option = name(piece, "option");
    return command;
  }

  std::string name(const Json& piece, const char* key) const {
    std::string name = text(piece, key);
    const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); };
    if (name.empty() || !std::ranges::all_of(name, is_letter)) refuse(key, "is no name");
    return name;
  }

  void read_models(DigestAbout& about) {
    const Json& models = at(document_, "models");
    if (!models.is_array() || models.empty() ||
        models.size() > static_cast<std::size_t>(max_model_count)) {
      refuse("models", fmt::format("is no list of 1 to {} models", max_model_count));
    }
    std::set<std::string> names;
    for (const Json& given : models) {
      if (!given.is_object()) refuse("models", "holds what is no object");
      Model model;
      model.name = text(given, "name");
      const bool is_shown = std::ranges::none_of(model.name, [](unsigned char character) {
        return character < 0x20 || character == 0x7F;
      });
      if (model.name.empty() || !is_shown || !names.insert(model.name).second) {
        refuse("models",
               fmt::format("the name {} is empty, there twice, or holds control characters",
                           printable(model.name)));
      }
      model.predictions.dtype = type_of(given, about.shape.kind, "dtype");
      for (const Cost one : all_costs) {
        model.costs[one] = cost(given, std::string(to_string(one)).c_str());
      }
      model.costs.lipschitz = cost(given, "lipschitz");
      model.costs.lipschitz_radius = cost(given, "lipschitz_radius");
      if (given.contains("lipschitz_estimated")) {
        model.costs.lipschitz_estimated = truth(given, "lipschitz_estimated");
      }
      about.shape.types.push_back(model.predictions.dtype);
      model.file = file_;
      about.pool.models.push_back(std::move(model));
    }
  }

  void read_complements(DigestAbout& about) const {
    DigestShape& shape = about.shape;
    shape.complements = truth(document_, "complements");
    if (shape.complements && (shape.kind != Kind::probabilities || shape.class_count != 2)) {
      refuse_complements();
    }
  }

  [[noreturn]] void refuse_complements() const {
    refuse("complements", "belongs to probabilities of two classes, of float32 or float64");
  }

  /// Of version 1: class 0 of every model is what class 1 leaves.
  void check_complements(const DigestShape& shape) const {
    if (shape.complements && !std::ranges::all_of(shape.types, leaves_exactly)) {
      refuse_complements();
    }
  }

  /// Of version 2: what each model's numbers are in the file.
  void read_stored(DigestAbout& about) const {
    DigestShape& shape = about.shape;
    if (has_scores(shape.kind) && !shape.complements) {
      refuse("version", "is 2, of scores that are no complements");
    }
    const Json& models = at(document_, "models");
    for (std::size_t m = 0; m < models.size(); ++m) {
      StoredNumbers stored{.dtype = type_of(models[m], shape.kind, "stored")};
      if (models[m].contains("alone")) stored.alone = truth(models[m], "alone");
      if (stored.alone && !(shape.complements && leaves_exactly(shape.types[m]))) {
        refuse_complements();
      }
      if (size_of(stored.dtype) > size_of(shape.types[m])) {
        refuse("stored", fmt::format("{} is wider than {}", to_string(stored.dtype),
                                     to_string(shape.types[m])));
      }
      shape.stored.push_back(stored);
    }
  }

  /// Whether 1 - p is a number of the type, for the other of two classes.
  static bool leaves_exactly(DType dtype) {
    return dtype == DType::float32 || dtype == DType::float64;
  }

  DType type_of(const Json& model, Kind kind, const char* key) const {
    const std::string word = text(model, key);
    for (int i = 0; i <= static_cast<int>(DType::float64); ++i) {
      const auto dtype = static_cast<DType>(i);
      if (to_string(dtype) == word && is_float(dtype) == has_scores(kind)) return dtype;
    }
    refuse(key, fmt::format("{} is no type of {}", printable(word), to_string(kind)));
  }

  const std::string& file_;
  Json document_;
};

}  // namespace

DigestAbout read_digest_about(std::string_view text, const std::string& file) {
  return AboutReader(text, file).read();
}

}  // namespace hqe
