#include <algorithm>

#include <dlspec/optimized/descriptor/constraint.h>
#include <dlspec/optimized/descriptor/contiguity.h>
#include <dlspec/optimized/descriptor/strided.h>

namespace dlspec::optimized {

// One attempt to match. A failed one leaves the bindings unchanged.
class Match {
 public:
  Match(const Constraint& constraint, InfiniDtype dtype, const View& view, Bindings& bindings)
      : constraint_(constraint), dtype_(dtype), view_(view), bindings_(bindings), bound_before_(bindings.bound_) {
    empty_ = std::find(view.shape.begin(), view.shape.end(), 0) != view.shape.end();
  }

  InfiniStatus run() {
    std::uint8_t* const bound_dtype =
        constraint_.dtype_ == 0 ? &bindings_.dtypes_[constraint_.dtype_variable_] : nullptr;
    if (bound_dtype == nullptr) {
      if (constraint_.dtype_ != dtype_) return InfiniStatus::bad_tensor_dtype;
    } else {
      const bool forbidden = (bindings_.forbidden_[constraint_.dtype_variable_] >> dtype_ & 1) != 0;
      if (forbidden || (*bound_dtype != 0 && *bound_dtype != dtype_)) return InfiniStatus::bad_tensor_dtype;
    }
    const InfiniStatus status = shape_and_strides();
    if (status != InfiniStatus::success) {
      bindings_.bound_ = bound_before_;
      return status;
    }
    if (bound_dtype != nullptr) *bound_dtype = static_cast<std::uint8_t>(dtype_);
    return status;
  }

 private:
  using Kind = Constraint::Kind;
  using Item = Constraint::Item;
  using Form = Constraint::Form;

  InfiniStatus shape_and_strides() {
    const Constraint::List& shape = constraint_.shape_;
    if (shape.form == Form::list ? !extents_fit() : !whole_shape_fits()) return InfiniStatus::bad_tensor_shape;
    bool fits = false;
    switch (constraint_.strides_.form) {
      case Form::list: fits = strides_fit(); break;
      case Form::variable: fits = whole_strides_fit(); break;
      case Form::contiguous: fits = is_row_major(view_); break;
    }
    if (!fits) return InfiniStatus::bad_tensor_strides;
    if (shape.form == Form::variable) {
      bindings_.shapes_bound_ |= std::uint32_t{1} << shape.variable;
      bindings_.shapes_[shape.variable] = view_.shape;
    }
    return InfiniStatus::success;
  }

  bool number_fits(std::uint8_t name, std::int64_t value) {
    const std::uint64_t bit = std::uint64_t{1} << name;
    if ((bindings_.bound_ & bit) != 0) return bindings_.numbers_[name] == value;
    bindings_.bound_ |= bit;
    bindings_.numbers_[name] = value;
    return true;
  }

  bool extent_fits(const Item& item, std::int64_t extent) {
    switch (item.kind) {
      case Kind::number: return extent == item.number;
      case Kind::name: return number_fits(item.name, extent);
      case Kind::multiple: return extent % item.number == 0 && number_fits(item.name, extent / item.number);
      case Kind::quotient:
        return !__builtin_mul_overflow(extent, item.number, &extent) && number_fits(item.name, extent);
      case Kind::ellipsis: break;
    }
    return true;
  }

  bool extents_fit() {
    const std::size_t rank = view_.shape.size();
    const std::uint8_t present = constraint_.present_[rank];
    if (present == Constraint::no_rank) return false;
    const auto items = std::span(constraint_.shape_.items).first(constraint_.shape_.count);
    std::size_t axis = 0, left = 0;  // left: groups that are present and still to come
    for (const Item& item : items) left += item.group <= present && item.kind != Kind::ellipsis;
    for (const Item& item : items) {
      if (item.group > present) continue;
      if (item.kind == Kind::ellipsis) {
        axis = rank - left;
        continue;
      }
      --left;
      if (!extent_fits(item, view_.shape[axis++])) return false;
    }
    return true;
  }

  bool whole_shape_fits() {
    const std::uint8_t variable = constraint_.shape_.variable;
    if ((bindings_.shapes_bound_ >> variable & 1) == 0) return true;
    return std::equal(view_.shape.begin(), view_.shape.end(), bindings_.shapes_[variable].begin(),
                      bindings_.shapes_[variable].end());
  }

  bool strides_fit() {
    const Constraint::List& list = constraint_.strides_;
    const std::size_t rank = view_.shape.size();
    if (list.count == list.axes ? list.axes != rank : list.axes > rank) return false;
    if (empty_) return true;
    std::size_t axis = 0, left = list.axes;
    for (const Item& item : std::span(list.items).first(list.count)) {
      if (item.kind == Kind::ellipsis) {
        axis = rank - left;
        continue;
      }
      --left;
      const std::size_t here = axis++;
      if (view_.shape[here] == 1) continue;
      const std::int64_t stride = view_.strides[here];
      if (item.kind == Kind::number ? stride != item.number : !number_fits(item.name, stride)) return false;
    }
    return true;
  }

  // The last check of all: on success nothing must be undone.
  bool whole_strides_fit() {
    const std::uint8_t variable = constraint_.strides_.variable;
    const std::size_t rank = view_.shape.size();
    const bool bound = (bindings_.strides_bound_ >> variable & 1) != 0;
    if (bound && bindings_.strides_rank_[variable] != rank) return false;
    const std::uint64_t known = bound ? bindings_.strides_seen_[variable] : 0;
    auto& strides = bindings_.strides_[variable];
    std::uint64_t seen = known;
    for (std::size_t axis = 0; !empty_ && axis < rank; ++axis) {
      if (view_.shape[axis] == 1) continue;
      if ((known >> axis & 1) != 0 && strides[axis] != view_.strides[axis]) return false;
      strides[axis] = view_.strides[axis];  // valid once its bit is set
      seen |= std::uint64_t{1} << axis;
    }
    bindings_.strides_bound_ |= std::uint32_t{1} << variable;
    bindings_.strides_rank_[variable] = static_cast<std::uint8_t>(rank);
    bindings_.strides_seen_[variable] = seen;
    return true;
  }

  const Constraint& constraint_;
  const InfiniDtype dtype_;
  const View& view_;
  Bindings& bindings_;
  const std::uint64_t bound_before_;
  bool empty_;
};

InfiniStatus Constraint::match(InfiniDtype dtype, const View& view, Bindings& bindings) const noexcept {
  if (view.shape.size() > infini_max_rank) return InfiniStatus::bad_tensor_shape;
  std::array<std::int64_t, infini_max_rank> compact;
  if (view.strides != nullptr) return Match(*this, dtype, view, bindings).run();
  write_compact_strides(view.shape, compact.data());
  return Match(*this, dtype, {view.dtype, view.shape, compact.data()}, bindings).run();
}

}  // namespace dlspec::optimized
