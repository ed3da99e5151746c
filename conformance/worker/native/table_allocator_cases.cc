// Exchange tables of plug-ins: tensors that the allocator makes, and how it says that it cannot.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/steady_growth.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr const char* once = "one call of SetError with the caller's context, when the allocator fails";
constexpr const char* ordered = "a writable tensor as the prototype describes it, which the caller releases";
constexpr const char* four_members = "a result that depends on dtype, ndim, shape and device alone";
// A byte_offset that no tensor has, and no multiple of an element's size.
constexpr std::uint64_t no_offset = std::uint64_t{1} << 40 | 9;

// What SetError was told of one call.
struct Errors {
  int calls = 0;
  bool foreign_context = false;
};
Errors* listening = nullptr;

void note_error(void* context, const char*, const char*) {
  ++listening->calls;
  listening->foreign_context = listening->foreign_context || context != listening;
}

// One call of the allocator. The tensor is released at the end.
struct Allocated {
  abi::Tensor prototype;
  bool succeeded = false;
  bool altered = false;  // the prototype
  Managed* managed = nullptr;
  Errors errors;
  std::shared_ptr<Watch> watch;

  Allocated(const Api& api, const abi::Tensor& asked) : prototype(asked) {
    listening = &errors;
    succeeded = table_call("managed_tensor_allocator",
                           [&] { return api.managed_tensor_allocator(&prototype, &managed, &errors, &note_error); });
    listening = nullptr;
    altered = std::memcmp(&prototype, &asked, sizeof asked) != 0;
    if (!succeeded) managed = nullptr;
    if (managed != nullptr) watch = Watch::attach(Exported(managed));
  }
  ~Allocated() {
    if (watch != nullptr) (void)watch->release();
  }
  Allocated(const Allocated&) = delete;
  Allocated& operator=(const Allocated&) = delete;
};

// As a careful caller leaves it: what has no meaning is 0.
abi::Tensor prototype_of(const NativeCase& asked, std::vector<std::int64_t>& shape) {
  shape = asked.layout.shape;
  abi::Tensor prototype{};
  prototype.dtype = asked.layout.dtype;
  prototype.device = asked.device;
  prototype.ndim = static_cast<std::int32_t>(shape.size());
  prototype.shape = shape.data();
  return prototype;
}

void judge_reports(const Allocated& made, NativeAnswer& answer) {
  const RuleId rule = RuleId::exchange_alloc_seterror_iff;
  if (made.succeeded && made.errors.calls != 0) {
    answer.violated(rule, "the allocator succeeded and called SetError", once);
  } else if (!made.succeeded && made.errors.calls != 1) {
    answer.violated(rule, fmt::format("the allocator failed and called SetError {} times", made.errors.calls), once);
  } else if (made.errors.foreign_context) {
    answer.violated(rule, "SetError got a context that is not the caller's", once);
  } else {
    answer.pass(rule);
  }
}

// Where the struct is not what was asked for; "" where it is.
std::string struct_problem(const Allocated& made, const NativeCase& asked) {
  const Exported exported(made.managed);
  const Layout layout = ordered_layout(asked);
  const Origin origin = origin_of(asked, layout);
  for (const Finding& finding : reference::validate(exported, &origin)) {
    const std::string_view group = rule_group(rule(finding.rule));
    const bool tells = group == "tensor" || group == "dtype" || group == "managed" || group == "version";
    if (tells && verdict_of(finding) == Verdict::fail) return rule(finding.rule).id;
  }
  const abi::Tensor& tensor = made.managed->dl_tensor;
  if (tensor.device != asked.device)
    return fmt::format("a tensor on device ({}, {})", tensor.device.device_type, tensor.device.device_id);
  return (made.managed->flags & flags::read_only) != 0 ? "READ_ONLY is set" : "";
}

unsigned char* data_of(const Allocated& made) {
  return static_cast<unsigned char*>(made.managed->dl_tensor.data) + made.managed->dl_tensor.byte_offset;
}

