// Consumers on a GPU: dlspec's own memory there is offered, and what the library shows of it is compared.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/worker/native/consumer_judgements.h>
#include <dlspec/conformance/worker/native/device_cases.h>
#include <dlspec/conformance/worker/native/gpu.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::conformance {
namespace {

// A tensor on the GPU, laid out as the same offer on the host is: its memory is copied as it lies.
class DeviceOffer {
 public:
  // NULL: there is no such tensor; `problem` then says why.
  static std::unique_ptr<DeviceOffer> make(const Gpu& gpu, const NativeCase& asked, Generation generation,
                                           std::string& problem) {
    const std::unique_ptr<Offer> laid_out = Offer::make(ordinary_offer(asked, generation), problem);
    if (laid_out == nullptr) return nullptr;
    OfferRequest request = laid_out->request();
    request.descriptor.device = gpu.device();
    std::unique_ptr<DeviceOffer> made(new DeviceOffer(gpu, *laid_out));
    if (!made->image_.empty()) {
      if (!made->is_there()) {
        problem = "the driver gives no memory";
        return nullptr;
      }
      request.data = made->address_ - static_cast<std::uintptr_t>(made->begin_);
    }
    made->offer_ = Offer::make(std::move(request), problem);
    return made->offer_ != nullptr ? std::move(made) : nullptr;
  }
  ~DeviceOffer() {
    if (address_ != 0) gpu_.release(address_);
  }
  DeviceOffer(const DeviceOffer&) = delete;
  DeviceOffer& operator=(const DeviceOffer&) = delete;

  [[nodiscard]] Offer& offer() { return *offer_; }
  // No byte of the tensor's memory has changed.
  [[nodiscard]] bool is_intact() const {
    std::vector<std::uint8_t> now(image_.size());
    return image_.empty() || (gpu_.read(address_, now) && now == image_);
  }

 private:
  DeviceOffer(const Gpu& gpu, const Offer& laid_out) : gpu_(gpu) {
    const Layout& layout = laid_out.request().descriptor.layout;
    const reference::ByteSpan span = *reference::byte_span(layout, layout.byte_offset, layout.dtype);
    if (span.size() == 0) return;  // no elements, no memory
    begin_ = std::min<std::int64_t>(span.begin, 0);
    image_.assign(laid_out.data() + begin_, laid_out.data() + span.end);
    address_ = gpu.allocate(image_.size());
    if (address_ != 0 && !gpu.write(address_, image_)) {
      gpu.release(address_);
      address_ = 0;
    }
  }
  [[nodiscard]] bool is_there() const { return address_ != 0; }

  const Gpu& gpu_;
  std::vector<std::uint8_t> image_;  // of the memory that the tensor spans
  std::int64_t begin_ = 0;           // bytes from data, where reversed axes begin before it
  std::uintptr_t address_ = 0;
  std::unique_ptr<Offer> offer_;
};

// Are the same elements misread where they are compact, too? Then the layout is not to blame.
bool misreads_compact(const DlspecPlugin& plugin, const Gpu& gpu, const NativeCase& asked, Generation generation) {
  NativeCase compact = asked;
  compact.layout.strides.reset();
  compact.layout.byte_offset = 0;
  std::string problem;
  const std::unique_ptr<DeviceOffer> offered = DeviceOffer::make(gpu, compact, generation, problem);
  if (offered == nullptr) return false;
  const PluginImport import = import_and_release(plugin, offered->offer());
  return import.taken && !misread(offered->offer(), import).empty();
}

}  // namespace

template <Generation generation>
void device_import_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  std::string problem;
  const Gpu* const gpu = Gpu::asked(problem);
  if (gpu == nullptr) return answer.rest_blocked(problem);
  const std::unique_ptr<DeviceOffer> offered = DeviceOffer::make(*gpu, asked, generation, problem);
  if (offered == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport import = import_and_release(plugin, offered->offer());
  const ConsumerTrial trial{plugin, asked, offered->offer(), import, answer};
  judge_conduct(trial);
  answer.decide(RuleId::flags_read_only_not_written, offered->is_intact(), "memory of the GPU was written to",
                "memory that is left alone");
  if (!import.taken) {
    // Whoever refuses whatever lies on a GPU shows nothing of it: a rule that a refusal keeps was not exercised there.
    answer.keep_violated();
    return answer.rest_unsupported(import.reason);
  }
  const std::string wrong_elements = misread(offered->offer(), import);
  if (!wrong_elements.empty() && misreads_compact(plugin, *gpu, asked, generation)) {
    answer.set(RuleId::tensor_element_address, wrong(wrong_elements, offered_contents));
    return answer.rest_blocked("by tensor.element-address");
  }
  judge_contents(trial);
}
template NativeCaseFunction device_import_case<Generation::versioned>;
template NativeCaseFunction device_import_case<Generation::legacy>;

}  // namespace dlspec::conformance
