// SPDX-License-Identifier: MIT
/// The names of the diversity metrics; higher always means more diverse.

#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace hqe {

/// CK BD KW GD and their focal forms prune pools; the rest are for `score`, baseline only.
enum class Metric { ck, bd, kw, gd, f_ck, f_bd, f_kw, f_gd, qs, cor, df, fk, ent, diff, cfd };

inline constexpr std::array all_metrics{Metric::ck,   Metric::bd,   Metric::kw,   Metric::gd,
                                        Metric::f_ck, Metric::f_bd, Metric::f_kw, Metric::f_gd,
                                        Metric::qs,   Metric::cor,  Metric::df,   Metric::fk,
                                        Metric::ent,  Metric::diff, Metric::cfd};

inline constexpr std::array focal_metrics{Metric::f_ck, Metric::f_bd, Metric::f_kw, Metric::f_gd};

/// "F-GD".
[[nodiscard]] std::string_view to_string(Metric metric);
/// Any case; nothing for an unknown name.
[[nodiscard]] std::optional<Metric> parse_metric(std::string_view name);
/// F-CK, F-BD, F-KW, F-GD.
[[nodiscard]] bool is_focal(Metric metric);
/// CK of F-CK and so on; a baseline metric is its own.
[[nodiscard]] Metric baseline_of(Metric metric);
/// True for the eight metrics that teams may be pruned by.
[[nodiscard]] bool can_prune(Metric metric);

}  // namespace hqe
