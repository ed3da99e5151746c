// A tensor that a bridge imports and exports again, judged as any producer's export.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

// What an export says of its tensor.
struct Described {
  explicit Described(const abi::Tensor& tensor) : data(tensor.data), byte_offset(tensor.byte_offset) {
    const auto rank = static_cast<std::size_t>(tensor.ndim);
    shape.assign(tensor.shape, tensor.shape + rank);
    if (tensor.strides != nullptr) strides.assign(tensor.strides, tensor.strides + rank);
  }
  bool operator==(const Described&) const = default;
  const void* data;
  std::uint64_t byte_offset;
  std::vector<std::int64_t> shape, strides;
};

// Descriptors and exports of another tensor, so that memory which was freed is used again.
void use_memory_again(const DlspecBridge& bridge, abi::DataType dtype, std::size_t rank, void* data) {
  std::vector<std::unique_ptr<Handle>> handles;
  std::vector<std::unique_ptr<Outgoing>> exports;
  for (int i = 0; i < 8; ++i) {
    handles.push_back(std::make_unique<Handle>(bridge, Description(dtype, std::vector<std::size_t>(rank, 1))));
    if (handles.back()->made()) exports.push_back(std::make_unique<Outgoing>(bridge, *handles.back(), data));
  }
}

// The same tensor with its data some elements before the first: twice, because what was taken before may be remembered,
// and then as it was.
void judge_offset(const DlspecBridge& bridge, const Layout& layout, void* first, Generation generation,
                  NativeAnswer& answer) {
  constexpr RuleId rule = RuleId::tensor_byte_offset_honoured;
  const std::uint64_t bytes = std::uint64_t{64} * item_size(layout.dtype);
  const Loan plain(layout, first, generation), offset(layout, first, generation, bytes);
  const Handle ordinary(bridge, plain);
  if (ordinary.data() != first) return answer.blocked(rule, "by where an import without byte_offset begins");
  for (const Loan* const loan : {&offset, &offset, &plain}) {
    const Handle imported(bridge, *loan);
    if (!imported.made()) return answer.set(rule, {Outcome::Kind::unsupported, imported.reason(), {}, {}});
    const auto distance = static_cast<char*>(imported.data()) - static_cast<char*>(first);
    if (distance == 0) continue;
    const char* const which = loan == &offset ? "with" : "after one with";
    return answer.violated(rule,
                           fmt::format("{} byte_offset {} the imported data begin {} bytes from element (0, ..., 0)",
                                       which, bytes, distance),
                           "its address");
  }
  answer.pass(rule);
}

// Whether an export of this generation says the same when the descriptor of its import is gone.
bool outlives_its_descriptor(const DlspecBridge& bridge, const Loan& loan, Generation generation) {
  auto imported = std::make_unique<Handle>(bridge, loan);
  if (!imported->made()) return true;
  void* const first = imported->data();
  const Outgoing made(bridge, *imported, first, {generation});
  if (!made.made()) return true;
  const Described before(made.tensor());
  const abi::DataType dtype = made.tensor().dtype;
  imported.reset();
  use_memory_again(bridge, dtype, before.shape.size(), first);
  return Described(made.tensor()) == before;
}

// Of a versioned export.
std::uint64_t flags_of(const Outgoing& outgoing) {
  return static_cast<const abi::v1::ManagedTensor*>(outgoing.exported().object())->flags;
}

}  // namespace

// A tensor whose narrow elements fill a byte each: refused, or exported again as what it is.
void padded_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  std::string problem;
  const std::optional<Generation> generation = taken_generation(bridge, problem);
  if (!generation) return answer.rest_unsupported(problem);
  if (generation != Generation::versioned) return answer.rest_not_applicable();  // legacy tensors have no flags
  std::uint8_t memory[64] = {};                                                  // more than the elements
  const Layout layout = ordered_layout(asked);
  Loan padded(layout, memory, Generation::versioned);
  padded.set_flags(flags::subbyte_padded);
  const Handle imported(bridge, padded);
  if (!imported.made()) return answer.rest({});
  const Outgoing again(bridge, imported, imported.data(), {Generation::versioned});
  if (!again.made()) return answer.rest_unsupported(again.reason());
  const bool is_packed = again.tensor().dtype == layout.dtype && (flags_of(again) & flags::subbyte_padded) == 0;
  answer.decide(RuleId::flags_padded_checked, !is_packed,
                "a tensor whose elements fill a byte each is exported again as one of packed elements",
                "a refusal, or the flag");
}

void reexport_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  std::string problem;
  const Layout layout = ordered_layout(asked);
  const auto memory = CanaryMemory::make(layout, false, asked.bytes, problem, Placement::aligned);
  if (memory == nullptr) return answer.rest_blocked("dlspec cannot make this tensor: " + problem);
  void* const first = memory->data() + layout.byte_offset;
  const std::optional<Generation> generation = taken_generation(bridge, problem);
  if (!generation) return answer.rest_unsupported(problem);
  const Loan loan(layout, first, *generation);
  const Handle imported(bridge, loan);
  if (!imported.made()) return answer.rest_unsupported(imported.reason());
  if (!asked.bytes.empty()) judge_offset(bridge, layout, first, *generation, answer);
  const Outgoing again(bridge, imported, imported.data());
  if (!again.made()) return answer.rest_unsupported(again.reason());
  judge_export(again.exported(), asked, answer);

  // A descriptor of the same tensor that was described, not imported: what it exports wrongly is judged elsewhere.
  const Handle described(bridge, Description(layout));
  const Outgoing plain(bridge, described, first);
  NativeAnswer ordinary(asked);
  if (plain.made()) judge_export(plain.exported(), asked, ordinary);
  for (const RuleId rule : asked.rules) {
    if (answer.is_violated(rule) && ordinary.is_violated(rule)) answer.blocked(rule, "by what a description exports");
  }
  const auto elements = answer.outcomes().find(RuleId::tensor_element_address);
  const bool readable = elements != answer.outcomes().end() && elements->second.kind == Outcome::Kind::pass;
  if (!readable) return answer.rest_blocked("by the elements of the export");
  const bool lasts = outlives_its_descriptor(bridge, loan, Generation::versioned) &&
                     outlives_its_descriptor(bridge, loan, Generation::legacy);
  answer.decide(RuleId::tensor_metadata_lifetime, lasts,
                "after the import's descriptor was destroyed the export says something else",
                "a description that lasts until the deleter returns");
  answer.rest_not_applicable();
}

}  // namespace dlspec::conformance
