// SPDX-License-Identifier: MIT
#include "hqe/diversity/sample_limit.h"

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"

namespace hqe {

void check_sample(const SampleOptions& options, int model_count) {
  if (options.draws < 1 || options.repeats < 1) {
    throw UsageError("a sample needs at least one draw and one repeat. Ask for 100x3, say");
  }
  // What sampled_source.cpp holds at its peak: 20 bytes a model and draw, and a bit of each model.
  constexpr double most_bytes = 1 << 30;
  const double models = model_count;
  const double bytes = models * options.repeats * options.draws * (20 + models / 8);
  if (bytes <= most_bytes) return;
  throw UsageError(
      message("{} of {} models would take {:.3g} GiB of memory, more than 1. Draw fewer, 100x3 say",
              option("sample", fmt::format("{}x{}", options.draws, options.repeats)), model_count,
              bytes / most_bytes));
}

}  // namespace hqe
