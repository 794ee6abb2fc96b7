// SPDX-License-Identifier: MIT
#include "hqe/formats/npy.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "hqe/base/error.h"
#include "hqe/tables/vocabulary.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::string_view save_with_numpy = "Save it again with numpy.save";

struct Header {
  std::string_view dict;
  std::int64_t data_offset = 0;
};

std::uint32_t byte_at(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
}

Header find_header(const FileBytes& bytes, const std::string& place) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size());
  if (!text.starts_with(npy_magic)) {
    throw InputError(bytes.file, place,
                     fmt::format("not a .npy file: it begins with {}, expected \\x93NUMPY",
                                 printable(text.substr(0, npy_magic.size()))),
                     std::string(save_with_numpy));
  }
  if (text.size() < 12) {
    throw InputError(bytes.file, place, "the file is cut short inside its header",
                     std::string(save_with_numpy));
  }
  const std::uint32_t version = byte_at(text, 6);
  if (version < 1 || version > 3) {
    throw InputError(bytes.file, place,
                     fmt::format("version {} of the .npy format, expected 1, 2 or 3", version),
                     std::string(save_with_numpy));
  }
  std::size_t start = 10;
  std::size_t length = byte_at(text, 8) | byte_at(text, 9) << 8;
  if (version > 1) {
    start = 12;
    length |= static_cast<std::size_t>(byte_at(text, 10)) << 16 |
              static_cast<std::size_t>(byte_at(text, 11)) << 24;
  }
  if (length > npy_header_limit || length > text.size() - start) {
    throw InputError(bytes.file, place,
                     fmt::format("the header claims {} bytes, the file has {} left", length,
                                 text.size() - start),
                     std::string(save_with_numpy));
  }
  return {text.substr(start, length), static_cast<std::int64_t>(start + length)};
}

// Just enough Python to read {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const FileBytes& bytes, const std::string& place)
      : text_(text), bytes_(bytes), place_(place) {}

  struct Fields {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
  };

  Fields parse() {
    Fields fields;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      if (key == "descr") {
        if (peek() == '[') refuse_structured();
        fields.descr = parse_string();
      } else if (key == "fortran_order") {
        fields.fortran_order = parse_bool();
      } else if (key == "shape") {
        fields.shape = parse_tuple();
      } else {
        refuse(fmt::format("unknown key {}", printable(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (position_ != text_.size()) refuse("something follows the closing brace");
    return fields;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError(
        bytes_.file, place_,
        fmt::format("the .npy header is damaged at its character {}: {}", position_ + 1, reason),
        std::string(save_with_numpy));
  }
  [[noreturn]] void refuse_structured() const {
    throw InputError(bytes_.file, place_, "an array of records (structured dtype)",
                     "Save one plain array of numbers a file");
  }

  void skip_space() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n' ||
                                        text_[position_] == '\t' || text_[position_] == '\r')) {
      ++position_;
    }
  }
  char peek() {
    skip_space();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool accept(char wanted) {
    if (peek() != wanted || position_ >= text_.size()) return false;
    ++position_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) refuse(fmt::format("expected '{}'", wanted));
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }

  std::string parse_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("expected a quoted word");
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) refuse("a quoted word does not end");
    std::string word(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    return word;
  }
  bool parse_bool() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    refuse("expected True or False");
  }
  std::vector<std::int64_t> parse_tuple() {
    std::vector<std::int64_t> numbers;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::int64_t number = 0;
      const char* const begin = text_.data() + position_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
      if (error != std::errc{}) refuse("expected a size below 2^63");
      position_ += static_cast<std::size_t>(end - begin);
      if (numbers.size() == 32) refuse("more than 32 dimensions");
      numbers.push_back(number);
      accept('L');  // Python 2 wrote 3L.
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return numbers;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  const FileBytes& bytes_;
  const std::string& place_;
};

std::optional<DType> parse_type_code(std::string_view code) {
  constexpr std::pair<std::string_view, DType> codes[] = {
      {"b1", DType::boolean}, {"i1", DType::int8},    {"i2", DType::int16},
      {"i4", DType::int32},   {"i8", DType::int64},   {"u1", DType::uint8},
      {"u2", DType::uint16},  {"u4", DType::uint32},  {"u8", DType::uint64},
      {"f2", DType::float16}, {"f4", DType::float32}, {"f8", DType::float64}};
  for (const auto& [word, dtype] : codes) {
    if (word == code) return dtype;
  }
  return std::nullopt;
}

void apply_descr(const std::string& descr, ArrayClaim& claim, const FileBytes& bytes,
                 const std::string& place) {
  const char order = descr.empty() ? '\0' : descr.front();
  const bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
  const std::string_view code = std::string_view(descr).substr(has_order ? 1 : 0);
  if (code.starts_with('O')) {
    throw InputError(bytes.file, place, "an array of Python objects (object dtype)",
                     "Convert it to numbers before saving, e.g. array.astype('float32')");
  }
  std::optional<DType> dtype = parse_type_code(code);
  // NumPy has no bfloat16; the ml_dtypes package's arrives as a two-byte void with a byte order,
  // which plain voids never have.
  if (code == "V2" && (order == '<' || order == '>')) dtype = DType::bfloat16;
  if (!dtype) {
    throw InputError(bytes.file, place,
                     fmt::format("numbers of the unsupported type {}", printable(descr)),
                     "Save booleans, integers, float16, float32 or float64");
  }
  claim.dtype = *dtype;
  const bool big = order == '>';
  const bool little = order == '<';
  claim.byte_swapped = std::endian::native == std::endian::little ? big : little;
}

