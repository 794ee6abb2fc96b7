// SPDX-License-Identifier: MIT
#include "hqe/archives/pickle.h"

#include <fmt/core.h>

#include <unordered_map>
#include <utility>

#include "hqe/archives/pickle_globals.h"
#include "hqe/base/error.h"
#include "hqe/files/little_endian.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

// A value takes up to about a hundred bytes of memory, an operation may push a value again.
constexpr std::size_t value_limit = std::size_t{1} << 23;
constexpr std::size_t operation_limit = std::size_t{1} << 25;

// On the machine's stack: where a run of items begins.
constexpr PickleId mark = 0xFFFFFFFF;

}  // namespace

/// The stack machine that a pickle is a program for.
class PickleMachine {
 public:
  PickleMachine(const FileBytes& bytes, Pickle& pickle) : bytes_(bytes), pickle_(pickle) {}

  void run() {
    for (std::size_t count = 0;; ++count) {
      operation_at_ = position_;
      if (count == operation_limit) refuse("more than 2^25 operations");
      const auto operation = static_cast<unsigned char>(number(1));
      if (operation == '.') break;
      if (!run_constant(operation) && !run_text(operation) && !run_container(operation) &&
          !run_memo(operation) && !run_object(operation)) {
        refuse(fmt::format("unknown operation \\x{:02x}", operation));
      }
    }
    pickle_.root_ = pop();
  }

