// SPDX-License-Identifier: MIT
#include "hqe/report/serving_text.h"

#include <fmt/format.h>

namespace hqe {

std::string calibration_text(const Serving& serving) {
  const CalibrationEffect& effect = serving.selection;
  if (serving.temperature == 1) {
    return fmt::format("log-loss {:.3f}, which no temperature lowers", effect.before.log_loss);
  }
  std::string text =
      fmt::format("log-loss {:.3f}, {:.3f} at temperature {:.2f}", effect.before.log_loss,
                  effect.after.log_loss, serving.temperature);
  if (serving.test) {
    text += fmt::format("; on the test pool {:.3f}, {:.3f}", serving.test->before.log_loss,
                        serving.test->after.log_loss);
  }
  return text;
}

}  // namespace hqe
