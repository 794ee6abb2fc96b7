// SPDX-License-Identifier: MIT
#include "hqe/formats/many_models.h"

#include <fmt/core.h>

#include <algorithm>

#include "hqe/archives/members.h"
#include "hqe/base/error.h"
#include "hqe/ensemble/team.h"
#include "hqe/files/array_in_file.h"
#include "hqe/formats/npy.h"
#include "hqe/text/natural_order.h"

namespace hqe {
namespace {

std::string numbered(std::int64_t model) { return fmt::format("model_{}", model); }

/// The first dimension of a file is its models.
void check_stack(const FileBytes& bytes, std::int64_t models) {
  if (models <= max_model_count) return;
  throw InputError(bytes.file, "",
                   fmt::format("the array has {} models along its first dimension, and at most {} "
                               "are possible",
                               models, max_model_count),
                   "Save models x samples x classes");
}

ManyModels slices_of(const FileBytes& bytes, const ArrayClaim& claim) {
  check_stack(bytes, claim.shape[0]);
  ManyModels many;
  for (std::int64_t model = 0; model < claim.shape[0]; ++model) {
    const auto size = static_cast<std::int64_t>(size_of(claim.dtype));
    const ArrayClaim slice{.dtype = claim.dtype,
                           .byte_swapped = claim.byte_swapped,
                           .shape = {claim.shape[1], claim.shape[2]},
                           .strides = {claim.strides[1], claim.strides[2]},
                           .offset = claim.offset + model * claim.strides[0] * size};
    many.models.emplace_back(numbered(model), array_in_file(bytes, slice));
  }
  return many;
}

ManyModels rows_of_models(const FileBytes& bytes, const Array& array) {
  check_stack(bytes, array.rows());
  ManyModels many;
  for (std::int64_t model = 0; model < array.rows(); ++model) {
    Array row = array;
    row.rank = 1;
    row.shape = {array.columns(), 1};
    row.strides = {array.strides[1], array.strides[1]};
    row.data += model * array.strides[0];
    many.models.emplace_back(numbered(model), row);
  }
  return many;
}

std::optional<ManyModels> stacked(const FileBytes& bytes, const std::optional<Array>& labels) {
  if (is_npy_text(bytes)) return std::nullopt;
  const ArrayClaim claim = read_npy_header(bytes);
  const std::optional<std::int64_t> size = dense_size(claim.shape, claim.dtype);
  const bool is_whole =
      size && *size > 0 && claim.offset + *size == static_cast<std::int64_t>(bytes.size());
  if (claim.shape.size() == 3 && is_whole) return slices_of(bytes, claim);
  if (claim.shape.size() != 2 || !labels) return std::nullopt;
  const bool rows_are_models = claim.shape[1] == labels->rows() && claim.shape[0] != labels->rows();
  if (!rows_are_models) return std::nullopt;
  return rows_of_models(bytes, read_npy(bytes));
}

bool is_called(const Member& member, std::string_view name) { return member.name == name; }

}  // namespace

std::optional<ManyModels> read_many_models(const FileBytes& bytes, Format format,
                                           const std::optional<Array>& labels) {
  if (format == Format::csv) return std::nullopt;
  if (format == Format::npy) return stacked(bytes, labels);
  ManyModels many;
  std::vector<Member> members = row_of(format).read(bytes);
  std::ranges::sort(members, natural_less, &Member::name);
  for (const Member& member : members) {
    if (is_called(member, "predictions") || is_called(member, "predictionVectors")) {
      return std::nullopt;
    }
    if (is_called(member, "labels") || is_called(member, "labelVectors")) {
      many.labels = member.read();
    } else {
      many.models.emplace_back(member.name, member.read());
    }
  }
  if (many.models.size() < 2) return std::nullopt;
  return many;
}

}  // namespace hqe
