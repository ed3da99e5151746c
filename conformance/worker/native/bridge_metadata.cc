// Descriptors made, imported and exported: what they say of the tensor.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

std::array<std::uint64_t, 64> some_memory;  // what data pointers lead to that nobody has a reason to follow

std::span<const std::int64_t> shape_of(const abi::Tensor& tensor) {
  const bool readable =
      tensor.shape != nullptr && tensor.ndim > 0 && tensor.ndim <= 64;  // no rank beyond that was described
  return {tensor.shape, readable ? static_cast<std::size_t>(tensor.ndim) : 0};
}

std::string tensor_text(const abi::Tensor& tensor) {
  std::string text = fmt::format("{} {}", dtype_name(tensor.dtype), numbers_text(shape_of(tensor)));
  if (tensor.strides == nullptr) return text + " with NULL strides";
  return text + ":" + numbers_text(std::span<const std::int64_t>(tensor.strides, shape_of(tensor).size()));
}

bool has_shape(const abi::Tensor& tensor, abi::DataType dtype, std::span<const std::int64_t> shape) {
  const std::span<const std::int64_t> found = shape_of(tensor);
  return tensor.dtype == dtype && tensor.ndim == static_cast<std::int32_t>(shape.size()) &&
         std::equal(found.begin(), found.end(), shape.begin(), shape.end());
}

// Strides matter where an axis has another element, and the tensor has any.
bool has_strides(const abi::Tensor& tensor, std::span<const std::int64_t> strides) {
  const std::span<const std::int64_t> shape = shape_of(tensor);
  if (reference::is_empty(shape)) return true;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && tensor.strides[axis] != strides[axis]) return false;
  }
  return true;
}

char* element_0(const abi::Tensor& tensor) { return static_cast<char*>(tensor.data) + tensor.byte_offset; }

// --- strides-null

bool must_have_strides(const Exported& exported) {
  if (exported.generation() != Generation::versioned) return false;
  const abi::Version version = exported.versioned().version;
  return version.major == 1 && version.minor >= 2;
}

// --- scalar

// The one that is tried with NULL, or with pointers in its place. Nothing follows either.
DlspecDescription scalar_description(abi::DataType dtype, bool null) {
  static constexpr std::size_t one = 1;
  static constexpr std::ptrdiff_t step = 1;
  return {dtype.code, dtype.bits, dtype.lanes, 0, null ? nullptr : &one, null ? nullptr : &step};
}

// What is refused with NULL and taken otherwise breaks the rule; what is refused in any form is no scalar for this
// library.
Outcome judge_refused_scalar(const Handle& null, const Handle& pointed, const char* what) {
  if (!pointed.made()) return {Outcome::Kind::unsupported, null.reason(), {}, {}};
  return {Outcome::Kind::violated,
          fmt::format("{} is refused with NULL, though taken with a pointer: {}", what, null.reason()),
          "NULL for the shape and the strides of a scalar",
          {}};
}

Outcome judge_scalar_out(const DlspecBridge& bridge, const NativeCase& asked) {
  const Handle null(bridge, scalar_description(asked.layout.dtype, true));
  if (!null.made())
    return judge_refused_scalar(null, Handle(bridge, scalar_description(asked.layout.dtype, false)), "a descriptor");
  const Outgoing out(bridge, null, some_memory.data());
  if (!out.made()) return {Outcome::Kind::unsupported, out.reason(), {}, {}};
  const bool right = has_shape(out.tensor(), asked.layout.dtype, {}) &&
                     element_0(out.tensor()) == reinterpret_cast<char*>(some_memory.data());
  return right ? Outcome{} : wrong("exported as " + tensor_text(out.tensor()), "a tensor of rank 0 with the same data");
}

Outcome judge_scalar_in(const DlspecBridge& bridge, const NativeCase& asked) {
  std::string reason;
  const std::optional<Generation> generation = taken_generation(bridge, reason);
  if (!generation) return {Outcome::Kind::unsupported, reason, {}, {}};
  const Layout scalar{asked.layout.dtype, {}, {}, 0};
  Loan loan(scalar, some_memory.data(), *generation);
  loan.tensor().shape = loan.tensor().strides = nullptr;
  const Handle null(bridge, loan);
  if (!null.made()) {
    std::int64_t unused = 1;
    Loan pointed(scalar, some_memory.data(), *generation);
    pointed.tensor().shape = pointed.tensor().strides = &unused;
    return judge_refused_scalar(null, Handle(bridge, pointed), "a tensor");
  }
  if (null.data() != some_memory.data()) return wrong("the imported scalar lies elsewhere", "the data of the tensor");
  Loan behind(scalar, some_memory.data() + 2, *generation, 2 * sizeof some_memory[0]);
  behind.tensor().shape = behind.tensor().strides = nullptr;
  if (const Handle offset(bridge, behind); offset.made() && offset.data() != some_memory.data() + 2)
    return wrong("an imported scalar with a byte_offset lies elsewhere", "data and byte_offset of the tensor");
  const Outgoing back(bridge, null, some_memory.data());
  const bool right = !back.made() || has_shape(back.tensor(), asked.layout.dtype, {});
  return right ? Outcome{}
               : wrong("imported, and exported again as " + tensor_text(back.tensor()), "a tensor of rank 0");
}