// The elements can be written, and those of another tensor are others.
std::string memory_problem(const Allocated& first, const Allocated& second, std::size_t size) {
  if (size == 0 || first.managed == nullptr || second.managed == nullptr) return "";
  std::memset(data_of(first), 0x11, size);
  std::memset(data_of(second), 0x22, size);
  return data_of(first)[0] == 0x11 ? "" : "writing to a second tensor changes the first";
}

// The tensor describes itself when the caller's list of extents is gone: at which rank it does not; 0 where it does.
int rank_of_borrowed_shape(const Api& api, const NativeCase& asked) {
  for (const int rank : tried_ranks) {
    std::vector<std::int64_t> shape;
    const abi::Tensor prototype = prototype_of(vector_of_rank(asked, rank, 2), shape);
    const Allocated made(api, prototype);
    if (made.managed == nullptr) continue;
    shape.assign(shape.size(), 11);
    const abi::Tensor& tensor = made.managed->dl_tensor;
    if (tensor.ndim == rank && tensor.shape != nullptr && tensor.shape[rank - 1] == 11) return rank;
  }
  return 0;
}

// Elements of a tensor that is released, and of a larger one that may get its memory: of one power of two, and of two.
constexpr std::int64_t grown[][2] = {{5, 7},       {9, 15},      {20, 31},       {40, 60},        {70, 120},
                                     {150, 250},   {300, 500},   {600, 1000},    {1100, 2000},    {1500, 2500},
                                     {2100, 4000}, {5000, 8000}, {20000, 30000}, {70000, 120000}, {100000, 300000}};

// A tensor has memory for all its elements, though one of fewer was released before: each byte is written, and those of
// a tensor that lives are what they were. What lies between the two may be hurt as well, which the worker does not
// survive.
std::string small_block_problem(const Api& api, const NativeCase& asked) {
  const std::int64_t bits = std::int64_t{asked.layout.dtype.bits} * asked.layout.dtype.lanes;
  const auto size_of = [&](std::int64_t count) { return static_cast<std::size_t>((count * bits + 7) / 8); };
  const auto fill = [&](const Allocated& made, std::int64_t count, int value) {
    if (made.managed != nullptr) std::memset(data_of(made), value, size_of(count));
  };
  for (const auto& [few, many] : grown) {
    NativeCase vector = asked;
    std::vector<std::int64_t> shape, longer;
    vector.layout.shape = {few};
    const abi::Tensor small = prototype_of(vector, shape);
    vector.layout.shape = {many};
    const abi::Tensor large = prototype_of(vector, longer);
    auto first = std::make_unique<Allocated>(api, small);
    const Allocated beside(api, small);
    fill(beside, few, 0x11);
    first.reset();
    const Allocated made(api, large);
    fill(made, many, 0x22);
    if (beside.managed == nullptr || made.managed == nullptr) continue;
    const unsigned char* const kept = data_of(beside);
    if (std::any_of(kept, kept + size_of(few), [](unsigned char byte) { return byte != 0x11; }))
      return fmt::format("writing to a tensor of {} elements, made after one of {} was released, changes another", many,
                         few);
  }
  return "";
}

const Api* allocating(const DlspecPlugin& plugin, NativeAnswer& answer) {
  forget_table_calls();
  return table_with(&Api::managed_tensor_allocator, RuleId::exchange_fn_allocator_nonnull, plugin, answer);
}

}  // namespace

void table_allocator_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const Api* const api = allocating(plugin, answer);
  if (api == nullptr) return;
  const RuleId rule = RuleId::exchange_alloc_result;
  std::vector<std::int64_t> shape;
  const abi::Tensor prototype = prototype_of(asked, shape);
  const Allocated made(*api, prototype);
  judge_reports(made, answer);
  judge_table_calls(answer);
  if (!made.succeeded) return answer.rest_unsupported("the allocator makes no such tensor");
  if (made.managed == nullptr) return answer.violated(rule, "the allocator succeeded and gave no tensor", ordered);
  std::string problem = struct_problem(made, asked);
  const Allocated second(*api, prototype);
  if (problem.empty()) problem = memory_problem(made, second, asked.bytes.size());
  if (const int rank = problem.empty() ? rank_of_borrowed_shape(*api, asked) : 0)
    problem = fmt::format("a tensor of rank {} points to the caller's extents, and changes with them", rank);
  if (problem.empty()) problem = small_block_problem(*api, asked);
  const std::size_t left = problem.empty() ? growth_of(300, [&] { (void)Allocated(*api, prototype); }) : 0;
  if (left != 0) problem = fmt::format("each tensor that was released left {} bytes behind", left);
  answer.decide(rule, problem.empty(), problem, ordered);
}

