// Layout constraints: reference implementation of parsing, printing and matching.
// <dlspec/vocabulary/infini_constraint.h> defines the notation and its meaning.
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

// One entry of a list: an extent or a stride, or `...`, which stands for any number of entries.
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
  std::vector<ConstraintGroup> groups;                             // in the order of their opening brackets
  std::variant<std::vector<ConstraintItem>, std::string> strides;  // likewise
  bool contiguous = false;                                         // the strides are ~; their list is empty

  friend bool operator==(const Constraint&, const Constraint&) = default;
};

// The constraint, or the first error from the left.
[[nodiscard]] std::variant<Constraint, ConstraintError> parse_constraint(std::string_view text);

// One spelling for each constraint: parse_constraint(print_constraint(c)) is c.
[[nodiscard]] std::string print_constraint(const Constraint& constraint);

// The values of the names, from the tensors of one operator that were matched so far.
struct ConstraintBindings {
  std::map<std::string, std::set<InfiniDtype>> allowed;  // set by the caller: the dtypes that a variable may have
  std::map<std::string, InfiniDtype> dtypes;
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::map<std::string, std::vector<std::optional<std::int64_t>>> strides;  // no value: axis of extent 1

  friend bool operator==(const ConstraintBindings&, const ConstraintBindings&) = default;
};

// Whether the tensor satisfies the constraint with these bindings. Binds its names on success; otherwise the bindings
// do not change. The status is that of the first part that fails: dtype, shape, strides.
[[nodiscard]] InfiniStatus match(const Constraint& constraint, const InfiniTensor& tensor,
                                 ConstraintBindings& bindings);

}  // namespace dlspec::reference
