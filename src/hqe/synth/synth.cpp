// SPDX-License-Identifier: MIT
#include "hqe/synth/synth.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/files/atomic_file.h"
#include "hqe/files/npy_writer.h"
#include "hqe/synth/rows.h"
#include "hqe/synth/story.h"

namespace hqe {
namespace {

void require(bool holds, const Message& otherwise) {
  if (!holds) throw UsageError(otherwise);
}

void check(const SynthOptions& options) {
  require(options.model_count >= 1 && options.model_count <= max_model_count,
          message("{} must be 1 to {}, not {}", option("models"), max_model_count,
                  options.model_count));
  require(options.sample_count >= 1 && options.sample_count <= std::uint64_t{1} << 31,
          message("{} must be 1 to 2^31, not {}", option("samples"), options.sample_count));
  require(options.class_count >= 2 && options.class_count <= max_class_count,
          message("{} must be 2 to {}, not {}", option("classes"), max_class_count,
                  options.class_count));
  require(options.accuracy_min >= 0 && options.accuracy_min <= options.accuracy_max &&
              options.accuracy_max <= 1,
          message("{} must be a range within 0 to 1, not {} to {}", option("accuracy"),
                  options.accuracy_min, options.accuracy_max));
  require(options.correlation >= 0 && options.correlation < 1,
          message("{} must be at least 0 and below 1, not {}", option("correlation"),
                  options.correlation));
  require(options.abstain >= 0 && options.abstain <= 1 - options.accuracy_max,
          message("{} must be 0 to {}, what the most accurate model fails on, not {}",
                  option("abstain"), 1 - options.accuracy_max, options.abstain));
  require(options.abstain == 0 || options.kind == Kind::labels,
          message("{}: only models of label pools can abstain", option("abstain")));
}

/// Of all files together.
double bytes_of(const SynthOptions& options) {
  const double number = has_scores(options.kind)            ? 4.0 * options.class_count
                        : options.kind == Kind::correctness ? 1
                                                            : 4;
  return number * options.model_count * static_cast<double>(options.sample_count);
}

/// Nobody who waits for a pool means one that never ends, or that fills the disk.
void check_room(const std::filesystem::path& folder, const SynthOptions& options) {
  constexpr double gigabyte = 1e9, most_bytes = 100 * gigabyte;
  const double bytes = bytes_of(options);
  require(
      bytes <= most_bytes,
      message(
          "{}, {} and {} together make {:.3g} GB, and synth writes at most {:.0f}. Ask for fewer",
          option("models", options.model_count), option("samples", options.sample_count),
          option("classes", options.class_count), bytes / gigabyte, most_bytes / gigabyte));
  std::error_code error;
  const std::filesystem::path above = std::filesystem::absolute(folder, error).parent_path();
  const auto space = std::filesystem::space(above, error);
  if (error || bytes <= static_cast<double>(space.available)) return;
  throw UsageError(message(
      "{}: the pool would take {:.3g} GB, and {:.3g} are free. Ask for fewer {}, {} or {}, or "
      "choose another disk.",
      folder.string(), bytes / gigabyte, static_cast<double>(space.available) / gigabyte,
      option("models"), option("samples"), option("classes")));
}

std::string model_name(int model) { return fmt::format("model_{}", model); }

/// Makes the pool's files piece by piece, and hands each piece to whoever stores it.
class Maker {
 public:
  Maker(const SynthOptions& options, const Run& run)
      : options_(options), run_(run), teller_(options) {
    if (has_scores(options.kind)) rows_.emplace(options);
  }

  template <class Store>
  void make_truth(const Store& store) {
    make<std::int32_t>(1, store, [this](std::uint64_t number, std::span<std::int32_t> out) {
      Sample sample;
      teller_.tell_sample(number, sample);
      out[0] = sample.truth;
    });
  }

  template <class Store>
  void make_scores(int model, const Store& store) {
    const auto columns = static_cast<std::size_t>(options_.class_count);
    make<float>(columns, store, [this, model](std::uint64_t number, std::span<float> out) {
      thread_local Sample sample;
      thread_local SyntheticOpinion opinion;
      tell(number, model, sample, opinion);
      rows_->write(number, model, sample, opinion, out);
    });
  }

  template <class Store>
  void make_labels(int model, const Store& store) {
    make<std::int32_t>(1, store, [this, model](std::uint64_t number, std::span<std::int32_t> out) {
      thread_local Sample sample;
      thread_local SyntheticOpinion opinion;
      tell(number, model, sample, opinion);
      out[0] = label_of(sample, opinion);
    });
  }

  template <class Store>
  void make_correctness(int model, const Store& store) {
    make<std::uint8_t>(1, store, [this, model](std::uint64_t number, std::span<std::uint8_t> out) {
      thread_local Sample sample;
      thread_local SyntheticOpinion opinion;
      tell(number, model, sample, opinion);
      out[0] = opinion.truth > 0 ? 1 : 0;
    });
  }

 private:
  void tell(std::uint64_t number, int model, Sample& sample, SyntheticOpinion& opinion) const {
    teller_.tell_sample(number, sample);
    teller_.tell_opinion(number, sample, model, opinion);
  }

