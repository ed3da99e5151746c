#include <algorithm>
#include <limits>

#include <dlspec/optimized/descriptor/constraint.h>

namespace dlspec::optimized {

int Names::find(Kind kind, std::string_view name) const noexcept {
  const auto place = static_cast<std::size_t>(kind);
  for (std::uint8_t i = 0; i < counts_[place]; ++i) {
    if (names_[place][i] == name) return i;
  }
  return -1;
}

int Names::intern(Kind kind, std::string_view name) noexcept {
  if (const int known = find(kind, name); known >= 0) return known;
  const auto place = static_cast<std::size_t>(kind);
  if (counts_[place] == most[place]) return -1;
  names_[place][counts_[place]] = name;
  return counts_[place]++;
}

namespace {

struct Token {
  enum class Kind : std::uint8_t { end, name, number, too_large, ellipsis, sign };
  Kind kind = Kind::end;
  char sign = '\0';  // the character, for Kind::sign; no other kind is asked for '\0'
  std::size_t begin = 0;
  std::string_view text;
  std::int64_t number = 0;

  [[nodiscard]] bool is(char character) const { return sign == character; }
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }
  [[nodiscard]] const Token& token() const { return token_; }

  void advance() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    token_ = {};
    token_.begin = at_;
    if (at_ == text_.size()) return;
    if (is_letter(text_[at_])) return read_name();
    if (is_digit(text_[at_])) return read_number();
    for (const std::string_view dots : {"...", "\\ldots", "\\dots"}) {
      if (!text_.substr(at_).starts_with(dots)) continue;
      token_.kind = Token::Kind::ellipsis;
      at_ += dots.size();
      return;
    }
    token_.kind = Token::Kind::sign;
    token_.sign = text_[at_++];
  }

 private:
  void read_name() {
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    token_.kind = Token::Kind::name;
    token_.text = text_.substr(token_.begin, at_ - token_.begin);
  }
  void read_number() {
    bool fits = true;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      fits = fits && !__builtin_mul_overflow(token_.number, 10, &token_.number) &&
             !__builtin_add_overflow(token_.number, text_[at_] - '0', &token_.number);
    }
    token_.kind = fits ? Token::Kind::number : Token::Kind::too_large;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
};

