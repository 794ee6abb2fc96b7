// SPDX-License-Identifier: MIT
#include "hqe/formats/open_pool.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "hqe/archives/members.h"
#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/files/descriptor.h"
#include "hqe/files/mapped_file.h"
#include "hqe/formats/carried_labels.h"
#include "hqe/formats/digest_file.h"
#include "hqe/formats/format.h"
#include "hqe/formats/many_models.h"
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

/// A model may have a folder of its own, with a file called predictions in it.
void add_subfolder(const fs::path& folder, std::vector<fs::path>& paths) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (format_of(name) && stem_of(name) == "predictions") paths.push_back(entry.path());
  }
}

FolderListing list_folder(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) {
    const bool missing = error == std::errc::no_such_file_or_directory;
    const bool is_file = error == std::errc::not_a_directory;
    const bool names_a_file = format_of(folder.filename().string()) || names_a_digest(folder);
    throw InputError(
        folder.string(), "",
        missing   ? (names_a_file ? "there is no such file" : "there is no such folder")
        : is_file ? "is a file where a pool's folder was expected"
                  : "cannot be listed: " + system_reason(error.value()),
        is_file ? message("Give the folder, or loose files together with {}", option("labels"))
                : "Check the path and its permissions");
  }
  FolderListing listing;
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    if (name.starts_with('.')) continue;
    std::vector<fs::path> inside;
    if (entries->is_directory(error)) add_subfolder(entries->path(), inside);
    if (!inside.empty()) {
      listing[name].insert(listing[name].end(), inside.begin(), inside.end());
    } else if (format_of(name)) {
      listing[stem_of(name)].push_back(entries->path());
    }
  }
  if (error) {
    throw InputError(folder.string(), "", "cannot be listed: " + system_reason(error.value()), "");
  }
  for (auto& [stem, paths] : listing) std::ranges::sort(paths);
  return listing;
}

bool is_table_of_python(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".parquet") || name.ends_with(".arrow") || name.ends_with(".feather");
}

[[noreturn]] void refuse_no_table(const fs::path& path) {
  const std::string file = path.string();
  if (is_table_of_python(path)) {
    throw InputError(file, "", "is a table that Python reads",
                     message("Read it with {}, or save it as .csv", command("read_table")));
  }
  throw InputError(file, "", "is no table: tables are .csv files", "Save it as .csv");
}

FileBytes open_known(const fs::path& path, Format& format) {
  const std::string name = path.filename().string();
  FileBytes bytes = map_file(path, fmt::format("a {} file", known_files()));
  const std::optional<Format> known = format_of(name);
  if (!known && is_table_of_python(path)) refuse_no_table(path);
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

/// False where the file is one model's.
bool add_many_models(const fs::path& path, const std::optional<Array>& labels, bool ignore_carried,
                     CarriedLabels& carried, PoolParts& parts) {
  Format format{};
  const FileBytes bytes = open_known(path, format);
  std::optional<ManyModels> many =
      read_unchanged(bytes, [&] { return read_many_models(bytes, format, labels); });
  if (!many) return false;
  for (auto& [name, array] : many->models) {
    check_name(name, path);
    parts.models.push_back(
        {name, {}, std::move(array), fmt::format("{}: {}", path.string(), printable(name))});
  }
  if (many->labels && !ignore_carried) carried.add(*many->labels, path.string());
  parts.files.push_back(path.string());
  return true;
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
  parts.names_are_labels = toml.classes_are_labels;
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
  const bool ignore_carried = !path.labels.empty() || parts.kind == Kind::correctness;
  if (files.size() > 1 ||
      !add_many_models(path.files.front(), given, ignore_carried, carried, parts)) {
    read_models(files, ignore_carried, carried, parts);
  }
  carried.settle(std::move(given), path.labels.string(), parts);
  note_missing_labels(parts, path.files.front());
  return parts;
}

/// A table, with its true labels in it or in another.
PoolParts read_table(const PoolPath& path) {
  const std::size_t most = path.labels.empty() ? 2 : 1;
  if (path.files.empty() || path.files.size() > most) {
    throw InputError(
        path.files.empty() ? path.folder.string() : path.files[most].string(), "",
        path.files.empty() ? "is no table, but columns are named" : "one file too many",
        message("A table is one .csv file, beside it at most one of true labels ({})",
                option("labels")));
  }
  for (const fs::path& file : path.files) {
    if (format_of(file.filename().string()) != Format::csv) refuse_no_table(file);
  }
  PoolParts parts =
      read_table_pool({.predictions = path.files.front(),
                       .truth = path.files.size() > 1 ? path.files.back() : path.labels,
                       .columns = path.columns,
                       .kind = path.kind});
  check_count(parts.models.size(), path.files.front(), "Name those to use");
  note_missing_labels(parts, path.files.front());
  return parts;
}

/// The digests that the path names; none: it names predictions.
std::vector<fs::path> digests_of(const PoolPath& path) {
  std::vector<fs::path> digests = path.files.empty() ? digests_in(path.folder) : path.files;
  if (std::ranges::none_of(digests, names_a_digest)) return {};
  const auto other = std::ranges::find_if_not(digests, names_a_digest);
  if (other != digests.end()) {
    throw InputError(other->string(), "", "is no digest, and others are",
                     "Give digests, or predictions");
  }
  if (!path.labels.empty() || path.kind || path.columns.any()) {
    throw InputError(digests.front().string(), "", "a digest has its true labels and its kind",
                     message("Leave {}, {} and columns out", option("labels"), option("kind")));
  }
  return digests;
}

}  // namespace

PoolParts read_pool_parts(const PoolPath& path) {
  if (path.folder.empty() && path.files.empty()) {
    throw InputError("", "", "no pool was given",
                     message("Give a folder, or files and {}", option("labels")));
  }
  PoolParts parts = path.columns.any()   ? read_table(path)
                    : path.files.empty() ? read_folder(path)
                                         : read_loose(path);
  if (parts.models.size() == 1 && !path.single) {
    throw InputError(path.files.empty() ? path.folder.string() : path.files[0].string(), "",
                     fmt::format("one model only ({}), a pool needs at least two",
                                 printable(parts.models[0].name)),
                     message("Add predictions of other models ({}); if it is a table with a column "
                             "a model, name its true labels with {}",
                             known_files(), option("label_column")));
  }
  return parts;
}

Pool open_pool(const PoolPath& path, std::optional<ShownLabels> elsewhere) {
  const std::vector<fs::path> digests = digests_of(path);
  if (digests.empty()) {
    PoolParts parts = read_pool_parts(path);
    parts.elsewhere = std::move(elsewhere);
    return make_pool(std::move(parts));
  }
  return open_digests(digests, !path.folder.empty());
}

}  // namespace hqe
