// The words of layout constraints, the notation in which operators of InfiniOP say what tensors they
// take: `{ dT | ((b,) h, w, c) | (..., 1) }` is data type, shape and strides. Source: InfiniOP
// documentation, InfiniopTensorDescriptor_t, and its operators.
//
//   constraint := '{' dtype sep shape sep strides '}'          sep     := '|' | ';'
//   dtype      := NAME                                         strides := NAME | '(' sdims ')'
//   shape      := NAME | '(' dims ')'                          sdims   := ',' | '~' | sitem (',' sitem)* [',']
//   dims       := ',' | item (',' item)* [',']                 sitem   := '...' | [-] INT | NAME
//   item       := '...' | extent | '(' group ')' | '[' group ']'
//   group      := item (',' item)* [',']                       extent  := INT | NAME | NAME ('*' | '/') INT
//
// After a group that ends with a comma the comma may be left out. `...` may be written \ldots or \dots.
// White space has no meaning.
//
// What the documentation leaves open is decided so:
//   dtype      the name of a dtype in infini_dtype.def, in any case (float32, F32), is that dtype; any
//              other name is a variable, which all tensors of an operator share
//   names      extents and strides share their names, which stand for one number in all tensors of an
//              operator; variables for dtypes, whole shapes and whole strides are kept apart from them
//   n/2, n*2   the extent times 2 is n; n times 2 is the extent. So either may bind n
//   ellipsis   at most one to a list
//   groups     a rank too low for all groups leaves out the last ones, so that those that are there
//              are the first ones in the order in which they open. A text in which that does not
//              decide is malformed: `...` outside of the last group while there are groups, and a
//              group without an axis of its own
//   one extent the stride of an axis with one extent cannot be seen: no constraint on it is violated,
//              and a name is not bound
//   no element the same holds for all strides of a tensor without elements, which is contiguous too
//   ~          row-major without gaps, also where an operator's own page (GEMM's) is more generous in
//              words or in code; scalars are, and satisfy (...) and (,) as well
//   order      dtype, then shape, then strides, and the first that fails is the answer:
//              bad_tensor_dtype, bad_tensor_shape (also for a wrong rank), bad_tensor_strides (also for
//              a list of strides that does not fit the rank)
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/vocabulary/infini.h>

namespace dlspec {

enum class ConstraintFault : std::uint8_t {
#define DLSPEC_CONSTRAINT_ERROR(name, text) name,
#include <dlspec/vocabulary/infini_constraint.def>
#undef DLSPEC_CONSTRAINT_ERROR
};

// A sentence for messages. Static storage.
[[nodiscard]] constexpr const char* describe(ConstraintFault fault) {
  constexpr const char* texts[] = {
#define DLSPEC_CONSTRAINT_ERROR(name, text) text,
#include <dlspec/vocabulary/infini_constraint.def>
#undef DLSPEC_CONSTRAINT_ERROR
  };
  return texts[static_cast<std::size_t>(fault)];
}

// Why a text is no constraint, and at which byte of it, counted from 0. The first fault from the left,
// but for `ambiguous`, which is noticed at the end of the shape.
struct ConstraintError {
  ConstraintFault fault = ConstraintFault::open_brace;
  std::size_t position = 0;

  friend bool operator==(const ConstraintError&, const ConstraintError&) = default;
};

// Upper bounds of one constraint: its optional groups, and the different names that stand for numbers.
inline constexpr std::size_t constraint_max_groups = 64;
inline constexpr std::size_t constraint_max_names = 64;

}  // namespace dlspec