bool names_dtype(std::string_view name, std::string_view row) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::equal(name.begin(), name.end(), row.begin(), row.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

// Each function consumes what it is named after and returns whether that was well-formed.
class ConstraintParser {
 public:
  ConstraintParser(std::string_view text, Names& names, Constraint& into, ConstraintError& error)
      : lexer_(text), names_(names), into_(into), error_(error) {}

  bool run() {
    return sign('{', ConstraintFault::open_brace) && dtype() && separator() && shape() && separator() && strides() &&
           sign('}', ConstraintFault::close_brace) &&
           (token().kind == Token::Kind::end || fault(ConstraintFault::end, token().begin));
  }

 private:
  using Item = Constraint::Item;
  using Kind = Constraint::Kind;
  using Form = Constraint::Form;

  [[nodiscard]] const Token& token() const { return lexer_.token(); }
  bool fault(ConstraintFault what, std::size_t where) {
    error_ = {what, where};
    return false;
  }
  bool take(char character) {
    if (!token().is(character)) return false;
    lexer_.advance();
    return true;
  }
  bool sign(char character, ConstraintFault otherwise) { return take(character) || fault(otherwise, token().begin); }
  bool separator() { return take('|') || sign(';', ConstraintFault::separator); }

  bool name(Names::Kind kind, std::uint8_t& place, ConstraintFault otherwise) {
    if (token().kind != Token::Kind::name) return fault(otherwise, token().begin);
    const int found = names_.intern(kind, token().text);
    if (found < 0) return fault(ConstraintFault::too_many_names, token().begin);
    place = static_cast<std::uint8_t>(found);
    lexer_.advance();
    return true;
  }

  bool number(std::int64_t& value, ConstraintFault otherwise) {
    if (token().kind == Token::Kind::too_large) return fault(ConstraintFault::number_range, token().begin);
    if (token().kind != Token::Kind::number) return fault(otherwise, token().begin);
    value = token().number;
    lexer_.advance();
    return true;
  }

  bool dtype() {
    if (token().kind != Token::Kind::name) return fault(ConstraintFault::dtype, token().begin);
    for (int i = 1; i < infini_dtype_count; ++i) {
      const InfiniDtypeRow& row = infini_dtype_table[i];
      if (!names_dtype(token().text, row.notation) && !names_dtype(token().text, row.name)) continue;
      into_.dtype_ = static_cast<int>(i);
      lexer_.advance();
      return true;
    }
    return name(Names::Kind::dtype, into_.dtype_variable_, ConstraintFault::dtype);
  }

  bool add(Constraint::List& list, const Item& item, std::size_t where) {
    if (item.kind == Kind::ellipsis) {
      if (list.count != list.axes) return fault(ConstraintFault::second_ellipsis, where);
    } else if (list.axes == infini_max_rank) {
      return fault(ConstraintFault::too_many_axes, where);
    } else {
      ++list.axes;
    }
    list.items[list.count++] = item;
    return true;
  }

  bool shape() {
    if (token().kind == Token::Kind::name) {
      into_.shape_.form = Form::variable;
      return name(Names::Kind::shape, into_.shape_.variable, ConstraintFault::shape);
    }
    if (!sign('(', ConstraintFault::shape)) return false;
    bool comma = false;
    if (!take(',') && !items(0, ')', comma)) return false;
    return sign(')', ConstraintFault::comma) && clear();
  }

  bool items(std::uint8_t group, char close, bool& ends_with_comma) {
    for (;;) {
      bool comma_within = false;
      if (!item(group, comma_within)) return false;
      const bool comma = take(',');
      ends_with_comma = comma || comma_within;
      if (token().is(close)) return true;
      if (!ends_with_comma) return fault(ConstraintFault::comma, token().begin);
    }
  }

  bool item(std::uint8_t group, bool& ends_with_comma) {
    const std::size_t begin = token().begin;
    if (token().is('(') || token().is('[')) return optional(ends_with_comma);
    Item read;
    read.group = group;
    if (token().kind == Token::Kind::ellipsis) {
      lexer_.advance();
      ellipsis_ = begin;
      ellipsis_group_ = group;
    } else if (!extent(read)) {
      return false;
    }
    if (group != 0) has_axis_[group - 1] = true;
    return add(into_.shape_, read, begin);
  }

  bool optional(bool& ends_with_comma) {
    if (groups_ == constraint_max_groups) return fault(ConstraintFault::too_many_groups, token().begin);
    const char close = token().is('(') ? ')' : ']';
    brackets_[groups_++] = token().begin;
    lexer_.advance();
    if (!items(groups_, close, ends_with_comma)) return false;
    lexer_.advance();
    return true;
  }

  bool extent(Item& read) {
    if (token().kind != Token::Kind::name) {
      read.kind = Kind::number;
      return number(read.number, ConstraintFault::extent);
    }
    read.kind = Kind::name;
    if (!name(Names::Kind::number, read.name, ConstraintFault::extent)) return false;
    if (take('*'))
      read.kind = Kind::multiple;
    else if (take('/'))
      read.kind = Kind::quotient;
    else
      return true;
    const std::size_t begin = token().begin;
    if (!number(read.number, ConstraintFault::factor)) return false;
    return read.number != 0 || fault(ConstraintFault::factor, begin);
  }

  // Finds the ranks that leave out optional groups, and which ones.
  bool clear() {
    Constraint::List& list = into_.shape_;
    into_.ellipsis_in_shape_ = list.count != list.axes;
    if (into_.ellipsis_in_shape_ && ellipsis_group_ != groups_) return fault(ConstraintFault::ambiguous, ellipsis_);
    for (std::uint8_t group = 0; group < groups_; ++group) {
      if (!has_axis_[group]) return fault(ConstraintFault::ambiguous, brackets_[group]);
    }
    into_.present_.fill(Constraint::no_rank);
    for (std::uint8_t present = 0; present <= groups_; ++present) {
      std::size_t axes = 0;
      for (std::size_t i = 0; i < list.count; ++i)
        axes += list.items[i].group <= present && list.items[i].kind != Kind::ellipsis;
      into_.present_[axes] = present;
      if (present < groups_ || !into_.ellipsis_in_shape_) continue;
      for (; axes <= infini_max_rank; ++axes) into_.present_[axes] = present;
    }
    return true;
  }

  bool strides() {
    Constraint::List& list = into_.strides_;
    if (token().kind == Token::Kind::name) {
      list.form = Form::variable;
      return name(Names::Kind::strides, list.variable, ConstraintFault::strides);
    }
    if (!sign('(', ConstraintFault::strides)) return false;
    if (take('~')) {
      list.form = Form::contiguous;
    } else if (!take(',')) {
      do {
        if (!stride()) return false;
      } while (take(',') && !token().is(')'));
    }
    return sign(')', ConstraintFault::comma);
  }

  bool stride() {
    const std::size_t begin = token().begin;
    Item read;
    if (token().kind == Token::Kind::ellipsis) {
      lexer_.advance();
    } else if (token().kind == Token::Kind::name) {
      read.kind = Kind::name;
      if (!name(Names::Kind::number, read.name, ConstraintFault::stride)) return false;
    } else {
      read.kind = Kind::number;
      const bool minus = take('-');
      if (!number(read.number, minus ? ConstraintFault::digits : ConstraintFault::stride)) return false;
      if (minus) read.number = -read.number;
    }
    return add(into_.strides_, read, begin);
  }

  Lexer lexer_;
  Names& names_;
  Constraint& into_;
  ConstraintError& error_;
  std::uint8_t groups_ = 0;
  std::size_t ellipsis_ = 0;
  std::uint8_t ellipsis_group_ = 0;
  std::array<bool, constraint_max_groups> has_axis_{};
  std::array<std::size_t, constraint_max_groups> brackets_{};
};

bool Constraint::parse(std::string_view text, Names& names, ConstraintError& error) noexcept {
  *this = {};
  return ConstraintParser(text, names, *this, error).run();
}

}  // namespace dlspec::optimized
