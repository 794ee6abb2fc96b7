// SPDX-License-Identifier: MIT
#include "tests/fuzz/documents.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/io/compare_json.h"
#include "hqe/io/csv_writer.h"
#include "hqe/io/json.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/html.h"
#include "hqe/report/plot.h"
#include "hqe/report/text.h"
#include "tests/support/hand_made_comparison.h"
#include "tests/support/hand_made_study.h"
#include "tests/support/hostile_documents.h"

namespace hqe::fuzz {
namespace {

using testing::DocumentJson;

/// A document may lack what a picture shows.
template <typename Draw>
void draw(Draw picture) {
  try {
    static_cast<void>(picture());
  } catch (const UsageError&) {
  }
}

const Sink nowhere = [](std::string_view) {};

void show_study(std::string_view text) {
  const Study study = study_from_json(text, "fuzz");
  static_cast<void>(report_page(study));
  static_cast<void>(to_text(study, {.by_name = true}));
  write_csv(study, nowhere);
  for (const Figure figure : all_figures) {
    draw([&] { return plot(study, figure); });
  }
}

void show_comparison(std::string_view text) {
  const Comparison comparison = comparison_from_json(text, "fuzz");
  static_cast<void>(report_page(comparison));
  static_cast<void>(to_text(comparison, {.by_name = true}));
  write_csv(comparison, nowhere);
  draw([&] { return plot_ranks(rank_summary(comparison)); });
}

/// The bytes of a try, one number after the other; zeros when they are used up.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  std::uint64_t next(std::size_t width) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < width && !bytes_.empty(); ++i) {
      number = number << 8 | static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
    }
    return number;
  }

 private:
  std::string_view bytes_;
};

/// Where something is to be done: a value, and what holds it.
struct Place {
  DocumentJson* parent;
  DocumentJson::iterator entry;
};

/// Goes down from the document, a byte a step; 255 stays. Nothing in an empty document.
std::optional<Place> place_in(DocumentJson& document, Numbers& numbers) {
  std::optional<Place> place;
  DocumentJson* at = &document;
  while (at->is_structured() && !at->empty()) {
    const std::uint64_t step = numbers.next(1);
    if (place && step == 255) break;
    place = Place{at, std::next(at->begin(), static_cast<std::ptrdiff_t>(step % at->size()))};
    at = &*place->entry;
  }
  return place;
}

/// Does one thing at one place.
void edit(DocumentJson& document, Numbers& numbers) {
  const auto place = place_in(document, numbers);
  if (!place) return;
  DocumentJson& value = *place->entry;
  switch (numbers.next(1) % 7) {
    case 0:
      value = DocumentJson::parse(
          testing::hostile_values[numbers.next(1) % testing::hostile_values.size()]);
      return;
    case 1:
      value = numbers.next(8);
      return;
    case 2:
      value = static_cast<double>(static_cast<std::int64_t>(numbers.next(8))) / 1e6;
      return;
    case 3:
      place->parent->erase(place->entry);
      return;
    case 4: {
      const auto other = place_in(document, numbers);
      const DocumentJson copy = *other->entry;
      value = copy;
      return;
    }
    case 5: {
      if (!value.is_array() || value.empty()) return;
      const DocumentJson entry = value[numbers.next(1) % value.size()];
      for (std::uint64_t i = numbers.next(1); i > 0; --i) value.push_back(entry);
      return;
    }
    default:
      for (std::uint64_t i = numbers.next(1) % 40; i > 0; --i) {
        value = DocumentJson::array({std::move(value)});
      }
  }
}

/// What a tree of JSON cannot hold: a name twice in an object, and some text more than once.
void edit_text(std::string& text, Numbers& numbers) {
  if (numbers.empty()) return;
  const std::size_t begin = text.find('"', numbers.next(2) % text.size());
  const std::size_t end = begin == text.npos ? begin : text.find(',', begin);
  if (end != text.npos) text.insert(end, "," + text.substr(begin, end - begin));
}

}  // namespace

const std::array<Document, 2>& documents() {
  static constexpr std::array all{
      Document{"study", [] { return to_json(testing::whole_study()); }, show_study},
      Document{"comparison", [] { return to_json(testing::hand_made_comparison()); },
               show_comparison},
  };
  return all;
}

void fuzz_bytes(const Document& document, std::string_view bytes) {
  try {
    document.show(bytes);
  } catch (const InputError&) {
  }
}

void fuzz_edits(const Document& document, std::string_view bytes) {
  static std::map<std::string_view, DocumentJson> parsed;
  DocumentJson& valid = parsed[document.name];
  if (valid.is_null()) valid = DocumentJson::parse(document.make());
  DocumentJson changed = valid;
  Numbers numbers(bytes);
  for (std::uint64_t edits = 1 + numbers.next(1) % 8; edits > 0; --edits) edit(changed, numbers);
  std::string text = changed.dump();
  edit_text(text, numbers);
  fuzz_bytes(document, text);
}

}  // namespace hqe::fuzz