 private:
  using Type = PickleType;

  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError(bytes_.file, fmt::format("byte {} of its pickle", operation_at_), reason,
                     "Save it again with torch.save");
  }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size() - position_) refuse("the pickle ends too early");
    const auto taken = bytes_.bytes.subspan(position_, count);
    position_ += count;
    return taken;
  }
  std::uint64_t number(std::size_t width) { return read_little_endian(take(width), width); }

  PickleId add(Type type, std::int64_t integer = 0, std::uint32_t container = 0) {
    if (pickle_.values_.size() == value_limit) refuse("more than 2^23 values");
    pickle_.values_.push_back({type, container, integer});
    return static_cast<PickleId>(pickle_.values_.size() - 1);
  }
  void push(PickleId id) { stack_.push_back(id); }
  void push_integer(std::int64_t value) { push(add(Type::integer, value)); }
  void push_text(std::string text, Type type = Type::text) {
    pickle_.texts_.push_back(std::move(text));
    push(add(type, 0, static_cast<std::uint32_t>(pickle_.texts_.size() - 1)));
  }
  void push_container(Type type, std::vector<PickleId> items) {
    pickle_.containers_.push_back(std::move(items));
    push(add(type, 0, static_cast<std::uint32_t>(pickle_.containers_.size() - 1)));
  }

  PickleId pop() {
    if (stack_.empty() || stack_.back() == mark) refuse("a value is missing");
    const PickleId id = stack_.back();
    stack_.pop_back();
    return id;
  }
  PickleId top() const {
    if (stack_.empty() || stack_.back() == mark) refuse("a value is missing");
    return stack_.back();
  }
  std::vector<PickleId> pop_many(std::size_t count) {
    std::vector<PickleId> items(count);
    while (count-- > 0) items[count] = pop();
    return items;
  }
  std::vector<PickleId> pop_to_mark() {
    std::size_t begin = stack_.size();
    while (begin > 0 && stack_[begin - 1] != mark) --begin;
    if (begin == 0) refuse("a mark is missing");
    std::vector<PickleId> items(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    stack_.resize(begin - 1);
    return items;
  }
  std::string_view pop_text() {
    const PickleId id = pop();
    if (pickle_.type(id) != Type::text) refuse("expected a text");
    return pickle_.text(id);
  }

  bool run_constant(unsigned char operation) {
    switch (operation) {
      case 0x80:  // PROTO
        if (const std::uint64_t protocol = number(1); protocol < 2 || protocol > 5) {
          refuse(fmt::format("pickle protocol {}, expected 2 to 5", protocol));
        }
        return true;
      case 0x95:  // FRAME: only a hint for readers that buffer.
        take(8);
        return true;
      case 'N':
        push(add(Type::none));
        return true;
      case 0x88:
        push(add(Type::boolean, 1));
        return true;
      case 0x89:
        push(add(Type::boolean, 0));
        return true;
      case 'J':  // BININT
        push_integer(static_cast<std::int32_t>(number(4)));
        return true;
      case 'K':  // BININT1
        push_integer(static_cast<std::int64_t>(number(1)));
        return true;
      case 'M':  // BININT2
        push_integer(static_cast<std::int64_t>(number(2)));
        return true;
      case 0x8a:  // LONG1
        push_long(number(1));
        return true;
      case 0x8b:  // LONG4
        push_long(number(4));
        return true;
      case 'G':  // BINFLOAT: nothing we look for is a float.
        take(8);
        push(add(Type::number));
        return true;
      default:
        return false;
    }
  }

  // A two's complement number of `width` bytes.
  void push_long(std::uint64_t width) {
    const auto digits = take(width);
    if (width > 8) {
      push(add(Type::big_integer));
      return;
    }
    std::uint64_t value = read_little_endian(digits, width);
    if (width > 0 && width < 8 && (value >> (8 * width - 1)) != 0) {
      value |= ~std::uint64_t{0} << (8 * width);
    }
    push_integer(static_cast<std::int64_t>(value));
  }

  bool run_text(unsigned char operation) {
    std::uint64_t length = 0;
    switch (operation) {
      case 0x8c:  // SHORT_BINUNICODE
      case 'C':   // SHORT_BINBYTES
      case 'U':   // SHORT_BINSTRING
        length = number(1);
        break;
      case 'X':  // BINUNICODE
      case 'B':  // BINBYTES
      case 'T':  // BINSTRING
        length = number(4);
        break;
      case 0x8d:  // BINUNICODE8
      case 0x8e:  // BINBYTES8
        length = number(8);
        break;
      default:
        return false;
    }
    const auto bytes = take(length);
    push_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return true;
  }

  bool run_container(unsigned char operation) {
    switch (operation) {
      case '(':
        stack_.push_back(mark);
        return true;
      case ')':
        push_container(Type::tuple, {});
        return true;
      case 't':
        push_container(Type::tuple, pop_to_mark());
        return true;
      case 0x85:
      case 0x86:
      case 0x87:
        push_container(Type::tuple, pop_many(operation - 0x84U));
        return true;
      case ']':
        push_container(Type::list, {});
        return true;
      case 'l':
        push_container(Type::list, pop_to_mark());
        return true;
      case '}':
        push_container(Type::dict, {});
        return true;
      case 'd':
        push_container(Type::dict, check_pairs(pop_to_mark()));
        return true;
      case 'a':
        extend(Type::list, pop_many(1));
        return true;
      case 'e':
        extend(Type::list, pop_to_mark());
        return true;
      case 's':
        extend(Type::dict, pop_many(2));
        return true;
      case 'u':
        extend(Type::dict, check_pairs(pop_to_mark()));
        return true;
      default:
        return false;
    }
  }

  std::vector<PickleId> check_pairs(std::vector<PickleId> items) const {
    if (items.size() % 2 != 0) refuse("a key without a value");
    return items;
  }

  void extend(Type type, const std::vector<PickleId>& items) {
    const PickleId id = top();
    if (pickle_.type(id) != type) refuse("items for what is no container");
    auto& container = pickle_.containers_[pickle_.values_[id].container];
    container.insert(container.end(), items.begin(), items.end());
  }

  bool run_memo(unsigned char operation) {
    switch (operation) {
      case 'q':
        memo_[number(1)] = top();
        return true;
      case 'r':
        memo_[number(4)] = top();
        return true;
      case 0x94:  // MEMOIZE
        memo_.emplace(memo_.size(), top());
        return true;
      case 'h':
        push_memo(number(1));
        return true;
      case 'j':
        push_memo(number(4));
        return true;
      case '0':  // POP
        pop();
        return true;
      case '1':  // POP_MARK
        pop_to_mark();
        return true;
      case '2':  // DUP
        push(top());
        return true;
      default:
        return false;
    }
  }

  void push_memo(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) refuse(fmt::format("the memo {} was never set", key));
    push(found->second);
  }

  bool run_object(unsigned char operation) {
    switch (operation) {
      case 'c': {  // GLOBAL
        const std::string module(take_line());
        push_global(module, take_line());
        return true;
      }
      case 0x93: {  // STACK_GLOBAL
        const std::string name(pop_text());
        const std::string module(pop_text());
        push_global(module, name);
        return true;
      }
      case 'Q':  // BINPERSID
        push_container(Type::persistent, pop_many(1));
        return true;
      case 'R':  // REDUCE
        reduce();
        return true;
      case 'b':  // BUILD: an OrderedDict may carry attributes, which do not concern us.
        pop();
        if (pickle_.type(top()) != Type::dict) refuse("an object with a state of its own");
        return true;
      default:
        return false;
    }
  }

  std::string_view take_line() {
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.bytes.data()) + position_,
                                bytes_.size() - position_);
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) refuse("a name does not end");
    position_ += end + 1;
    return rest.substr(0, end);
  }

  void push_global(const std::string& module, std::string_view name) {
    std::string whole = module + "." + std::string(name);
    if (!is_known_global(whole)) {
      throw InputError(bytes_.file, fmt::format("byte {} of its pickle", operation_at_),
                       fmt::format("refers to the Python object {}, which is not part of a plain "
                                   "tensor; it was not loaded",
                                   printable(whole)),
                       "Save plain tensors only, e.g. torch.save({'predictionVectors': p, "
                       "'labelVectors': y}, path)");
    }
    push_text(std::move(whole), Type::global);
  }

  void reduce() {
    std::vector<PickleId> call = pop_many(2);
    if (pickle_.type(call[0]) != Type::global || pickle_.type(call[1]) != Type::tuple) {
      refuse("a call of what is no function");
    }
    if (pickle_.text(call[0]) == "collections.OrderedDict") {
      if (!pickle_.items(call[1]).empty()) refuse("an OrderedDict with arguments");
      push_container(Type::dict, {});
      return;
    }
    push_container(Type::call, std::move(call));
  }

  const FileBytes& bytes_;
  Pickle& pickle_;
  std::size_t position_ = 0;
  std::size_t operation_at_ = 0;
  std::vector<PickleId> stack_;
  std::unordered_map<std::uint64_t, PickleId> memo_;
};

Pickle::Pickle(const FileBytes& bytes) { PickleMachine(bytes, *this).run(); }

std::string_view Pickle::text(PickleId id) const {
  const Value& value = values_[id];
  if (value.type != PickleType::text && value.type != PickleType::global) return {};
  return texts_[value.container];
}

std::span<const PickleId> Pickle::items(PickleId id) const {
  switch (values_[id].type) {
    case PickleType::tuple:
    case PickleType::list:
    case PickleType::dict:
    case PickleType::call:
    case PickleType::persistent:
      return containers_[values_[id].container];
    default:
      return {};
  }
}

}  // namespace hqe
