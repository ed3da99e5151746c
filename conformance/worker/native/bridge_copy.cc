#include <dlspec/conformance/worker/native/bridge_copy.h>

#include <memory>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

using Bytes = std::vector<std::uint8_t>;

// One operand of a copy: its memory, with these contents, and its descriptor.
class CopyOperand {
 public:
  CopyOperand(const DlspecBridge& bridge, const Layout& layout, const Bytes& contents, Placement placement)
      : memory_(CanaryMemory::make(layout, false, contents, problem_, placement)),
        empty_(contents.empty()),
        handle_(bridge, Description(layout)),
        offset_(layout.byte_offset) {}

  // Why dlspec cannot make it; "" when it can.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const Handle& handle() const { return handle_; }
  [[nodiscard]] CanaryMemory& memory() const { return *memory_; }
  [[nodiscard]] void* first() const { return empty_ ? nullptr : memory_->data() + offset_; }

 private:
  std::string problem_;
  std::unique_ptr<CanaryMemory> memory_;
  bool empty_;
  Handle handle_;
  std::uint64_t offset_;
};

}  // namespace

Layout compact(const Layout& layout) { return {layout.dtype, layout.shape, {}, 0}; }

Bytes opposite(Bytes contents) {
  for (std::uint8_t& byte : contents) byte = static_cast<std::uint8_t>(~byte);
  return contents;
}

Copied copy(const DlspecBridge& bridge, const Layout& to, const Layout& from, const Bytes& contents,
            Placement placement) {
  const CopyOperand source(bridge, from, contents, placement);
  const CopyOperand target(bridge, to, opposite(contents), placement);
  Copied copied;
  copied.problem = source.problem() + target.problem();
  if (!copied.problem.empty()) return copied;
  for (const CopyOperand* operand : {&source, &target}) {
    if (operand->handle().made()) continue;
    copied.reason = operand->handle().reason();
    return copied;
  }
  source.memory().invert_canaries();
  source.memory().set(FenceState::read_only);
  const BridgeAnswer answer = rearrange_by(bridge, target.handle(), target.first(), source.handle(), source.first());
  copied.done = answer.done();
  copied.reason = answer.reason();
  copied.difference = difference(target.memory().contents(), copied.done ? contents : opposite(contents));
  copied.gaps_intact = target.memory().canaries_intact();
  return copied;
}

Copied copy_everywhere(const DlspecBridge& bridge, const Layout& to, const Layout& from, const Bytes& contents) {
  Copied copied;
  for (const Placement placement : {Placement::heap, Placement::end, Placement::start}) {
    copied = copy(bridge, to, from, contents, placement);
    if (!copied.done || !copied.difference.empty() || !copied.gaps_intact) break;
  }
  return copied;
}

Copied plain_copy(const DlspecBridge& bridge, const NativeCase& asked) {
  if (!asked.bytes.empty())
    return copy(bridge, compact(asked.layout), compact(asked.layout), asked.bytes, Placement::heap);
  const Layout some{asked.layout.dtype, {3, 4}, {}, 0};
  return copy(bridge, some, some, Bytes(std::size_t{12} * item_size(some.dtype), 0x21), Placement::heap);
}

}  // namespace dlspec::conformance
