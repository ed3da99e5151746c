// Layout constraints, compiled once and matched often. What they mean: see
// <dlspec/vocabulary/infini_constraint.h>.
//
//   Names names;
//   Constraint a, b;
//   ConstraintError error;
//   if (!a.parse("{ dT | (m, k) | (..., 1) }", names, error) || !b.parse("{ dT | (k, n) | (~) }", names, error)) ...
//   Bindings bindings;
//   InfiniStatus status = a.match(infini_F32, first, bindings);
//   if (status == InfiniStatus::success) status = b.match(infini_F32, second, bindings);
//
// No allocation. A Constraint and a Names may be read by several threads; a Bindings belongs to one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/vocabulary/infini_constraint.h>

namespace dlspec::optimized {

// The names that the constraints of one operator share. Refers to their texts, which must outlive it.
class Names {
 public:
  enum class Kind : std::uint8_t { dtype, number, shape, strides };
  static constexpr std::size_t most[] = {16, constraint_most_names, 8, 8};

  // The name's place among those of its kind, or -1 when there are too many.
  [[nodiscard]] int intern(Kind kind, std::string_view name) noexcept;
  // The place of a name that occurred, or -1.
  [[nodiscard]] int find(Kind kind, std::string_view name) const noexcept;

 private:
  std::array<std::array<std::string_view, constraint_most_names>, 4> names_;
  std::array<std::uint8_t, 4> counts_{};
};

// What the tensors of one operator that were matched so far have settled. Refers to the shapes of
// those whose constraint has a variable for the whole shape.
class Bindings {
 public:
  // A variable for a dtype may take only those of this set, the bits 1 << number.
  void restrict(int dtype_name, std::uint32_t allowed) noexcept {
    forbidden_[static_cast<std::size_t>(dtype_name)] = ~allowed;
  }
  // The number that a name stands for; false while it stands for none.
  [[nodiscard]] bool number(int name, std::int64_t& value) const noexcept {
    if ((bound_ >> name & 1) == 0) return false;
    value = numbers_[static_cast<std::size_t>(name)];
    return true;
  }

 private:
  friend class Constraint;
  friend class Match;
  std::uint64_t bound_ = 0;                            // bit i: numbers_[i] means something
  std::array<std::uint8_t, Names::most[0]> dtypes_{};  // 0: not bound
  std::array<std::uint32_t, Names::most[0]> forbidden_{};
  std::uint32_t shapes_bound_ = 0;
  std::uint32_t strides_bound_ = 0;
  std::array<std::uint8_t, Names::most[3]> strides_rank_{};
  std::array<std::uint64_t, Names::most[3]> strides_seen_{};  // bit i: the stride of axis i is known
  std::array<std::int64_t, constraint_most_names> numbers_;
  std::array<std::span<const std::int64_t>, Names::most[2]> shapes_;
  std::array<std::array<std::int64_t, infini_highest_rank>, Names::most[3]> strides_;
};

class Constraint {
 public:
  // False, with the reason, for a text that is no constraint; the object must then not be matched.
  [[nodiscard]] bool parse(std::string_view text, Names& names, ConstraintError& error) noexcept;

  // Does a tensor that judge() finds nothing wrong with fit, and to the tensors before it? On success its names are
  // bound; otherwise the bindings are as they were. `bindings` goes with the Names of parse().
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
    std::uint8_t group = 0;  // the innermost optional group around it, from 1; 0: none
  };
  struct List {
    std::array<Item, infini_highest_rank + 1> items;
    std::uint8_t count = 0;
    std::uint8_t axes = 0;  // without `...`
    Form form = Form::list;
    std::uint8_t variable = 0;
  };
  static constexpr std::uint8_t no_rank = 255;

  List shape_, strides_;
  InfiniDtype dtype_{};  // none: a variable
  std::uint8_t dtype_variable_ = 0;
  // By rank: how many groups are there; no_rank where no choice gives the rank.
  std::array<std::uint8_t, infini_highest_rank + 1> present_;
  bool ellipsis_in_shape_ = false;
};

}  // namespace dlspec::optimized
