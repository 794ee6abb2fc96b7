// SPDX-License-Identifier: MIT
/// The options of synth.

#pragma once

#include "hqe/synth/synth.h"
#include "options/option.h"

namespace hqe::options {

/// They end in `options`, which must outlive the list.
void add_synth_options(OptionList& list, SynthOptions& options);

}  // namespace hqe::options
