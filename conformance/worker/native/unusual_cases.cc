// Consumers: an offset of more than 32 bits, strides of axes of one element, and a context that is NULL, whether the
// tensor is taken or refused.
#include <sys/mman.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <dlspec/conformance/worker/native/consumer_judgements.h>
#include <dlspec/conformance/worker/native/hostile_cases.h>
#include <dlspec/conformance/worker/native/offer_alterations.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {

using enum Generation;
using namespace alterations;

// Elements 2^32 + 64 bytes behind `data`. The memory between is reserved, and nobody touches it.
void far_offset_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::uint64_t distance = (std::uint64_t{1} << 32) + 64;
  constexpr std::size_t size = distance + (std::size_t{1} << 16);
  static void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return answer.rest_unsupported("no address space for such an offset");
  if (!shows_ordinary(plugin, asked)) return answer.rest_blocked("by the elements of an ordinary import");
  OfferRequest request = ordinary_offer(asked, asked.legacy ? legacy : versioned);
  request.data = reinterpret_cast<std::uintptr_t>(memory);
  request.descriptor.layout.byte_offset = distance;
  abi::Tensor tensor{};
  tensor.data = memory;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = static_cast<std::int32_t>(request.descriptor.layout.shape.size());
  tensor.dtype = request.descriptor.layout.dtype;
  tensor.shape = request.descriptor.layout.shape.data();
  tensor.strides = request.descriptor.layout.strides->data();
  tensor.byte_offset = distance;
  if (reference::scatter(request.contents, tensor, false) != Status::ok)
    return answer.rest_blocked("by its own memory");
  judge_offered(plugin, asked, std::move(request), judge_contents, answer);
}

namespace {

void judge_far_strides(const ConsumerTrial& trial) {
  judge_legal_forms(trial, {{RuleId::tensor_strides_extent1_ignored, nothing}});
}

// One of two columns: every second element, so that rows are two elements apart. Its axis of one element may have any
// stride, that of the rows too.
void judge_column(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::size_t count = 4;
  const std::size_t size = item_size(asked.layout.dtype);
  if (size == 0 || asked.bytes.size() < count * size) return;
  const auto shown = [&](std::int64_t step) {
    OfferRequest request = ordinary_offer(asked, asked.legacy ? legacy : versioned);
    request.descriptor.layout.shape = {count, 1};
    request.descriptor.layout.strides = std::vector<std::int64_t>{2, step};
    request.descriptor.layout.byte_offset = 0;
    request.contents.resize(count * size);
    return try_offer(plugin, std::move(request));
  };
  const ComparisonImport alone = shown(1);
  if (!alone.taken || alone.misread || !shown(2).misread) return;
  answer.set(RuleId::tensor_strides_extent1_ignored,
             wrong("with strides (2,2) of shape (4,1) other elements", "those that strides (2,1) show"));
}

}  // namespace

void far_strides_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (!shows_ordinary(plugin, asked)) return answer.rest_blocked("by the elements of an ordinary import");
  OfferRequest request = ordinary_offer(asked, asked.legacy ? legacy : versioned);
  with_far_strides(request);
  judge_offered(plugin, asked, std::move(request), judge_far_strides, answer);
  if (!answer.is_violated(RuleId::tensor_strides_extent1_ignored)) judge_column(plugin, asked, answer);
}

namespace {

// A tensor that is refused is released, whatever its context is.
void context_refused(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const auto released_once = [&](auto alter) {
    OfferRequest request = ordinary_offer(asked, asked.legacy ? legacy : versioned);
    of_unknown_dtype(request);
    alter(request);
    std::string problem;
    const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
    return offer == nullptr || import_and_release(plugin, *offer).taken || offer->counts().deleter_calls == 1;
  };
  if (released_once(nothing) && !released_once(with_context<0>)) {
    answer.violated(RuleId::managed_ctx_opaque, "a tensor with manager_ctx NULL was refused and not released once",
                    "one call of the deleter");
  }
}

}  // namespace

void null_context_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (!shows_ordinary(plugin, asked)) return answer.rest_blocked("by the elements of an ordinary import");
  OfferRequest request = ordinary_offer(asked, asked.legacy ? legacy : versioned);
  with_context<0>(request);
  judge_offered(plugin, asked, std::move(request), judge_alike, answer);
  context_refused(plugin, asked, answer);
}

}  // namespace dlspec::conformance
