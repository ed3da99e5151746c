// Layout constraints, read, printed and matched in the plainest way. What they mean: see
// <dlspec/vocabulary/infini_constraint.h>.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/vocabulary/infini_constraint.h>

namespace dlspec::reference {

// One entry of a list: an extent or a stride, or `...`, which stands for any number of any of them.
struct ConstraintItem {
  enum class Kind : unsigned char { number, name, multiple, quotient, ellipsis };
  Kind kind = Kind::ellipsis;
  std::int64_t number = 0;  // the number itself, or the factor of name*2 and name/2
  std::string name;
  std::size_t group = 0;  // extents only: the innermost group around it, counted from 1; 0: none

  friend bool operator==(const ConstraintItem&, const ConstraintItem&) = default;
};

// An optional group: items [begin, end) of the shape.
struct ConstraintGroup {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const ConstraintGroup&, const ConstraintGroup&) = default;
};

struct Constraint {
  std::variant<InfiniDtype, std::string> dtype = infini_BYTE;      // concrete or a variable
  std::variant<std::vector<ConstraintItem>, std::string> shape;    // a list or a variable
  std::vector<ConstraintGroup> groups;                             // in the order in which they open
  std::variant<std::vector<ConstraintItem>, std::string> strides;  // likewise
  bool contiguous = false;                                         // the strides are ~; their list is empty

  friend bool operator==(const Constraint&, const Constraint&) = default;
};

[[nodiscard]] std::variant<Constraint, ConstraintError> parse_constraint(std::string_view text);

// One spelling for each constraint: parse_constraint(print_constraint(c)) is c.
[[nodiscard]] std::string print_constraint(const Constraint& constraint);

// What the tensors of one operator that were matched so far have settled.
struct ConstraintBindings {
  std::map<std::string, std::set<InfiniDtype>> allowed;  // by the caller: dtypes that a variable may take
  std::map<std::string, InfiniDtype> dtypes;
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::map<std::string, std::vector<std::optional<std::int64_t>>> strides;  // nothing where none was seen

  friend bool operator==(const ConstraintBindings&, const ConstraintBindings&) = default;
};

// Does the tensor fit, and to the tensors before it? On success its names are bound; otherwise the
// bindings are as they were.
[[nodiscard]] InfiniStatus match(const Constraint& constraint, const InfiniTensor& tensor,
                                 ConstraintBindings& bindings);

}  // namespace dlspec::reference
