// SPDX-License-Identifier: MIT
/// A pool: M trained models as their predictions on N samples, labelled or not. Implemented in
/// pool.cpp, find_model.cpp, samples.cpp and label_meaning.cpp.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// What a model says of a sample.
enum class Kind {
  probabilities,  ///< C floats in [0,1] that sum to 1; used as they are.
  logits,         ///< C floats; the prediction is the argmax, votes use the softmax.
  labels,         ///< A class, or -1 = abstains.
  correctness,    ///< 1 = right, 0 = wrong; computed as labels with two classes, true label 1.
};

inline constexpr std::array all_kinds{Kind::probabilities, Kind::logits, Kind::labels,
                                      Kind::correctness};

[[nodiscard]] std::string_view to_string(Kind kind);
[[nodiscard]] std::optional<Kind> parse_kind(std::string_view word);

/// True for the kinds that soft votes work on.
[[nodiscard]] inline bool has_scores(Kind kind) {
  return kind == Kind::probabilities || kind == Kind::logits;
}

/// The most classes a pool may have.
inline constexpr int max_class_count = 1 << 24;

struct Model {
  std::string name;
  ModelCosts costs;
  Array predictions;
  std::string file;        ///< For error messages: where the predictions come from.
  std::size_t column = 0;  ///< Of a pool of digests: which of their models it is.
};

class Digest;  // digest.h

/// Invariants after make_pool(): at least one model, at most max_model_count, distinct names;
/// every array has sample_count rows; score pools have class_count columns of floats, the others
/// one column of integers. Values are checked by the scan (scan.h), which alone reads them all.
struct Pool {
  std::string name;
  Kind kind = Kind::labels;
  bool kind_detected = false;  ///< Not declared, but seen from the values.
  std::vector<Model> models;   ///< In id order.
  bool has_names = true;       ///< False: the models' names only count them.
  bool has_labels = true;      ///< True labels are known.
  /// N true labels, the pool's own copy; in a correctness pool all 1, without labels all 0, of
  /// stride 0.
  Array truth;
  std::uint64_t sample_count = 0;
  int class_count = 0;
  std::vector<std::string> class_names;  ///< Empty, or class_count names.
  bool names_are_labels = false;         ///< Labels as given were these names; false of digests.
  std::string about, licence, source;
  std::string labels_file;         ///< For error messages: where labels are, or are missing.
  std::vector<std::string> files;  ///< What it was read from; empty for arrays in memory.
  std::vector<Message> notes;      ///< How it was read, where that is worth saying; for warnings.
  /// Where the predictions are: those of the models then have a type and a shape, and no data. Null
  /// where they lie in the models' arrays.
  std::shared_ptr<const Digest> digest;

  /// False where scores are kept of some classes alone, those on which teams can depend.
  [[nodiscard]] bool has_every_score() const { return !digest || !has_scores(kind); }
  [[nodiscard]] int model_count() const { return static_cast<int>(models.size()); }
  [[nodiscard]] std::int32_t true_label(std::uint64_t sample) const;
  [[nodiscard]] std::string class_name(int label) const;
  /// The number of a sample where the predictions are stored: differs in a pool of samples_of().
  [[nodiscard]] std::uint64_t stored_sample(std::uint64_t sample) const;
};

/// What rows of a pool show of its labels: what labels mean depends on all of them.
struct ShownLabels {
  std::vector<std::int64_t> truth, predicted{};  ///< Different numbers, ascending; all that matter.
  std::vector<std::string> words{};              ///< True and predicted labels that are text.
  bool has_fractions = false;                    ///< A vector of floats holds one that is no label,
  bool has_others = false;                       ///< one outside [0,1].
};

/// The parts of a pool before it is known to make sense, as a reader or a Python user hands them
/// over.
struct PoolParts {
  std::string name = "pool";
  std::optional<Kind> kind;  ///< Nothing: detect it.
  std::vector<Model> models;
  bool has_names = true;        ///< False: the models' names only count them.
  std::optional<Array> labels;  ///< Nothing: unknown, or not needed where kind is correctness.
  std::vector<std::string> class_names;
  /// Names are whole numbers, and labels are these numbers; else labels are places among the names.
  bool names_are_labels = false;
  /// What rows of the same pool show that are elsewhere.
  std::optional<ShownLabels> elsewhere{};
  std::string about, licence, source;
  std::string labels_file;
  std::vector<std::string> files;
  std::vector<Message> notes;
};

/// What these rows show others, for PoolParts::elsewhere. Reads labels, and vectors of floats.
[[nodiscard]] ShownLabels shown_labels(const PoolParts& parts);

/// Makes a pool, detecting its kind where none was declared (spec section 1): 2-D floats in [0,1]
/// whose rows sum to 1 are probabilities, 2-D floats with values outside [0,1] are logits, 1-D
/// integers are labels. Labels as people write them become classes (text, 1..C, -1 and 1, whole
/// floats; vectors of P(class 1) become scores), and `notes` say what is not plain. Checks
/// everything that the invariants of Pool promise, and that each true label is a class. True labels
/// are copied. Detection looks at values only as far as it needs to; the scan verifies it. Throws
/// InputError.
[[nodiscard]] Pool make_pool(PoolParts parts);

/// Throws InputError where the pool has no true labels, saying what to add.
void check_labels(const Pool& pool);

/// Throws UsageError where the pool is a digest, which does not keep all scores that `what` needs.
void check_every_score(const Pool& pool, std::string_view what);

/// Throws InputError where a file that the pool's numbers lie in changed since it was opened. Every
/// scan and every verb ends with it, so that no result rests on such numbers.
void check_unchanged(const Pool& pool);

/// The pool with only `models`, in that order. Cheap: arrays are shared.
[[nodiscard]] Pool pool_of(const Pool& pool, TeamView models);

/// The pool with only `samples`, in that order; a sample may come several times. Cheap: arrays are
/// shared, 8 bytes a sample are added; every verb reads them where they lie. Kind and classes stay
/// those of `pool`. Messages name the rows as they are stored.
/// Throws UsageError where there is no sample or one that the pool has not.
[[nodiscard]] Pool samples_of(const Pool& pool, const std::vector<std::uint64_t>& samples);

/// The models of `wanted` by name in `pool`: their ids in `pool`, nothing where a name is missing.
[[nodiscard]] std::vector<std::optional<ModelId>> find_models(
    const Pool& pool, const std::vector<std::string>& wanted);

/// One model by id ("3") or name; an exact name wins. Throws UsageError naming the nearest names.
[[nodiscard]] ModelId find_model(const Pool& pool, std::string_view id_or_name);

}  // namespace hqe
