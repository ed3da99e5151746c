#include <dlspec/conformance/oracle/offer_exports.h>

#include <algorithm>
#include <utility>

#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

// The numbers as the struct's rank wants them. Where it is another one than the layout's, as many ones
// follow as a careful reader looks at, and as the rank says up to 2^20 (8 MiB); the outer ones come first.
std::vector<std::int64_t> numbers_for(std::vector<std::int64_t> numbers, const OfferRequest& request) {
  constexpr std::int32_t longest_read = 256;
  constexpr std::int32_t longest_table = 1 << 20;
  numbers.insert(numbers.begin(), request.outer_ones, 1);
  if (request.ndim || request.hostile != nullptr) {
    const std::int32_t rank = request.ndim.value_or(0);
    numbers.resize(static_cast<std::size_t>(rank > longest_table ? longest_read : std::max(longest_read, rank)), 1);
  }
  return numbers;
}

}  // namespace

bool Offer::State::is_read_only() const {
  return !writable && request.descriptor.generation == Generation::versioned &&
         (request.descriptor.flags & flags::read_only) != 0;
}

bool Offer::State::poison_intact() const { return memory->state() == FenceState::closed || memory->poison_intact(); }

void Offer::State::revive() {
  if (poisoned) {
    if (!poison_intact()) ++counts.late_writes;
    memory->set(FenceState::open);
    memory->restore();
    poisoned = false;
  }
  if (is_read_only()) memory->set(FenceState::read_only);
}

void Offer::State::last_release() {
  last_seen = memory->contents();
  canaries_broken = canaries_broken || !memory->canaries_intact();
  if (!request.poison_on_release) return;
  memory->set(FenceState::open);
  memory->poison();
  poisoned = true;
  if (closing) memory->set(FenceState::closed);
}

Offer::Export::Export(std::shared_ptr<State> shared)
    : state(std::move(shared)),
      pages(numbers_for(state->request.descriptor.layout.shape, state->request),
            numbers_for(state->request.descriptor.layout.strides.value_or(std::vector<std::int64_t>()), state->request),
            state->request.surroundings, state->request.prefix_only) {}

void Offer::Export::fill_tensor(abi::Tensor& tensor) {
  const OfferRequest& request = state->request;
  const Layout& layout = request.descriptor.layout;
  tensor.data = request.descriptor.null_data ? nullptr : state->data();
  if (request.data) tensor.data = reinterpret_cast<void*>(*request.data);
  tensor.device = request.descriptor.device;
  tensor.ndim = request.ndim.value_or(static_cast<std::int32_t>(request.outer_ones + layout.shape.size()));
  tensor.dtype = request.dtype.value_or(layout.dtype);
  tensor.shape = request.null_shape ? nullptr : pages.shape();
  tensor.strides = layout.strides ? pages.strides() : nullptr;
  if (request.strides_nowhere) tensor.strides = pages.end_of_strides();
  tensor.byte_offset = layout.byte_offset;
  if (request.hostile != nullptr) request.hostile->spoil(tensor);
}

void Offer::Export::release() {
  released = true;
  if (!pages.intact()) ++state->counts.altered_structs;
  if (state->request.poison_on_release) pages.poison();
  pages.remember();
  if (--state->counts.live == 0) state->last_release();
  if (state->closing) pages.close();
}

}  // namespace dlspec::conformance
