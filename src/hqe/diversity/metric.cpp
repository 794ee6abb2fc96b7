// SPDX-License-Identifier: MIT
#include "hqe/diversity/metric.h"

#include <algorithm>

namespace hqe {
namespace {

char upper(char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::ck:
      return "CK";
    case Metric::bd:
      return "BD";
    case Metric::kw:
      return "KW";
    case Metric::gd:
      return "GD";
    case Metric::f_ck:
      return "F-CK";
    case Metric::f_bd:
      return "F-BD";
    case Metric::f_kw:
      return "F-KW";
    case Metric::f_gd:
      return "F-GD";
    case Metric::qs:
      return "QS";
    case Metric::cor:
      return "COR";
    case Metric::df:
      return "DF";
    case Metric::fk:
      return "FK";
    case Metric::ent:
      return "ENT";
    case Metric::diff:
      return "DIFF";
    case Metric::cfd:
      return "CFD";
  }
  return "";
}

std::optional<Metric> parse_metric(std::string_view name) {
  for (const Metric metric : all_metrics) {
    if (std::ranges::equal(name, to_string(metric), {}, upper)) return metric;
  }
  return std::nullopt;
}

bool is_focal(Metric metric) { return baseline_of(metric) != metric; }

Metric baseline_of(Metric metric) {
  switch (metric) {
    case Metric::f_ck:
      return Metric::ck;
    case Metric::f_bd:
      return Metric::bd;
    case Metric::f_kw:
      return Metric::kw;
    case Metric::f_gd:
      return Metric::gd;
    default:
      return metric;
  }
}

bool can_prune(Metric metric) {
  const Metric baseline = baseline_of(metric);
  return baseline == Metric::ck || baseline == Metric::bd || baseline == Metric::kw ||
         baseline == Metric::gd;
}

}  // namespace hqe
