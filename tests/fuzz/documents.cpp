// SPDX-License-Identifier: MIT
#include "tests/fuzz/documents.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/csv_writer.h"
#include "hqe/documents/json.h"
#include "hqe/documents/team_json.h"
#include "hqe/pictures/plot.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/html.h"
#include "hqe/report/team_text.h"
#include "hqe/report/text.h"
#include "hqe/saved/pieces_json.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_cascade.h"
#include "tests/support/hand_made_comparison.h"
#include "tests/support/hand_made_study.h"
#include "tests/support/hostile_documents.h"
#include "tests/support/strange_pools.h"

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

void show_cascade(std::string_view text) {
  const Cascading cascading = cascade_from_json(text, "fuzz");
  static_cast<void>(report_page(cascading));
  static_cast<void>(to_text(cascading, {.by_name = true}));
  write_csv(cascading, nowhere);
  draw([&] { return plot_cascades(cascading); });
}

/// A changed document never has its checksum: what lies behind it is read with one of its own.
std::string with_own_checksum(std::string_view text) {
  auto document = DocumentJson::parse(text, nullptr, false);
  if (!document.is_object() || document.erase("checksum") == 0 || document.empty()) {
    return std::string(text);
  }
  return sealed(document.dump(-1, ' ', false, DocumentJson::error_handler_t::replace) + "\n");
}

void show_team(std::string_view text) {
  try {
    const TeamFile file = team_from_json(with_own_checksum(text), "fuzz");
    static_cast<void>(to_text(file, {.by_name = true}));
    static_cast<void>(to_json(file));
    const Voter voter(team_vote(file));
  } catch (const UsageError&) {
    // A study may recommend nothing.
  }
}

/// What pieces of answers are held against; they are put together as they were asked for.
const Pool& pool_of_pieces() {
  static const Pool pool = testing::strange_pool({.model_count = 4, .sample_count = 40});
  return pool;
}
CompareOptions asked_rounds() {
  return {.repeats = 1, .methods = {Method::random, Method::greedy_forward}, .times = false};
}
const std::vector<int> asked_sizes{2, 3};
const std::vector<double> asked_betas{0.1};

std::string make_rounds() {
  return to_json(play_rounds(pool_of_pieces(), asked_rounds(), {0, 1}, {.threads = 1}));
}

void show_rounds(std::string_view text) {
  const std::vector<Round> rounds = rounds_from_json(text, "fuzz", pool_of_pieces());
  static_cast<void>(to_json(rounds));
  static_cast<void>(to_json(compare_rounds(pool_of_pieces(), asked_rounds(), rounds)));
}

std::string make_sweep() {
  return to_json(sweep(pool_of_pieces(), asked_sizes, asked_betas, {}, {.threads = 1}));
}

void show_sweep(std::string_view text) {
  const std::vector<SweepRow> rows = sweep_rows_from_json(text, "fuzz", pool_of_pieces());
  static_cast<void>(to_json(sweep_of_rows(pool_of_pieces(), asked_sizes, asked_betas, {}, rows)));
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

/// A valid document, and the way to everything in it.
struct Valid {
  DocumentJson document;
  std::vector<DocumentJson::json_pointer> places;
};

const Valid& valid_document(const Document& document) {
  static std::map<std::string_view, Valid> made;
  Valid& valid = made[document.name];
  if (valid.places.empty()) {
    valid.document = DocumentJson::parse(document.make());
    valid.places = testing::places_in(valid.document);
  }
  return valid;
}

void remove(DocumentJson& document, const DocumentJson::json_pointer& place) {
  DocumentJson& parent = document[place.parent_pointer()];
  if (parent.is_array()) {
    parent.erase(std::stoul(place.back()));
  } else {
    parent.erase(place.back());
  }
}

/// Does one thing at one place, which an earlier edit may have taken away.
void edit(DocumentJson& document, const Valid& valid, Numbers& numbers) {
  const auto next_place = [&] { return valid.places[numbers.next(2) % valid.places.size()]; };
  const auto place = next_place();
  if (!document.contains(place)) return;
  DocumentJson& value = document[place];
  switch (numbers.next(1) % 12) {
    case 0:
      value = numbers.next(8);
      return;
    case 1:
      value = static_cast<double>(static_cast<std::int64_t>(numbers.next(8))) / 1e6;
      return;
    case 2:
      return remove(document, place);
    case 3:
      value = valid.document[next_place()];
      return;
    case 4: {
      if (!value.is_array() || value.empty()) return;
      const DocumentJson entry = value[numbers.next(1) % value.size()];
      for (std::uint64_t i = numbers.next(1); i > 0; --i) value.push_back(entry);
      return;
    }
    case 5:
      for (std::uint64_t i = numbers.next(1) % 40; i > 0; --i) {
        value = DocumentJson::array({std::move(value)});
      }
      return;
    default:
      value = DocumentJson::parse(
          testing::hostile_values[numbers.next(1) % testing::hostile_values.size()]);
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

const std::array<Document, 6>& documents() {
  static constexpr std::array all{
      Document{"study", [] { return to_json(testing::whole_study()); }, show_study},
      Document{"comparison", [] { return to_json(testing::hand_made_comparison()); },
               show_comparison},
      Document{"cascade", [] { return to_json(testing::hand_made_cascade()); }, show_cascade},
      Document{"team", [] { return to_json(team_file_of(testing::whole_study())); }, show_team},
      Document{"rounds", make_rounds, show_rounds},
      Document{"sweep", make_sweep, show_sweep},
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
  const Valid& valid = valid_document(document);
  DocumentJson changed = valid.document;
  Numbers numbers(bytes);
  // Mostly one: the first edit that is refused hides the others.
  const std::uint64_t many = numbers.next(1);
  for (std::uint64_t edits = many < 192 ? 1 : many % 4 + 2; edits > 0; --edits) {
    edit(changed, valid, numbers);
  }
  std::string text = changed.dump();
  edit_text(text, numbers);
  fuzz_bytes(document, text);
}

}  // namespace hqe::fuzz