HeaderParser::Fields parse_fields(const Header& header, const FileBytes& bytes,
                                  const std::string& place) {
  HeaderParser::Fields fields = HeaderParser(header.dict, bytes, place).parse();
  if (!fields.descr || !fields.fortran_order || !fields.shape) {
    throw InputError(bytes.file, place,
                     "the .npy header lacks one of descr, fortran_order and shape",
                     std::string(save_with_numpy));
  }
  return fields;
}

/// How text lies in an array.
struct TextType {
  std::int64_t length = 0;  ///< Characters of one entry.
  bool is_unicode = false;  ///< Four bytes a character, else one.
  bool byte_swapped = false;

  [[nodiscard]] std::int64_t size() const { return length * (is_unicode ? 4 : 1); }
};

/// "<U5", "|S3"; nothing of other types.
std::optional<TextType> parse_text_type(std::string_view descr) {
  constexpr std::int64_t longest = 1 << 20;
  if (descr.size() < 3 || (descr[1] != 'U' && descr[1] != 'S')) return std::nullopt;
  TextType type{.length = 0, .is_unicode = descr[1] == 'U', .byte_swapped = false};
  const char order = std::endian::native == std::endian::little ? '>' : '<';
  type.byte_swapped = descr[0] == order;
  const char* const end = descr.data() + descr.size();
  const auto [stop, error] = std::from_chars(descr.data() + 2, end, type.length);
  if (error != std::errc{} || stop != end || type.length < 1 || type.length > longest) {
    return std::nullopt;
  }
  return type;
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | (point >> 18 & 0x07));
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

/// One entry, without the zeros that fill it.
std::string text_at(const std::byte* at, const TextType& type) {
  std::string text;
  if (!type.is_unicode) {
    text.assign(reinterpret_cast<const char*>(at), static_cast<std::size_t>(type.length));
  } else {
    for (std::int64_t i = 0; i < type.length; ++i) {
      std::uint32_t point = 0;
      std::memcpy(&point, at + i * 4, sizeof point);
      append_utf8(text, type.byte_swapped ? __builtin_bswap32(point) : point);
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

/// The rows of a vector of text in a file of `file_size` bytes. Throws InputError.
std::int64_t text_rows(const FileBytes& bytes, std::uint64_t file_size, const Header& header,
                       const HeaderParser::Fields& fields, const TextType& type,
                       const std::string& place) {
  const std::int64_t rows = fields.shape->size() == 1 ? fields.shape->front() : 0;
  const auto available = static_cast<std::int64_t>(file_size) - header.data_offset;
  if (rows <= 0 || available % type.size() != 0 || available / type.size() != rows) {
    throw InputError(bytes.file, place,
                     fmt::format("text of shape {}, and {} bytes behind the header",
                                 shape_text(*fields.shape), available),
                     "Save text labels as a vector, one a sample");
  }
  return rows;
}

Array read_text(const FileBytes& bytes, const Header& header, const HeaderParser::Fields& fields,
                const TextType& type, const std::string& place) {
  const std::int64_t rows = text_rows(bytes, bytes.size(), header, fields, type, place);
  Vocabulary words;
  const auto codes = std::make_shared<std::vector<std::int32_t>>();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::string word =
        text_at(bytes.bytes.data() + header.data_offset + row * type.size(), type);
    const auto code = words.number_of(word, most_words);
    if (!code || !is_utf8(word)) {
      throw InputError(bytes.file, place,
                       code ? fmt::format("{} is not UTF-8", printable(word))
                            : "more than 2^20 different words, which are no labels",
                       "Save text labels");
    }
    codes->push_back(*code);
  }
  return {.dtype = DType::int32,
          .shape = {rows, 1},
          .strides = {sizeof(std::int32_t), sizeof(std::int32_t)},
          .data = reinterpret_cast<const std::byte*>(codes->data()),
          .owner = codes,
          .witness = bytes.witness,
          .words = std::make_shared<const std::vector<std::string>>(words.words())};
}

}  // namespace

bool is_npy_text(const FileBytes& bytes, const std::string& place) {
  const Header header = find_header(bytes, place);
  return parse_text_type(*parse_fields(header, bytes, place).descr).has_value();
}

void check_npy_text_size(const FileBytes& bytes, std::uint64_t size, const std::string& place) {
  const Header header = find_header(bytes, place);
  const HeaderParser::Fields fields = parse_fields(header, bytes, place);
  static_cast<void>(text_rows(bytes, size, header, fields, *parse_text_type(*fields.descr), place));
}

ArrayClaim read_npy_header(const FileBytes& bytes, const std::string& place) {
  const Header header = find_header(bytes, place);
  const HeaderParser::Fields fields = parse_fields(header, bytes, place);
  ArrayClaim claim;
  apply_descr(*fields.descr, claim, bytes, place);
  claim.shape = *fields.shape;
  claim.strides = dense_strides(claim.shape, *fields.fortran_order);
  claim.offset = header.data_offset;
  return claim;
}

Array read_npy(const FileBytes& bytes, const std::string& place) {
  const Header header = find_header(bytes, place);
  const HeaderParser::Fields fields = parse_fields(header, bytes, place);
  if (const auto type = parse_text_type(*fields.descr)) {
    return read_text(bytes, header, fields, *type, place);
  }
  const ArrayClaim claim = read_npy_header(bytes, place);
  Array array = array_in_file(bytes, claim, place);
  const std::int64_t end = claim.offset + *dense_size(claim.shape, claim.dtype);
  if (end != static_cast<std::int64_t>(bytes.size())) {
    throw InputError(
        bytes.file, place,
        fmt::format("{} bytes follow the array of shape {}",
                    static_cast<std::int64_t>(bytes.size()) - end, shape_text(claim.shape)),
        "Save one array a file");
  }
  return array;
}

}  // namespace hqe
