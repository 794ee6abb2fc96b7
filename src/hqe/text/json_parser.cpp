// SPDX-License-Identifier: MIT
#include "hqe/text/json_parser.h"

#include <utility>
#include <vector>

#include "hqe/text/printable.h"

namespace hqe {
namespace {

/// Builds the tree as the parser goes, which itself keeps no stack of calls: so nesting is refused
/// before anything has grown with it.
class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit TreeBuilder(std::size_t max_depth) : max_depth_(max_depth) {}

  [[nodiscard]] Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& value) override { return put(std::move(value)); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [entry, is_new] =
        open_.back()->get_ref<Json::object_t&>().emplace(std::move(name), nullptr);
    if (!is_new) throw BadJson{"", "the name " + printable(entry->first) + " occurs twice"};
    named_ = &entry->second;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception&) override {
    throw BadJson{"byte " + std::to_string(byte), "this is not JSON"};
  }

 private:
  bool put(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json empty) {
    if (open_.size() == max_depth_) throw BadJson{"", "is nested too deeply"};
    open_.push_back(&place(std::move(empty)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// Nothing moves while it is open: a list grows only after what it holds last is closed.
  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_object()) return *named_ = std::move(value);
    auto& list = open_.back()->get_ref<Json::array_t&>();
    list.push_back(std::move(value));
    return list.back();
  }

  std::size_t max_depth_;
  Json root_;
  std::vector<Json*> open_;  ///< The lists and objects that are not closed yet, outermost first.
  Json* named_ = nullptr;    ///< Where the value of the last name goes.
};

}  // namespace

Json parse_json(std::string_view text, std::size_t max_depth) {
  TreeBuilder builder(max_depth);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace hqe
