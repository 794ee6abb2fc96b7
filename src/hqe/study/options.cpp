// SPDX-License-Identifier: MIT
#include "hqe/study/options.h"

#include <algorithm>

#include "hqe/base/words.h"

namespace hqe {
namespace {

constexpr std::array by_words{Word{By::hierarchical, "hierarchical"}, Word{By::mean, "mean"}};
static_assert(have_words(all_bys, by_words));
constexpr std::array scale_words{Word{Scale::candidates, "candidates"}, Word{Scale::all, "all"}};
static_assert(have_words(all_scales, scale_words));
constexpr std::array choose_words{Word{Choose::evidence, "evidence"},
                                  Word{Choose::consensus, "consensus"}};
static_assert(have_words(all_chooses, choose_words));
constexpr std::array prefer_words{Word{Prefer::accuracy, "accuracy"}, Word{Prefer::cost, "cost"}};
static_assert(have_words(all_prefers, prefer_words));
constexpr std::array merit_words{Word{Merit::accuracy, "accuracy"},
                                 Word{Merit::balanced, "balanced"},
                                 Word{Merit::logloss, "logloss"}};
static_assert(have_words(all_merits, merit_words));

}  // namespace

int default_size(int model_count) {
  return std::max(2, std::min(HierarchicalOptions{}.desired_size, model_count / 2));
}

std::string_view to_string(By by) { return word_of(by_words, by); }

std::optional<By> parse_by(std::string_view word) { return value_of(by_words, word); }

std::string_view to_string(Scale scale) { return word_of(scale_words, scale); }

std::optional<Scale> parse_scale(std::string_view word) { return value_of(scale_words, word); }

std::string_view to_string(Choose choose) { return word_of(choose_words, choose); }

std::optional<Choose> parse_choose(std::string_view word) { return value_of(choose_words, word); }

std::string_view to_string(Prefer prefer) { return word_of(prefer_words, prefer); }

std::optional<Prefer> parse_prefer(std::string_view word) { return value_of(prefer_words, word); }

std::string_view to_string(Merit merit) { return word_of(merit_words, merit); }

std::optional<Merit> parse_merit(std::string_view word) { return value_of(merit_words, word); }

}  // namespace hqe
