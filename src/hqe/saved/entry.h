// SPDX-License-Identifier: MIT
/// The values of a saved document, each checked as it is read: a document that HQE wrote is a
/// stranger's file like any other. Private: nlohmann's header is slow.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hqe/base/message.h"
#include "hqe/text/json_parser.h"

namespace hqe {

/// What a document can be: its `command`, its name for people, and the verb and option that write
/// it.
struct DocumentKind {
  std::string_view command, name, verb, option = "";
};

/// A document that is being read, and what to say where it is not what it should be.
class SavedDocument {
 public:
  /// Throws InputError where the text is no JSON, or of none of these kinds.
  SavedDocument(std::string_view text, std::string file, std::span<const DocumentKind> kinds);

  [[nodiscard]] const Json& root() const { return root_; }
  /// The command that wrote it.
  [[nodiscard]] std::string_view command() const { return command_; }

  /// Throws InputError: "FILE: consensus.teams[3].correct: `reason`. `advice`". `where` is a value
  /// of this document.
  [[noreturn]] void refuse(const Json& where, const std::string& reason) const;

 private:
  /// Refusals say from now on that it should be one of these.
  void expect(std::span<const DocumentKind> kinds);

  std::string file_, name_;
  Message advice_;
  Json root_;
  std::string_view command_;
};

/// The most that a count can be, since it counts among these: "the pool's" 5000 "samples".
struct Limit {
  std::uint64_t most = 0;
  std::string_view whose;
  std::string_view what;
};

/// One value of a document. Cheap to copy; the document must outlive it. Every member that returns
/// a value throws InputError, with the way to the entry, where the entry is another kind of value
/// or out of range. Nothing is converted: -1 is no count, 1.5 and 1e3 are no whole numbers.
class Entry {
 public:
  class List;

  explicit Entry(const SavedDocument& document) : Entry(document.root(), document) {}

  /// The value of a name; it must be there.
  [[nodiscard]] Entry at(std::string_view name) const;
  /// The same, or nothing where it is absent or null.
  [[nodiscard]] std::optional<Entry> find(std::string_view name) const;

  [[nodiscard]] bool is_text() const { return json_->is_string(); }
  [[nodiscard]] bool is_list() const { return json_->is_array(); }

  [[nodiscard]] List list() const;
  /// So many entries; `why` says what asks for them: "one a model".
  [[nodiscard]] List list_of(std::size_t size, std::string_view why) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool truth() const;
  /// least .. most.
  [[nodiscard]] int whole(int least, int most) const;
  /// 0 .. 2^53, the largest count that documents hold.
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] std::uint64_t count(const Limit& limit) const;
  /// Any 64 bits: a number, or its digits as a text where a number would not be exact.
  [[nodiscard]] std::uint64_t seed() const;
  /// Finite, as every number of JSON is.
  [[nodiscard]] double number() const;
  [[nodiscard]] double number(double least, double most) const;
  [[nodiscard]] double not_negative() const;
  /// In [0, 1].
  [[nodiscard]] double share() const { return number(0, 1); }

  /// A word that `parse` knows.
  template <typename Parse>
  [[nodiscard]] auto word(Parse parse) const {
    const auto parsed = parse(text());
    if (!parsed) refuse_value("is unknown here");
    return *parsed;
  }

  /// Throws InputError.
  [[noreturn]] void refuse(const std::string& reason) const;
  /// Throws InputError; the reason begins with the value: `25 is more than ...`.
  [[noreturn]] void refuse_value(const std::string& reason) const;

 private:
  Entry(const Json& json, const SavedDocument& document) : json_(&json), document_(&document) {}

  const Json* json_;
  const SavedDocument* document_;
};

/// The entries of a list, in order.
class Entry::List {
 public:
  class Iterator {
   public:
    Iterator(const Json* at, const SavedDocument& document) : at_(at), document_(&document) {}
    Entry operator*() const { return {*at_, *document_}; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Json* at_;
    const SavedDocument* document_;
  };

  List(const Json::array_t& entries, const SavedDocument& document)
      : entries_(&entries), document_(&document) {}

  [[nodiscard]] std::size_t size() const { return entries_->size(); }
  [[nodiscard]] bool empty() const { return entries_->empty(); }
  [[nodiscard]] Entry operator[](std::size_t place) const {
    return {(*entries_)[place], *document_};
  }
  [[nodiscard]] Iterator begin() const { return {entries_->data(), *document_}; }
  [[nodiscard]] Iterator end() const { return {entries_->data() + size(), *document_}; }

 private:
  const Json::array_t* entries_;
  const SavedDocument* document_;
};

}  // namespace hqe
