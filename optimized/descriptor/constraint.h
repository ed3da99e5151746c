// Layout constraints of InfiniOP operators, compiled once and matched often. Grammar and meaning:
// <dlspec/vocabulary/infini_constraint.h>.
//
//     Names names;
//     Constraint a, b;
//     ConstraintError error;
//     if (!a.parse("{ dT | (m, k) | (..., 1) }", names, error) || !b.parse("{ dT | (k, n) | (~) }", names, error)) ...
//     Bindings bindings;
//     InfiniStatus status = a.match(infini_F32, first, bindings);
//     if (status == InfiniStatus::success) status = b.match(infini_F32, second, bindings);
//
// Nothing allocates. Constraint and Names may be read by several threads; a Bindings belongs to one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/vocabulary/infini_constraint.h>

namespace dlspec::optimized {

// The names shared by the constraints of one operator. Refers to the parsed texts, which must outlive it.
class Names {
 public:
  enum class Kind : std::uint8_t { dtype, number, shape, strides };
  static constexpr std::size_t most[] = {16, constraint_max_names, 8, 8};

  // Index of the name among those of its kind, added if new; -1 if there are too many.
  [[nodiscard]] int intern(Kind kind, std::string_view name) noexcept;
  // Index of a known name, or -1.
  [[nodiscard]] int find(Kind kind, std::string_view name) const noexcept;

 private:
  std::array<std::array<std::string_view, constraint_max_names>, 4> names_;
  std::array<std::uint8_t, 4> counts_{};
};

// The values bound by the tensors matched so far. Refers to the shape arrays of tensors whose constraint has a variable
// for the whole shape.
class Bindings {
 public:
  // Restricts a dtype variable to the set `allowed`: bit n stands for the dtype with number n.
  void restrict(int dtype_name, std::uint32_t allowed) noexcept {
    forbidden_[static_cast<std::size_t>(dtype_name)] = ~allowed;
  }
  // The value bound to a name; false if it is not bound.
  [[nodiscard]] bool number(int name, std::int64_t& value) const noexcept {
    if ((bound_ >> name & 1) == 0) return false;
    value = numbers_[static_cast<std::size_t>(name)];
    return true;
  }

 private:
  friend class Constraint;
  friend class Match;
  std::uint64_t bound_ = 0;                            // bit i: numbers_[i] is valid
  std::array<std::uint8_t, Names::most[0]> dtypes_{};  // 0: not bound
  std::array<std::uint32_t, Names::most[0]> forbidden_{};
  std::uint32_t shapes_bound_ = 0;
  std::uint32_t strides_bound_ = 0;
  std::array<std::uint8_t, Names::most[3]> strides_rank_{};
  std::array<std::uint64_t, Names::most[3]> strides_seen_{};  // bit i: the stride of axis i is known
  std::array<std::int64_t, constraint_max_names> numbers_;
  std::array<std::span<const std::int64_t>, Names::most[2]> shapes_;
  std::array<std::array<std::int64_t, infini_max_rank>, Names::most[3]> strides_;
};

class Constraint {
 public:
  // Compiles a constraint. Returns false, with the reason, if the text is invalid; the object must then not be matched.
  [[nodiscard]] bool parse(std::string_view text, Names& names, ConstraintError& error) noexcept;

  // Success if the tensor fits the constraint, and the tensors matched before; judge() must have accepted it. Then its
  // names are bound; on any other status `bindings` is unchanged. `bindings` belongs to the Names of parse().
  [[nodiscard]] InfiniStatus match(InfiniDtype dtype, const View& view, Bindings& bindings) const noexcept;

 private:
  friend class ConstraintParser;
  friend class Match;
  enum class Kind : std::uint8_t { number, name, multiple, quotient, ellipsis };
  enum class Form : std::uint8_t { list, variable, contiguous };
  struct Item {
    std::int64_t number = 0;
    Kind kind = Kind::ellipsis;
    std::uint8_t name = 0;
    std::uint8_t group = 0;  // innermost enclosing optional group, from 1; 0: none
  };
  struct List {
    std::array<Item, infini_max_rank + 1> items;
    std::uint8_t count = 0;
    std::uint8_t axes = 0;  // without `...`
    Form form = Form::list;
    std::uint8_t variable = 0;
  };
  static constexpr std::uint8_t no_rank = 255;

  List shape_, strides_;
  int dtype_ = 0;  // an InfiniDtype; 0: a variable
  std::uint8_t dtype_variable_ = 0;
  // By rank: the number of optional groups present; no_rank if no choice gives this rank.
  std::array<std::uint8_t, infini_max_rank + 1> present_;
  bool ellipsis_in_shape_ = false;
};

}  // namespace dlspec::optimized
