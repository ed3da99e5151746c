#include <dlspec/reference/descriptor/text.h>

#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::reference {
namespace {

std::string print_numbers(std::span<const std::int64_t> numbers) {
  std::string text = "(";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(numbers[i]);
  }
  return text + ")";
}

std::string print_offset(const Layout& layout) {
  if (layout.byte_offset == 0) return "";
  const std::uint32_t size = item_size(layout.dtype);
  if (size != 0 && layout.byte_offset % size == 0) return "+" + std::to_string(layout.byte_offset / size);
  return "+" + std::to_string(layout.byte_offset) + "b";
}

std::string print_version(const Descriptor& descriptor) {
  switch (descriptor.generation) {
    case Generation::legacy: return "legacy";
    case Generation::bare: return "bare";
    case Generation::versioned: break;
  }
  return "v" + std::to_string(descriptor.version.major) + "." + std::to_string(descriptor.version.minor);
}

std::string print_flags(std::uint64_t flags) {
  std::string text;
  for (const flags::FlagRow& row : flags::table) {
    if ((flags & row.bit) != 0) text += " " + std::string(row.short_name);
  }
  const std::uint64_t unnamed = flags & ~flags::defined;
  if (unnamed == 0) return text;
  char digits[16];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), unnamed, 16);
  return text + " flags=0x" + std::string(digits, end);
}

// Reads from left to right and remembers the first error; what is read after it does not count.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::variant<Descriptor, TextError> parse() {
    parse_dtype_token();
    expect(" ", "a space before the shape is expected");
    parse_layout();
    expect(" @", "\" @\" and a device are expected");
    parse_device_token();
    expect(" ", "a space before the version is expected");
    parse_version();
    parse_flags();
    descriptor_.null_data = accept(" data=null");
    if (position_ != text_.size()) fail("the text should end here");
    if (error_) return *error_;
    return descriptor_;
  }

 private:
  void fail(std::string message) { fail_at(position_, std::move(message)); }
  void fail_at(std::size_t position, std::string message) {
    if (!error_) error_ = TextError{std::move(message), position};
  }

  [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }

  bool accept(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    position_ += token.size();
    return true;
  }

  void expect(std::string_view token, const char* otherwise) {
    if (!accept(token)) fail(otherwise);
  }

  // Up to the next space, or the end.
  std::string_view next_word() {
    const std::string_view word = rest().substr(0, rest().find(' '));
    return word;
  }

  // A number in its one spelling: decimal (or hexadecimal), no leading zero, no "-0".
  template <std::integral Integer>
  Integer number(const char* otherwise, int base = 10) {
    Integer value{};
    const auto [end, code] = std::from_chars(rest().data(), rest().data() + rest().size(), value, base);
    if (code == std::errc::result_out_of_range) fail("the number is out of range");
    if (code == std::errc::invalid_argument) fail(otherwise);
    const auto length = static_cast<std::size_t>(end - rest().data());
    if (!is_canonical(rest().substr(0, length))) fail("the number has a leading zero or an upper-case digit");
    position_ += length;
    return value;
  }

  static bool is_canonical(std::string_view digits) {
    if (digits == "0") return true;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    return !digits.starts_with('0') && digits.find_first_of("ABCDEF") == std::string_view::npos;
  }

  void parse_dtype_token() {
    const std::string_view word = next_word();
    const auto dtype = parse_dtype(word);
    if (!dtype || dtype_name(*dtype) != word) return fail("a dtype is expected");
    descriptor_.layout.dtype = *dtype;
    position_ += word.size();
  }

  std::vector<std::int64_t> parse_numbers(const char* opening, const char* otherwise) {
    std::vector<std::int64_t> numbers;
    expect("(", opening);
    if (accept(")")) return numbers;
    do {
      numbers.push_back(number<std::int64_t>(otherwise));
    } while (accept(","));
    expect(")", "\",\" or \")\" is expected");
    return numbers;
  }

  void parse_layout() {
    Layout& layout = descriptor_.layout;
    layout.shape = parse_numbers("\"(\" and the extents are expected", "an extent is expected");
    const std::size_t strides_at = position_;
    if (accept(":")) {
      layout.strides = parse_numbers("\"(\" and the strides are expected", "a stride is expected");
      if (layout.strides->size() != layout.shape.size()) fail_at(strides_at, "one stride per extent is expected");
    }
    if (accept("+")) parse_offset();
  }

  void parse_offset() {
    const std::size_t begin = position_;
    const auto count = number<std::uint64_t>("an offset is expected");
    const std::uint64_t unit = accept("b") ? 1 : item_size(descriptor_.layout.dtype);
    if (unit == 0) return fail_at(begin, "an offset in bytes is expected, because elements do not fill whole bytes");
    if (count > std::numeric_limits<std::uint64_t>::max() / unit) return fail_at(begin, "the offset is out of range");
    descriptor_.layout.byte_offset = count * unit;
    const std::string spelling = print_offset(descriptor_.layout).substr(descriptor_.layout.byte_offset == 0 ? 0 : 1);
    if (spelling != text_.substr(begin, position_ - begin)) {
      fail_at(begin, spelling.empty() ? "an offset of 0 is left out" : "the offset is spelled \"" + spelling + "\"");
    }
  }

  void parse_device_token() {
    const std::string_view word = next_word();
    const auto device = parse_device(word);
    if (!device || device_text(*device) != word) return fail("a device is expected");
    descriptor_.device = *device;
    position_ += word.size();
  }

  void parse_version() {
    if (accept("legacy")) {
      descriptor_.generation = Generation::legacy;
    } else if (accept("bare")) {
      descriptor_.generation = Generation::bare;
    } else {
      expect("v", "\"v1.2\", \"legacy\" or \"bare\" is expected");
      descriptor_.version.major = number<std::uint32_t>("a major version is expected");
      expect(".", "\".\" and a minor version are expected");
      descriptor_.version.minor = number<std::uint32_t>("a minor version is expected");
    }
  }

  void parse_flags() {
    if (descriptor_.generation != Generation::versioned) return;
    for (const flags::FlagRow& row : flags::table) {
      if (accept(" " + std::string(row.short_name))) descriptor_.flags |= row.bit;
    }
    if (!accept(" flags=0x")) return;
    const std::size_t begin = position_;
    const auto unnamed = number<std::uint64_t>("hexadecimal digits are expected", 16);
    if (unnamed == 0 || (unnamed & flags::defined) != 0)
      fail_at(begin, "only bits without a name are written as a number");
    descriptor_.flags |= unnamed;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::optional<TextError> error_;
  Descriptor descriptor_;
};

}  // namespace

std::string print_text(const Descriptor& descriptor) {
  const Layout& layout = descriptor.layout;
  std::string text = dtype_name(layout.dtype) + " " + print_numbers(layout.shape);
  if (layout.strides) text += ":" + print_numbers(*layout.strides);
  text += print_offset(layout) + " @" + device_text(descriptor.device) + " " + print_version(descriptor);
  if (descriptor.generation == Generation::versioned) text += print_flags(descriptor.flags);
  if (descriptor.null_data) text += " data=null";
  return text;
}

std::variant<Descriptor, TextError> parse_text(std::string_view text) { return Parser(text).parse(); }

}  // namespace dlspec::reference
