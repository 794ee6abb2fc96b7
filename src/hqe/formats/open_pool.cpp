// SPDX-License-Identifier: MIT
#include "hqe/formats/open_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/files/descriptor.h"
#include "hqe/files/mapped_file.h"
#include "hqe/formats/format.h"
#include "hqe/formats/members.h"
#include "hqe/formats/pool_toml.h"
#include "hqe/text/natural_order.h"
#include "hqe/text/nearest.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

namespace fs = std::filesystem;

std::string known_files() { return format_names(" or "); }

// A folder's files of known formats: stem -> paths, in natural order of the paths.
using FolderListing = std::map<std::string, std::vector<fs::path>>;

FolderListing list_folder(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) {
    const bool missing = error == std::errc::no_such_file_or_directory;
    const bool is_file = error == std::errc::not_a_directory;
    throw InputError(
        folder.string(), "",
        missing   ? "there is no such folder"
        : is_file ? "is a file where a pool's folder was expected"
                  : "cannot be listed: " + system_reason(error.value()),
        is_file ? message("Give the folder, or loose files together with {}", option("labels"))
                : "Check the path and its permissions");
  }
  FolderListing listing;
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    if (!name.starts_with('.') && format_of(name)) {
      listing[stem_of(name)].push_back(entries->path());
    }
  }
  if (error) {
    throw InputError(folder.string(), "", "cannot be listed: " + system_reason(error.value()), "");
  }
  for (auto& [stem, paths] : listing) std::ranges::sort(paths);
  return listing;
}

FileBytes open_known(const fs::path& path, Format& format) {
  const std::string name = path.filename().string();
  FileBytes bytes = map_file(path, fmt::format("a {} file", known_files()));
  const std::optional<Format> known = format_of(name);
  if (!known) {
    throw InputError(bytes.file, "", "not a file of a known format",
                     fmt::format("Give {}", known_files()));
  }
  format = *known;
  return bytes;
}

Array read_labels(const fs::path& path) {
  Format format{};
  const FileBytes bytes = open_known(path, format);
  return read_unchanged(bytes, [&] { return choose_labels(bytes, row_of(format).read(bytes)); });
}

ModelArrays read_model(const fs::path& path) {
  Format format{};
  const FileBytes bytes = open_known(path, format);
  return read_unchanged(bytes,
                        [&] { return choose_predictions(bytes, row_of(format).read(bytes)); });
}

const fs::path& the_only(const std::vector<fs::path>& paths, const std::string& stem) {
  if (paths.size() > 1) {
    throw InputError(paths[0].parent_path().string(), "",
                     fmt::format("both {} and {} are called {}", paths[0].filename().string(),
                                 paths[1].filename().string(), printable(stem)),
                     "Keep one of them");
  }
  return paths.front();
}

std::vector<std::pair<std::string, fs::path>> choose_models(const FolderListing& listing,
                                                            const PoolToml& toml,
                                                            const fs::path& folder) {
  std::vector<std::string> stems;
  for (const auto& [stem, paths] : listing) {
    if (stem != "labels") stems.push_back(stem);
  }
  std::ranges::sort(stems, natural_less);
  std::vector<std::pair<std::string, fs::path>> models;
  for (const std::string& name : toml.models.value_or(stems)) {
    if (name == "labels") {
      throw InputError((folder / "pool.toml").string(), "models",
                       "\"labels\" cannot be a model: labels.* are the true labels",
                       "Rename the model's file");
    }
    const auto found = listing.find(name);
    if (found == listing.end()) {
      const std::string nearest = nearest_word(name, stems);
      throw InputError(
          (folder / "pool.toml").string(), "models",
          fmt::format("the model {} has no file {}.* in the folder", printable(name), name),
          nearest.empty() ? fmt::format("Add its file ({})", known_files())
                          : fmt::format("Did you mean \"{}\"?", nearest));
    }
    models.emplace_back(name, the_only(found->second, name));
  }
  if (models.empty()) {
    throw InputError(folder.string(), "", "no predictions in this folder",
                     fmt::format("Expected one file a model ({}) beside labels.*", known_files()));
  }
  return models;
}

