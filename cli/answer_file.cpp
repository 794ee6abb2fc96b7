// SPDX-License-Identifier: MIT
#include "cli/answer_file.h"

#include <optional>

#include "cli/session.h"
#include "hqe/base/error.h"
#include "hqe/documents/answers.h"
#include "hqe/files/atomic_file.h"
#include "hqe/files/npy_writer.h"

namespace hqe::cli {

namespace {

[[noreturn]] void refuse_scores() {
  throw UsageError(
      "--scores needs a soft or weighted vote of probabilities or logits, and a file that ends "
      "in .npy.");
}

class NpyAnswers : public AnswerFile {
 public:
  NpyAnswers(std::string path, bool scores) : path_(std::move(path)), scores_(scores) {}

  void start(const Combined& known) override {
    const auto samples = static_cast<std::int64_t>(known.pool.sample_count);
    if (!scores_) {
      file_.emplace(path_, DType::int32, std::vector{samples}, check_signals);
      return;
    }
    if (!adds_scores(known.vote, known.pool.kind)) refuse_scores();
    const std::int64_t classes = known.pool.class_count;
    file_.emplace(path_, DType::float64, std::vector{samples, classes}, check_signals);
  }

  void take(const AnswerBlock& block) override {
    scores_ ? file_->write<double>(block.scores) : file_->write<std::int32_t>(block.labels);
  }
  void finish(const Combined&) override {}
  void commit() override { file_->commit(); }
  [[nodiscard]] bool needs_scores() const override { return scores_; }

 private:
  std::string path_;
  bool scores_;
  std::optional<NpyWriter> file_;
};

class RowAnswers : public AnswerFile {
 public:
  RowAnswers(std::string path, bool is_csv) : path_(std::move(path)), is_csv_(is_csv) {}

  void start(const Combined& known) override {
    file_.emplace(path_, check_signals);
    const Sink sink = [this](std::string_view bytes) { file_->write(bytes); };
    rows_ = is_csv_ ? answers_as_csv(sink) : answers_as_json(sink);
    rows_->start(known);
  }
  void take(const AnswerBlock& block) override { rows_->take(block); }
  void finish(const Combined& combined) override { rows_->finish(combined); }
  void commit() override { file_->commit(); }
  [[nodiscard]] bool needs_scores() const override { return true; }

 private:
  std::string path_;
  bool is_csv_;
  std::optional<AtomicFile> file_;
  std::unique_ptr<AnswerConsumer> rows_;
};

}  // namespace

std::unique_ptr<AnswerFile> open_answer_file(const std::string& path, bool scores) {
  if (path.ends_with(".npy")) return std::make_unique<NpyAnswers>(path, scores);
  const bool is_csv = path.ends_with(".csv");
  if (!is_csv && !path.ends_with(".json")) {
    throw UsageError("apply needs -o FILE, a name that ends in .npy, .csv or .json.");
  }
  if (scores) refuse_scores();
  return std::make_unique<RowAnswers>(path, is_csv);
}

}  // namespace hqe::cli
