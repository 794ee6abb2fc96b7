// SPDX-License-Identifier: MIT
/// A study as one self-contained page: template plus data. The page computes nothing that the
/// engine knows.

#pragma once

#include <string>
#include <string_view>

#include "hqe/methods/compare.h"
#include "hqe/study/study.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

/// The whole page. Opens from disk, asks the network for nothing, runs no script but its own,
/// whatever the names of models and classes are. A study without detail gives a page without
/// pictures of the scored teams. Its bytes depend on the study alone.
[[nodiscard]] std::string report_page(const Study& study);
/// The same of a comparison of methods.
[[nodiscard]] std::string report_page(const Comparison& comparison);
/// The same of a team's cascades.
[[nodiscard]] std::string report_page(const Cascading& cascading);

/// The page of a saved document, a study, a comparison or a cascade, of which every number was
/// checked before. `file` is for the error message. Throws InputError.
[[nodiscard]] std::string page_of_document(std::string_view json, const std::string& file);

}  // namespace hqe