/// Before their files are opened: there may be very many.
void check_count(std::size_t models, const fs::path& where, const std::string& advice) {
  if (models <= static_cast<std::size_t>(max_model_count)) return;
  throw InputError(
      where.string(), "",
      fmt::format("the pool has {} models, and at most {} are possible", models, max_model_count),
      advice);
}

void apply_costs(const PoolToml& toml, PoolParts& parts, const std::string& file) {
  for (const auto& [name, costs] : toml.costs) {
    const auto model = std::ranges::find(parts.models, name, &Model::name);
    if (model == parts.models.end()) {
      std::vector<std::string> names;
      for (const Model& known : parts.models) names.push_back(known.name);
      throw InputError(file, fmt::format("[cost.{}]", name), "there is no model of that name",
                       fmt::format("Did you mean \"{}\"?", nearest_word(name, names)));
    }
    model->costs = costs;
  }
}

// Files that carry true labels, as they are found; all must say the same.
class CarriedLabels {
 public:
  void add(const Array& labels, const std::string& file) {
    if (!labels_) {
      labels_ = labels;
      file_ = file;
      return;
    }
    check_same(labels, file);
  }

  /// The labels that count: those given, or else those carried. Given labels of a folder must agree
  /// with the carried ones.
  void settle(std::optional<Array> given, const std::string& given_file, PoolParts& parts) {
    if (given && labels_) check_same(*given, given_file);
    parts.labels = given ? std::move(given) : labels_;
    parts.labels_file = parts.labels ? (given_file.empty() ? file_ : given_file) : "";
  }

 private:
  void check_same(const Array& labels, const std::string& file) const {
    if (is_float(labels.dtype) || is_float(labels_->dtype)) return;  // make_pool refuses these.
    if (labels.rows() != labels_->rows() || labels.columns() != labels_->columns()) {
      throw InputError(
          file, "labels",
          fmt::format("{} labels, but {} holds {}", labels.rows(), file_, labels_->rows()),
          message("All files must come from the same samples; {} overrides them",
                  option("labels")));
    }
    for (std::int64_t row = 0; row < labels.rows(); ++row) {
      const std::int64_t here = read_integer(labels, row);
      const std::int64_t there = read_integer(*labels_, row);
      if (here != there) {
        throw InputError(file, fmt::format("label of row {}", row),
                         fmt::format("is {}, but {} says {}", here, file_, there),
                         message("All files must hold the same samples in the same order; {} "
                                 "overrides them",
                                 option("labels")));
      }
    }
  }

  std::optional<Array> labels_;
  std::string file_;
};

// Names go to JSON and to terminals.
void check_name(const std::string& name, const fs::path& path) {
  const bool has_control = std::ranges::any_of(
      name, [](unsigned char character) { return character < 0x20 || character == 0x7F; });
  if (has_control || !is_utf8(name)) {
    throw InputError(printable(path.string()), "",
                     "the file's name holds control characters or is not UTF-8", "Rename the file");
  }
}

void read_models(const std::vector<std::pair<std::string, fs::path>>& files, bool ignore_carried,
                 CarriedLabels& carried, PoolParts& parts) {
  for (const auto& [name, path] : files) {
    check_name(name, path);
    ModelArrays arrays = read_model(path);
    if (arrays.labels && !ignore_carried) carried.add(*arrays.labels, path.string());
    parts.models.push_back({name, {}, std::move(arrays.predictions), path.string()});
    parts.files.push_back(path.string());
  }
}

/// For whoever misses them later.
void note_missing_labels(PoolParts& parts, const fs::path& where) {
  if (!parts.labels) parts.labels_file = where.string();
}

std::string folder_name(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  const std::string name = (error ? folder : whole).filename().string();
  return name.empty() ? "pool" : name;
}

