// SPDX-License-Identifier: MIT
/// Rows of tables put in the order of their ids. Private to tables/.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/tables/records.h"

namespace hqe {

/// The rows in the order of ids; of a long table model by model, in the order that `rank` gives
/// their numbers. Empty where they lie so already. Throws InputError for an id that comes twice.
[[nodiscard]] std::vector<std::int64_t> order_of_ids(const Records& records, const TableColumn& id,
                                                     const TableColumn* model,
                                                     const std::vector<std::int32_t>& rank);

/// The rows of each model of a long table. Throws InputError naming the model and the id where one
/// has a row that another lacks. Requires: the rows lie model by model, by id.
[[nodiscard]] std::int64_t rows_a_model(const Records& records, const TableColumn& id,
                                        const TableColumn& model);

/// Throws InputError where one of two tables has an id that the other lacks; of `records` the first
/// `count` rows are looked at. Requires: both are in the order of ids.
void check_same_ids(const Records& records, const TableColumn& id, std::int64_t count,
                    const Records& truth, const TableColumn& truth_id);

}  // namespace hqe
