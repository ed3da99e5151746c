#include <algorithm>
#include <cctype>
#include <charconv>

#include <dlspec/reference/descriptor/constraint.h>

namespace dlspec::reference {
namespace {

using Kind = ConstraintItem::Kind;

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<InfiniDtype> dtype_named(std::string_view name) {
  for (int number = 1; number < infini_dtype_count; ++number) {
    const InfiniDtypeRow& row = infini_dtype_table[number];
    if (same_but_for_case(name, row.notation) || same_but_for_case(name, row.name))
      return static_cast<InfiniDtype>(number);
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Recursive descent. The first fault is thrown and caught in parse(); nothing else is thrown.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::variant<Constraint, ConstraintError> parse() {
    try {
      expect("{", ConstraintFault::open_brace);
      parse_dtype();
      parse_separator();
      parse_shape();
      parse_separator();
      parse_strides();
      expect("}", ConstraintFault::close_brace);
      if (here() != text_.size()) fail(ConstraintFault::end);
      return result_;
    } catch (const ConstraintError& error) {
      return error;
    }
  }

 private:
  [[noreturn]] void fail(ConstraintFault fault) { throw ConstraintError{fault, here()}; }

  // The position of the next character that is not white space.
  std::size_t here() {
    while (position_ < text_.size() && std::string_view(" \t\n\r").find(text_[position_]) != std::string_view::npos)
      ++position_;
    return position_;
  }
  char next() { return here() < text_.size() ? text_[position_] : '\0'; }

  bool accept(std::string_view token) {
    if (!text_.substr(here()).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  void expect(std::string_view token, ConstraintFault fault) {
    if (!accept(token)) fail(fault);
  }
  bool accept_ellipsis() { return accept("...") || accept("\\ldots") || accept("\\dots"); }

  std::string parse_name(ConstraintFault fault) {
    if (!is_letter(next())) fail(fault);
    const std::size_t begin = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    return std::string(text_.substr(begin, position_ - begin));
  }

  // A name that stands for a number.
  std::string parse_number_name(ConstraintFault fault) {
    const std::size_t begin = here();
    std::string name = parse_name(fault);
    names_.insert(name);
    if (names_.size() > constraint_max_names) throw ConstraintError{ConstraintFault::too_many_names, begin};
    return name;
  }

  std::int64_t parse_number(ConstraintFault fault) {
    if (!is_digit(next())) fail(fault);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + text_.size(), number);
    if (error != std::errc{}) fail(ConstraintFault::number_range);
    position_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  void parse_separator() {
    if (!accept("|")) expect(";", ConstraintFault::separator);
  }

  void parse_dtype() {
    const std::string name = parse_name(ConstraintFault::dtype);
    if (const auto dtype = dtype_named(name)) {
      result_.dtype = *dtype;
    } else {
      result_.dtype = name;
    }
  }

  void add(std::vector<ConstraintItem>& items, std::size_t position, ConstraintItem item) {
    if (item.kind == Kind::ellipsis) {
      const bool second =
          std::any_of(items.begin(), items.end(), [](const auto& other) { return other.kind == Kind::ellipsis; });
      if (second) throw ConstraintError{ConstraintFault::second_ellipsis, position};
      ellipsis_ = position;
    }
    items.push_back(std::move(item));
    const auto axes =
        std::count_if(items.begin(), items.end(), [](const auto& other) { return other.kind != Kind::ellipsis; });
    if (static_cast<std::size_t>(axes) > infini_max_rank)
      throw ConstraintError{ConstraintFault::too_many_axes, position};
  }

  void parse_shape() {
    if (is_letter(next())) {
      result_.shape = parse_name(ConstraintFault::shape);
      return;
    }
    expect("(", ConstraintFault::shape);
    if (!accept(",")) {
      parse_items(0, ')');
    } else if (next() != ')') {
      fail(ConstraintFault::comma);
    }
    expect(")", ConstraintFault::comma);
    refuse_ambiguity();
  }

  // Items up to a closing bracket, which is not consumed. True when a comma was the last before it.
  bool parse_items(std::size_t group, char close) {
    for (;;) {
      const bool comma_within = parse_item(group);
      const bool comma = accept(",");
      if (next() == close) return comma || comma_within;
      if (!comma && !comma_within) fail(ConstraintFault::comma);
    }
  }

  // True for a group that ends with a comma.
  bool parse_item(std::size_t group) {
    if (accept("(")) return parse_group(')');
    if (accept("[")) return parse_group(']');
    const std::size_t begin = here();
    ConstraintItem item = accept_ellipsis() ? ConstraintItem{} : parse_extent();
    item.group = group;
    add(shape(), begin, std::move(item));
    return false;
  }

  ConstraintItem parse_extent() {
    if (is_digit(next())) return {Kind::number, parse_number(ConstraintFault::extent), {}, 0};
    ConstraintItem item{Kind::name, 0, parse_number_name(ConstraintFault::extent), 0};
    if (accept("*"))
      item.kind = Kind::multiple;
    else if (accept("/"))
      item.kind = Kind::quotient;
    if (item.kind == Kind::name) return item;
    const std::size_t begin = here();
    item.number = parse_number(ConstraintFault::factor);
    if (item.number == 0) throw ConstraintError{ConstraintFault::factor, begin};
    return item;
  }

  bool parse_group(char close) {
    const std::size_t bracket = position_ - 1;
    if (result_.groups.size() == constraint_max_groups)
      throw ConstraintError{ConstraintFault::too_many_groups, bracket};
    result_.groups.push_back({shape().size(), 0});
    brackets_.push_back(bracket);
    const std::size_t group = result_.groups.size();
    const bool comma = parse_items(group, close);
    ++position_;  // the closing bracket
    result_.groups[group - 1].end = shape().size();
    return comma;
  }

  void refuse_ambiguity() {
    for (const ConstraintItem& item : shape()) {
      const bool last = item.group == result_.groups.size();
      if (item.kind == Kind::ellipsis && !last) throw ConstraintError{ConstraintFault::ambiguous, ellipsis_};
    }
    for (std::size_t group = 1; group <= result_.groups.size(); ++group) {
      const bool has_own =
          std::any_of(shape().begin(), shape().end(), [&](const auto& item) { return item.group == group; });
      if (!has_own) throw ConstraintError{ConstraintFault::ambiguous, brackets_[group - 1]};
    }
  }

  void parse_strides() {
    if (is_letter(next())) {
      result_.strides = parse_name(ConstraintFault::strides);
      return;
    }
    expect("(", ConstraintFault::strides);
    if (accept("~")) {
      result_.contiguous = true;
    } else if (!accept(",")) {
      do {
        parse_stride();
      } while (accept(",") && next() != ')');
    }
    expect(")", ConstraintFault::comma);
  }

  void parse_stride() {
    auto& items = std::get<0>(result_.strides);
    const std::size_t begin = here();
    if (accept_ellipsis()) return add(items, begin, {});
    if (accept("-")) return add(items, begin, {Kind::number, -parse_number(ConstraintFault::digits), {}, 0});
    if (is_digit(next())) return add(items, begin, {Kind::number, parse_number(ConstraintFault::digits), {}, 0});
    add(items, begin, {Kind::name, 0, parse_number_name(ConstraintFault::stride), 0});
  }

  std::vector<ConstraintItem>& shape() { return std::get<0>(result_.shape); }

  std::string_view text_;
  std::size_t position_ = 0;
  Constraint result_;
  std::set<std::string> names_;
  std::size_t ellipsis_ = 0;           // position of the last `...`
  std::vector<std::size_t> brackets_;  // position of the bracket of each open group
};

std::string print_item(const ConstraintItem& item) {
  switch (item.kind) {
    case Kind::ellipsis: return "...";
    case Kind::number: return std::to_string(item.number);
    case Kind::name: return item.name;
    case Kind::multiple: return item.name + "*" + std::to_string(item.number);
    case Kind::quotient: return item.name + "/" + std::to_string(item.number);
  }
  return {};
}

std::size_t count_groups(const std::vector<ConstraintGroup>& groups, std::size_t ConstraintGroup::* edge,
                         std::size_t at) {
  return static_cast<std::size_t>(
      std::count_if(groups.begin(), groups.end(), [&](const auto& group) { return group.*edge == at; }));
}

// Groups are never empty: the groups that end before an item close before other groups open.
std::string print_list(const std::vector<ConstraintItem>& items, const std::vector<ConstraintGroup>& groups) {
  if (items.empty()) return "(,)";
  std::string text = "(";
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += std::string(count_groups(groups, &ConstraintGroup::begin, i), '(') + print_item(items[i]);
    const std::size_t closing = count_groups(groups, &ConstraintGroup::end, i + 1);
    for (std::size_t close = 0; close < closing; ++close) text += ",)";
    if (i + 1 < items.size()) text += closing == 0 ? ", " : " ";
  }
  const bool lone = items.size() == 1 && groups.empty() && items[0].kind != Kind::ellipsis;
  return text + (lone ? ",)" : ")");
}

}  // namespace

std::variant<Constraint, ConstraintError> parse_constraint(std::string_view text) { return Parser(text).parse(); }

std::string print_constraint(const Constraint& constraint) {
  const auto* dtype = std::get_if<InfiniDtype>(&constraint.dtype);
  const auto* shape = std::get_if<0>(&constraint.shape);
  const auto* strides = std::get_if<0>(&constraint.strides);
  std::string text = "{ ";
  text += dtype != nullptr ? infini_dtype_table[*dtype].notation : std::get<std::string>(constraint.dtype);
  text += " | " + (shape != nullptr ? print_list(*shape, constraint.groups) : std::get<1>(constraint.shape)) + " | ";
  if (constraint.contiguous) return text + "(~) }";
  return text + (strides != nullptr ? print_list(*strides, {}) : std::get<1>(constraint.strides)) + " }";
}

}  // namespace dlspec::reference