// The graver of two: violated before kept before not judged.
Outcome graver(const Outcome& one, const Outcome& other) {
  const auto grave = [](const Outcome& outcome) {
    return outcome.kind == Outcome::Kind::violated ? 2 : outcome.kind == Outcome::Kind::pass ? 1 : 0;
  };
  return grave(other) > grave(one) ? other : one;
}

// --- sizes

struct SizeBoundary {
  std::vector<std::size_t> shape;
  std::vector<std::ptrdiff_t> strides;
};
constexpr std::size_t in_33_bits = std::size_t{1} << 32, beyond = std::size_t{1} << 63;  // one above int64_t
const std::vector<SizeBoundary> boundaries = {
    {{beyond}, {0}},
    {{SIZE_MAX}, {0}},
    {{2, beyond}, {0, 0}},
    {{beyond, 0}, {0, 1}},
    {{beyond - 1}, {0}},
    {{0, beyond - 1}, {1, 1}},
    {{1}, {PTRDIFF_MIN}},
    {{2}, {PTRDIFF_MAX}},
    {{in_33_bits + 1, 2}, {0, 1}},
    {{2}, {PTRDIFF_MAX >> 30}},
};

// Described and exported: refused on the way, or exactly what was described.
Outcome judge_boundary(const DlspecBridge& bridge, const SizeBoundary& boundary) {
  const Description description({kDLInt, 8, 1}, boundary.shape, boundary.strides);
  const Handle handle(bridge, description);
  if (!handle.made()) return {};
  const Outgoing out(bridge, handle, some_memory.data());
  if (!out.made()) return {};
  const bool fits =
      std::all_of(boundary.shape.begin(), boundary.shape.end(), [](std::size_t extent) { return extent < beyond; });
  const std::vector<std::int64_t> shape(boundary.shape.begin(), boundary.shape.end());
  const std::vector<std::int64_t> strides(boundary.strides.begin(), boundary.strides.end());
  const bool same = fits && has_shape(out.tensor(), description.dtype, shape) &&
                    (out.tensor().strides == nullptr || has_strides(out.tensor(), strides));
  if (same) return {};
  return wrong(fmt::format("extents {} and strides {} are exported as {}", numbers_text(std::span(boundary.shape)),
                           numbers_text(std::span(boundary.strides)), tensor_text(out.tensor())),
               fits ? "a refusal, or the same numbers" : "a refusal");
}

// Negative extents fit in no size_t.
Outcome judge_negative_extent(const DlspecBridge& bridge, std::int64_t extent, Generation generation) {
  const Loan loan({{kDLInt, 8, 1}, {extent}, {{1}}, 0}, some_memory.data(), generation);
  const Handle handle(bridge, loan);
  return handle.made() ? wrong(fmt::format("a tensor with the extent {} is taken", extent), "a refusal") : Outcome{};
}

// --- negative-base

Outcome judge_base_out(const DlspecBridge& bridge, const Layout& layout, void* first) {
  const Handle handle(bridge, Description(layout));
  if (!handle.made()) return {Outcome::Kind::unsupported, handle.reason(), {}, {}};
  const Outgoing out(bridge, handle, first);
  if (!out.made()) return {Outcome::Kind::unsupported, out.reason(), {}, {}};
  const abi::Tensor& tensor = out.tensor();
  const bool same = has_shape(tensor, layout.dtype, layout.shape) && tensor.strides != nullptr &&
                    has_strides(tensor, *layout.strides);
  if (!same) return wrong("exported as " + tensor_text(tensor), "the described extents and strides");
  const auto distance = element_0(tensor) - static_cast<char*>(first);
  return distance == 0
             ? Outcome{}
             : wrong(fmt::format("exported data begin {} bytes from element (0, ..., 0)", distance), "its address");
}

Outcome judge_base_in(const DlspecBridge& bridge, const Layout& layout, void* first) {
  std::string reason;
  const std::optional<Generation> generation = taken_generation(bridge, reason);
  if (!generation) return {Outcome::Kind::unsupported, reason, {}, {}};
  const Loan loan(layout, first, *generation);
  const Handle handle(bridge, loan);
  if (!handle.made()) return {Outcome::Kind::unsupported, handle.reason(), {}, {}};
  const auto distance = static_cast<char*>(handle.data()) - static_cast<char*>(first);
  return distance == 0
             ? Outcome{}
             : wrong(fmt::format("imported data begin {} bytes from element (0, ..., 0)", distance), "its address");
}

// --- unsupported-dtypes

