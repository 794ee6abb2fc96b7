// SPDX-License-Identifier: MIT
/// What labels mean, as people write them: the one place that knows. Private to predictions/.

#pragma once

#include "hqe/predictions/pool.h"

namespace hqe {

/// Makes of true and predicted labels classes that count from 0, in one place for files, tables and
/// arrays in memory (spec section 1):
///
/// - text becomes classes, sorted and named, or those that `class_names` names;
/// - floats that are whole numbers are labels; other vectors of floats in [0,1] are P(class 1)
///   where there are two classes, and become 1 - p and p;
/// - true labels -1 and 1, and no other, are two classes; elsewhere -1 abstains;
/// - labels that do not begin at 0, such as 1..C or 10..19, are classes named by their numbers;
/// - where names_are_labels, labels are looked up among the names, whichever occur.
///
/// What occurs `elsewhere` counts as if it stood in these rows, too.
///
/// What is otherwise is left for make_pool() to check. Labels that change are copied: 1 or 4 bytes
/// each, shares 8 or 16. Throws InputError for text beside numbers, for words that are no class,
/// and for a model whose classes are plainly off by one.
void settle_labels(PoolParts& parts);

}  // namespace hqe