void table_poisoned_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const Api* const api = allocating(plugin, answer);
  if (api == nullptr) return;
  const RuleId rule = RuleId::exchange_alloc_prototype_fields;
  static void* const untouchable = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::vector<std::int64_t> shape;
  const abi::Tensor prototype = prototype_of(asked, shape);
  abi::Tensor poisoned = prototype;
  poisoned.data = untouchable;
  poisoned.strides = static_cast<std::int64_t*>(untouchable);
  poisoned.byte_offset = no_offset;
  const Allocated plain(*api, prototype);
  const Allocated made(*api, poisoned);
  if (plain.managed == nullptr) return answer.rest_unsupported("the allocator makes no such tensor");
  if (made.altered) return answer.violated(rule, "the prototype was altered", "a prototype that is only read");
  if (made.managed == nullptr)
    return answer.violated(rule, "with other strides and byte_offset in the prototype the allocator fails",
                           four_members);
  const bool is_alike = made.managed->dl_tensor.byte_offset != no_offset && struct_problem(made, asked).empty();
  answer.decide(rule, is_alike || !struct_problem(plain, asked).empty(),
                "with another byte_offset in the prototype the tensor is another", four_members);
  poisoned.ndim = 0;
  const Allocated scalar(*api, poisoned);
  if (is_alike && scalar.managed != nullptr && scalar.managed->dl_tensor.byte_offset == no_offset)
    answer.violated(rule, "a scalar gets the byte_offset of its prototype", four_members);
}

void table_impossible_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const Api* const api = allocating(plugin, answer);
  if (api == nullptr) return;
  const std::string_view name = std::string_view(asked.variant).substr(std::string_view("table-allocator=").size());
  std::vector<std::int64_t> shape;
  abi::Tensor prototype = prototype_of(asked, shape);
  if (name == "rank") shape.assign(200, 1);
  const std::vector<std::int64_t> possible = shape;
  if (name == "huge") shape = {std::int64_t{1} << 40, std::int64_t{1} << 20};
  if (name == "memory") shape = {std::int64_t{1} << 34, std::int64_t{1} << 11};
  if (name == "negative") shape = {-3, 4};
  if (name == "overflow") shape = {std::int64_t{1} << 32, std::int64_t{1} << 32};
  if (name == "unknown-device") prototype.device = {unknown_device_type, 0};
  if (name == "unknown-dtype") prototype.dtype.code = unknown_dtype_code;
  prototype.shape = shape.data();
  prototype.ndim = static_cast<std::int32_t>(shape.size());
  const Allocated made(*api, prototype);
  judge_reports(made, answer);
  judge_table_calls(answer);
  if (made.managed == nullptr) return answer.rest_pass();
  const abi::Tensor& tensor = made.managed->dl_tensor;
  if (shape != possible) {
    return answer.violated(RuleId::exchange_alloc_result,
                           fmt::format("shape ({}, {}) was allocated", shape.front(), shape.back()),
                           "a failure: no memory holds so many elements");
  }
  const bool is_as_asked =
      tensor.dtype == prototype.dtype && tensor.device == prototype.device && tensor.ndim == prototype.ndim;
  answer.decide(
      RuleId::exchange_alloc_result, is_as_asked,
      fmt::format("rank {}, dtype code {} on device {} in the place of {}, {} on {}", tensor.ndim, tensor.dtype.code,
                  tensor.device.device_type, prototype.ndim, prototype.dtype.code, prototype.device.device_type),
      std::string(ordered) + ", or a failure");
}

}  // namespace dlspec::conformance