PoolToml read_toml_of(const fs::path& folder, std::vector<std::string>& files) {
  const fs::path path = folder / "pool.toml";
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return {};
  files.push_back(path.string());
  const FileBytes bytes = map_file(path);
  constexpr std::size_t limit = std::size_t{16} << 20;
  if (bytes.size() > limit) {
    throw InputError(bytes.file, "", "is larger than 16 MiB", "Write only what the format knows");
  }
  return read_document(bytes, read_pool_toml);
}

PoolParts read_folder(const PoolPath& path) {
  const FolderListing listing = list_folder(path.folder);
  PoolParts parts;
  const PoolToml toml = read_toml_of(path.folder, parts.files);
  parts.name = toml.name.empty() ? folder_name(path.folder) : toml.name;
  parts.kind = path.kind ? path.kind : toml.kind;
  parts.class_names = toml.classes;
  parts.about = toml.about;
  parts.licence = toml.licence;
  parts.source = toml.source;
  const auto files = choose_models(listing, toml, path.folder);
  check_count(files.size(), path.folder,
              "List those to use in pool.toml (models = [...]), or move the others to another "
              "folder");

  fs::path labels = path.labels;
  if (const auto found = listing.find("labels"); labels.empty() && found != listing.end()) {
    labels = the_only(found->second, "labels");
  }
  if (!labels.empty()) parts.files.push_back(labels.string());
  std::optional<Array> given;
  if (!labels.empty() && parts.kind != Kind::correctness) given = read_labels(labels);
  CarriedLabels carried;
  read_models(files, !path.labels.empty() || parts.kind == Kind::correctness, carried, parts);
  carried.settle(std::move(given), labels.string(), parts);
  apply_costs(toml, parts, (path.folder / "pool.toml").string());
  note_missing_labels(parts, path.folder);
  return parts;
}

PoolParts read_loose(const PoolPath& path) {
  PoolParts parts;
  parts.kind = path.kind;
  std::vector<std::pair<std::string, fs::path>> files;
  std::map<std::string, fs::path> seen;
  check_count(path.files.size(), path.files.front(), "Give fewer files");
  for (const fs::path& file : path.files) {
    const std::string name = file.filename().string();
    const std::string stem = format_of(name) ? stem_of(name) : name;
    const auto [previous, is_new] = seen.emplace(stem, file);
    if (!is_new) {
      throw InputError(file.string(), "",
                       fmt::format("the model name {} is already taken by {}", printable(stem),
                                   previous->second.string()),
                       "Models are named by their file's stem: rename one of them");
    }
    files.emplace_back(stem, file);
  }
  if (!path.labels.empty()) parts.files.push_back(path.labels.string());
  std::optional<Array> given;
  if (!path.labels.empty() && parts.kind != Kind::correctness) given = read_labels(path.labels);
  CarriedLabels carried;
  read_models(files, !path.labels.empty() || parts.kind == Kind::correctness, carried, parts);
  carried.settle(std::move(given), path.labels.string(), parts);
  note_missing_labels(parts, path.files.front());
  return parts;
}

}  // namespace

PoolParts read_pool_parts(const PoolPath& path) {
  if (path.folder.empty() && path.files.empty()) {
    throw InputError("", "", "no pool was given",
                     message("Give a folder, or files and {}", option("labels")));
  }
  PoolParts parts = path.files.empty() ? read_folder(path) : read_loose(path);
  if (parts.models.size() == 1 && !path.single) {
    throw InputError(path.files.empty() ? path.folder.string() : path.files[0].string(), "",
                     fmt::format("one model only ({}), a pool needs at least two",
                                 printable(parts.models[0].name)),
                     fmt::format("Add predictions of other models ({})", known_files()));
  }
  return parts;
}

Pool open_pool(const PoolPath& path) { return make_pool(read_pool_parts(path)); }

}  // namespace hqe
