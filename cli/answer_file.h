// SPDX-License-Identifier: MIT
/// The file that apply writes while answers come.

#pragma once

#include <memory>
#include <string>

#include "hqe/verbs/apply.h"

namespace hqe::cli {

/// A consumer whose file appears under its name with commit(), whole or not at all.
class AnswerFile : public AnswerConsumer {
 public:
  virtual void commit() = 0;
  /// False where labels are all that goes there.
  [[nodiscard]] virtual bool needs_scores() const = 0;
};

/// By the end of the name: .npy of labels, or of `scores`, .csv or .json. Throws UsageError for any
/// other, and where scores are to go elsewhere than to .npy.
[[nodiscard]] std::unique_ptr<AnswerFile> open_answer_file(const std::string& path, bool scores);

}  // namespace hqe::cli