  /// Calls `fill(number, row)` for every sample, a piece of the file at a time, and
  /// `store(first, numbers)` for every piece.
  template <class Number, class Store, class Fill>
  void make(std::size_t columns, const Store& store, const Fill& fill) {
    constexpr std::size_t piece_bytes = std::size_t{1} << 24;
    const std::uint64_t piece =
        std::max<std::uint64_t>(piece_bytes / (columns * sizeof(Number)), 1);
    std::vector<Number> numbers;
    const Run quiet{.threads = run_.threads};
    for (std::uint64_t first = 0; first < options_.sample_count; first += piece) {
      const std::uint64_t count = std::min(piece, options_.sample_count - first);
      numbers.resize(count * columns);
      parallel_for(quiet, "", count, 256, [&](std::uint64_t begin, std::uint64_t end, int) {
        for (; begin < end; ++begin) {
          fill(first + begin, std::span(numbers).subspan(begin * columns, columns));
        }
      });
      store(std::span<const Number>(numbers));
      report(count);
    }
  }

  void report(std::uint64_t count) {
    done_ += count;
    const auto files = static_cast<std::uint64_t>(options_.model_count) + 1;
    if (run_.on_progress) {
      run_.on_progress({"writing predictions", done_, files * options_.sample_count});
    }
  }

  const SynthOptions& options_;
  const Run& run_;
  Storyteller teller_;
  std::optional<RowWriter> rows_;
  std::uint64_t done_ = 0;
};

/// Calls `put.template operator()<Number>(columns, make)` for the file of one model, where
/// `make(store)` makes it.
template <class Put>
void make_model(Maker& maker, const SynthOptions& options, int model, const Put& put) {
  switch (options.kind) {
    case Kind::probabilities:
    case Kind::logits:
      return put.template operator()<float>(
          options.class_count, [&](const auto& store) { maker.make_scores(model, store); });
    case Kind::labels:
      return put.template operator()<std::int32_t>(
          0, [&](const auto& store) { maker.make_labels(model, store); });
    case Kind::correctness:
      return put.template operator()<std::uint8_t>(
          0, [&](const auto& store) { maker.make_correctness(model, store); });
  }
}

void write_npy(const std::filesystem::path& path, DType dtype,
               const std::vector<std::int64_t>& shape, const auto& make) {
  NpyWriter writer(path, dtype, shape);
  make([&writer](const auto& numbers) { writer.write(numbers); });
  writer.commit();
}

/// An array in memory of its own.
template <class Number>
Array keep(std::uint64_t rows, int columns, const auto& make) {
  const auto numbers = std::make_shared<std::vector<Number>>();
  make([&numbers](std::span<const Number> piece) {
    numbers->insert(numbers->end(), piece.begin(), piece.end());
  });
  const std::int64_t width = std::max(columns, 1);
  const auto size = static_cast<std::int64_t>(sizeof(Number));
  return {.dtype = dtype_of<Number>(),
          .rank = columns == 0 ? 1 : 2,
          .shape = {static_cast<std::int64_t>(rows), width},
          .strides = {width * size, size},
          .data = reinterpret_cast<const std::byte*>(numbers->data()),
          .owner = numbers};
}

std::string about(const SynthOptions& options) {
  return fmt::format(
      "synthetic: accuracies {} to {}, difficulty correlated by {}, seed {}; made by hqe synth",
      options.accuracy_min, options.accuracy_max, options.correlation, options.seed);
}

std::string pool_toml(const std::string& name, const SynthOptions& options) {
  std::string models;
  for (int model = 0; model < options.model_count; ++model) {
    models += fmt::format("{}\"{}\"", model == 0 ? "" : ", ", model_name(model));
  }
  return fmt::format("name = \"{}\"\nkind = \"{}\"\nabout = \"{}\"\nmodels = [{}]\n", name,
                     to_string(options.kind), about(options), models);
}

std::string pool_name(const SynthOptions& options) {
  return fmt::format("synth-{}x{}x{}", options.model_count, options.sample_count,
                     options.class_count);
}

void make_empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw OutputError(folder.string(), "cannot make this folder: " + error.message(),
                      "Choose another one");
  }
  const bool is_empty = std::filesystem::is_empty(folder, error);
  if (error || !is_empty) {
    throw OutputError(folder.string(), "the folder is not empty",
                      "Choose a new folder, or empty this one");
  }
}

}  // namespace

void write_synthetic_pool(const std::filesystem::path& folder, const SynthOptions& options,
                          const Run& run) {
  check(options);
  check_room(folder, options);
  make_empty_folder(folder);
  Maker maker(options, run);
  const auto rows = static_cast<std::int64_t>(options.sample_count);
  if (options.kind != Kind::correctness) {
    write_npy(folder / "labels.npy", DType::int32, {rows},
              [&](const auto& store) { maker.make_truth(store); });
  }
  for (int model = 0; model < options.model_count; ++model) {
    make_model(maker, options, model, [&]<class Number>(int columns, const auto& make) {
      std::vector<std::int64_t> shape{rows};
      if (columns > 0) shape.push_back(columns);
      write_npy(folder / (model_name(model) + ".npy"), dtype_of<Number>(), shape, make);
    });
  }
  write_file(folder / "pool.toml", pool_toml(pool_name(options), options));
}

Pool synthetic_pool(const SynthOptions& options, const Run& run) {
  check(options);
  Maker maker(options, run);
  PoolParts parts;
  parts.name = pool_name(options);
  parts.kind = options.kind;
  parts.about = about(options);
  if (options.kind != Kind::correctness) {
    parts.labels = keep<std::int32_t>(options.sample_count, 0,
                                      [&](const auto& store) { maker.make_truth(store); });
  }
  for (int model = 0; model < options.model_count; ++model) {
    make_model(maker, options, model, [&]<class Number>(int columns, const auto& make) {
      parts.models.push_back({.name = model_name(model),
                              .predictions = keep<Number>(options.sample_count, columns, make)});
    });
  }
  return make_pool(std::move(parts));
}

}  // namespace hqe