struct OddDtype {
  const char* what;
  abi::DataType dtype;
  std::uint64_t flags = 0;
};
constexpr OddDtype odd_dtypes[] = {
    {"float32 of 4 lanes", {kDLFloat, 32, 4}},
    {"int8 of 2 lanes", {kDLInt, 8, 2}},
    {"int4", {kDLInt, 4, 1}},
    {"float4_e2m1fn", {kDLFloat4_e2m1fn, 4, 1}},
    {"float6_e2m3fn", {kDLFloat6_e2m3fn, 6, 1}},
    {"bool of 1 bit", {kDLBool, 1, 1}},
    {"padded int4", {kDLInt, 4, 1}, flags::subbyte_padded},
    {"an opaque handle", {kDLOpaqueHandle, 64, 1}},
    {"type code 200", {unknown_dtype_code, 32, 1}},
};

// Those that are taken, as a list for people.
template <class Taken>
std::string taken_dtypes(Taken is_taken) {
  std::string list;
  for (const OddDtype& odd : odd_dtypes) {
    if (is_taken(odd)) list += (list.empty() ? "" : ", ") + std::string(odd.what);
  }
  return list;
}

}  // namespace

void strides_null_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  const std::vector<std::size_t> shape(asked.layout.shape.begin(), asked.layout.shape.end());
  const Handle handle(bridge, Description(asked.layout.dtype, shape));
  if (!handle.made()) return answer.rest_unsupported(handle.reason());
  const Outgoing out(bridge, handle, some_memory.data());
  if (!out.made()) return answer.rest_unsupported(out.reason());
  const std::vector<std::int64_t> strides = reference::compact_strides(asked.layout.shape);
  const std::string allowed = "explicit row-major strides: " + numbers_text(std::span<const std::int64_t>(strides));
  const bool same = has_shape(out.tensor(), asked.layout.dtype, asked.layout.shape);
  if (!same)
    return answer.rest(
        wrong("exported as " + tensor_text(out.tensor()), dtype_name(asked.layout.dtype) + " with " + allowed));
  if (out.tensor().strides != nullptr) {
    return answer.rest(has_strides(out.tensor(), strides) ? Outcome{}
                                                          : wrong("exported as " + tensor_text(out.tensor()), allowed));
  }
  if (!must_have_strides(out.exported())) return answer.rest({Outcome::Kind::not_applicable, {}, {}, {}});
  answer.rest({Outcome::Kind::violated, "strides are NULL", allowed, {}});
}

void scalar_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  answer.rest(graver(judge_scalar_out(bridge, asked), judge_scalar_in(bridge, asked)));
}

// What a library does with extents that it could not have made itself is seen only where it exports or imports at all.
void sizes_case(const DlspecBridge& bridge, const NativeCase&, NativeAnswer& answer) {
  const Handle ordinary(bridge, Description({kDLInt, 8, 1}, {3, 4}, {{4, 1}}));
  if (!ordinary.made()) return answer.rest_unsupported(ordinary.reason());
  const Outgoing exported(bridge, ordinary, some_memory.data());
  Outcome all{Outcome::Kind::unsupported, exported.reason(), {}, {}};
  for (const SizeBoundary& boundary : boundaries) {
    if (exported.made()) all = graver(all, judge_boundary(bridge, boundary));
  }
  std::string reason;
  if (const std::optional<Generation> generation = taken_generation(bridge, reason)) {
    for (const std::int64_t extent : {std::int64_t{-1}, INT64_MIN})
      all = graver(all, judge_negative_extent(bridge, extent, *generation));
  }
  answer.rest(all);
}

void negative_base_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  std::string problem;
  const auto memory = CanaryMemory::make(asked.layout, false, asked.bytes, problem, Placement::end);
  if (memory == nullptr)
    return answer.rest({Outcome::Kind::blocked, "dlspec cannot make this tensor: " + problem, {}, {}});
  void* const first = memory->data() + asked.layout.byte_offset;
  answer.rest(graver(judge_base_out(bridge, asked.layout, first), judge_base_in(bridge, asked.layout, first)));
}

void unsupported_dtypes_case(const DlspecBridge& bridge, const NativeCase&, NativeAnswer& answer) {
  const Handle ordinary(bridge, Description({kDLFloat, 32, 1}, {3, 4}));
  if (!ordinary.made()) return answer.rest_unsupported(ordinary.reason());
  std::string taken = taken_dtypes([&](const OddDtype& odd) {
    return odd.flags == 0 &&
           Handle(bridge, Description(odd.dtype, {3, 4})).made();  // no flags: nothing says that it is padded
  });
  std::string reason;
  if (const std::optional<Generation> generation = taken_generation(bridge, reason); generation && taken.empty()) {
    taken = taken_dtypes([&](const OddDtype& odd) {
      Loan loan({odd.dtype, {3, 4}, {}, 0}, some_memory.data(), *generation);
      loan.set_flags(odd.flags);
      return (odd.flags == 0 || *generation == Generation::versioned) && Handle(bridge, loan).made();
    });
  }
  if (!taken.empty()) return answer.rest({Outcome::Kind::violated, "a descriptor is made of " + taken, "refusals", {}});
  answer.rest({});
}

}  // namespace dlspec::conformance
