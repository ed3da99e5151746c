#include <algorithm>

#include <dlspec/reference/descriptor/constraint.h>
#include <dlspec/reference/descriptor/contiguity.h>

namespace dlspec::reference {
namespace {

using Items = std::vector<ConstraintItem>;
using Kind = ConstraintItem::Kind;

bool has_ellipsis(const Items& items) {
  return std::any_of(items.begin(), items.end(), [](const auto& item) { return item.kind == Kind::ellipsis; });
}
std::size_t axes_in(const Items& items) { return items.size() - (has_ellipsis(items) ? 1 : 0); }

// The items of a shape of which only the first `present` groups are present.
Items with_groups(const Items& items, std::size_t present) {
  Items left;
  std::copy_if(items.begin(), items.end(), std::back_inserter(left),
               [&](const auto& item) { return item.group <= present; });
  return left;
}

// One item per axis, with `...` expanded; no value when the list does not fit the rank.
std::optional<Items> spread(const Items& items, std::size_t rank) {
  if (has_ellipsis(items) ? axes_in(items) > rank : axes_in(items) != rank) return std::nullopt;
  Items result;
  for (const ConstraintItem& item : items) {
    result.insert(result.end(), item.kind == Kind::ellipsis ? rank - axes_in(items) : 1, item);
  }
  return result;
}

// The largest number of groups that fits.
std::optional<Items> spread_groups(const Items& items, std::size_t groups, std::size_t rank) {
  for (std::size_t present = groups + 1; present-- > 0;) {
    if (auto result = spread(with_groups(items, present), rank)) return result;
  }
  return std::nullopt;
}

class Matcher {
 public:
  Matcher(const InfiniTensor& tensor, ConstraintBindings& bindings) : tensor_(tensor), bindings_(bindings) {}

  bool dtype_fits(const Constraint& constraint) {
    if (const auto* dtype = std::get_if<InfiniDtype>(&constraint.dtype)) return *dtype == tensor_.dtype;
    const std::string& variable = std::get<std::string>(constraint.dtype);
    const auto allowed = bindings_.allowed.find(variable);
    if (allowed != bindings_.allowed.end() && !allowed->second.contains(tensor_.dtype)) return false;
    return bindings_.dtypes.emplace(variable, tensor_.dtype).first->second == tensor_.dtype;
  }

  bool shape_fits(const Constraint& constraint) {
    if (const auto* variable = std::get_if<std::string>(&constraint.shape))
      return bindings_.shapes.emplace(*variable, shape()).first->second == shape();
    const auto items = spread_groups(std::get<Items>(constraint.shape), constraint.groups.size(), shape().size());
    if (!items) return false;
    for (std::size_t axis = 0; axis < shape().size(); ++axis) {
      if (!extent_fits((*items)[axis], shape()[axis])) return false;
    }
    return true;
  }

  bool strides_fit(const Constraint& constraint) {
    if (constraint.contiguous) return is_row_major(tensor_.layout.axes());
    if (const auto* variable = std::get_if<std::string>(&constraint.strides)) return all_strides_fit(*variable);
    const auto items = spread(std::get<Items>(constraint.strides), shape().size());
    if (!items) return false;
    for (std::size_t axis = 0; axis < shape().size(); ++axis) {
      if (can_be_seen(axis) && !stride_fits((*items)[axis], tensor_.layout.strides[axis])) return false;
    }
    return true;
  }

 private:
  const std::vector<std::int64_t>& shape() const { return tensor_.layout.shape; }
  bool can_be_seen(std::size_t axis) const { return !is_empty(shape()) && shape()[axis] != 1; }

  bool number_fits(const std::string& name, const Wide& value) {
    const auto number = value.to_int64();
    return number && bindings_.numbers.emplace(name, *number).first->second == *number;
  }

  bool extent_fits(const ConstraintItem& item, std::int64_t extent) {
    switch (item.kind) {
      case Kind::ellipsis: return true;
      case Kind::number: return extent == item.number;
      case Kind::name: return number_fits(item.name, extent);
      case Kind::multiple: return extent % item.number == 0 && number_fits(item.name, extent / item.number);
      case Kind::quotient: return number_fits(item.name, Wide(extent) * item.number);
    }
    return false;
  }

  bool stride_fits(const ConstraintItem& item, std::int64_t stride) {
    if (item.kind == Kind::ellipsis) return true;
    return item.kind == Kind::number ? stride == item.number : number_fits(item.name, stride);
  }

  bool all_strides_fit(const std::string& variable) {
    const std::vector<std::optional<std::int64_t>> unknown(shape().size());
    auto& bound = bindings_.strides.emplace(variable, unknown).first->second;
    if (bound.size() != shape().size()) return false;
    for (std::size_t axis = 0; axis < shape().size(); ++axis) {
      if (!can_be_seen(axis)) continue;
      if (!bound[axis]) bound[axis] = tensor_.layout.strides[axis];
      if (*bound[axis] != tensor_.layout.strides[axis]) return false;
    }
    return true;
  }

  const InfiniTensor& tensor_;
  ConstraintBindings& bindings_;
};

}  // namespace

InfiniStatus match(const Constraint& constraint, const InfiniTensor& tensor, ConstraintBindings& bindings) {
  ConstraintBindings trial = bindings;
  Matcher matcher(tensor, trial);
  if (!matcher.dtype_fits(constraint)) return InfiniStatus::bad_tensor_dtype;
  if (!matcher.shape_fits(constraint)) return InfiniStatus::bad_tensor_shape;
  if (!matcher.strides_fit(constraint)) return InfiniStatus::bad_tensor_strides;
  bindings = std::move(trial);
  return InfiniStatus::success;
}

}  // namespace dlspec::reference
