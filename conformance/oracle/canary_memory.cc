#include <dlspec/conformance/oracle/canary_memory.h>

#include <algorithm>
#include <new>
#include <utility>

#include <dlspec/conformance/oracle/elements.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {
namespace {

// A pattern whose period is prime, so that no stride repeats it.
std::uint8_t canary(std::size_t position) { return static_cast<std::uint8_t>(0xA5U ^ (position % 251)); }

std::size_t round_up(std::size_t size) {
  return (size + CanaryMemory::alignment - 1) / CanaryMemory::alignment * CanaryMemory::alignment;
}

// How many bytes the elements take before data, and from data on.
struct Need {
  std::size_t before = 0;
  std::size_t after = 0;
};

std::optional<Need> need(const Layout& layout, bool padded) {
  using reference::Wide;
  const auto reach = reference::reach(layout, reference::storage_bits(layout.dtype, padded));
  if (!reach) return Need{};
  const Wide first = reach->low_bytes + layout.byte_offset;
  const Wide last = reach->high_bytes + layout.byte_offset;
  const Wide before = std::max(Wide(0), -first);
  const Wide after = std::max(Wide(0), last);
  if (before + after > CanaryMemory::limit) return std::nullopt;
  return Need{static_cast<std::size_t>(*before.to_uint64()), static_cast<std::size_t>(*after.to_uint64())};
}

std::string contradiction(const Layout& layout) {
  if (element_bits(layout.dtype) == 0) return "the dtype has no bits";
  if (!reference::extents_valid(layout.shape)) return "an extent is negative";
  if (layout.strides && layout.strides->size() != layout.shape.size()) {
    return "there are " + std::to_string(layout.strides->size()) + " strides for " +
           std::to_string(layout.shape.size()) + " extents";
  }
  return "";
}

std::string wrong_length(const Layout& layout, std::size_t length) {
  const auto expected = byte_size(reference::element_count(layout.shape), element_bits(layout.dtype));
  if (expected == reference::Wide(length)) return "";
  return "the contents have " + std::to_string(length) + " bytes, the elements " + expected.to_string();
}

}  // namespace

void CanaryMemory::Release::operator()(std::uint8_t* memory) const {
  ::operator delete(memory, std::align_val_t{alignment});
}

std::unique_ptr<CanaryMemory> CanaryMemory::make(const Layout& layout, bool padded,
                                                 std::span<const std::uint8_t> contents, std::string& problem,
                                                 Placement placement) {
  problem = contradiction(layout);
  if (problem.empty()) problem = wrong_length(layout, contents.size());
  if (!problem.empty()) return nullptr;
  std::unique_ptr<CanaryMemory> made(new CanaryMemory(layout, padded));
  if (!made->allocate(placement)) {
    problem = "the elements reach further than " + std::to_string(limit) + " bytes";
    return nullptr;
  }
  made->fill(contents);
  std::vector<std::uint8_t> read_back;
  const Status status = get_elements(layout, padded, made->data_, read_back);
  if (status == Status::ok) return made;
  problem = describe(status);
  return nullptr;
}

bool CanaryMemory::allocate(Placement placement) {
  const auto bytes = need(layout_, padded_);
  if (!bytes) return false;
  before_ = bytes->before;
  after_ = bytes->after;
  placement == Placement::heap ? allocate_on_heap() : allocate_in_fence(placement);
  return true;
}

void CanaryMemory::allocate_on_heap() {
  const std::size_t front = round_up(before_ + guard);
  size_ = front + round_up(after_ + guard);
  heap_.reset(static_cast<std::uint8_t*>(::operator new(size_, std::align_val_t{alignment})));
  memory_ = heap_.get();
  data_ = memory_ + front;
}

void CanaryMemory::allocate_in_fence(Placement placement) {
  const std::size_t front = placement == Placement::start ? before_ : round_up(before_ + guard);
  const std::size_t back = placement == Placement::start     ? round_up(after_ + guard)
                           : placement == Placement::aligned ? round_up(after_)
                                                             : after_;
  size_ = front + back;
  fence_ = Fence::make(size_, FencePart::data);
  memory_ =
      placement == Placement::start ? fence_->bytes().data() : fence_->bytes().data() + fence_->bytes().size() - size_;
  data_ = memory_ + front;
  fence_->mark(body().data(), body().size());
}

void CanaryMemory::set(FenceState state) {
  if (fence_ != nullptr) fence_->set(state);
}

// The bits of the elements are found by writing ones only into zeroed memory.
void CanaryMemory::fill(std::span<const std::uint8_t> contents) {
  std::fill_n(memory_, size_, std::uint8_t{0});
  put_elements(layout_, padded_, data_, std::vector<std::uint8_t>(contents.size(), 0xFF));
  elements_.assign(memory_, memory_ + size_);
  for (std::size_t i = 0; i < size_; ++i) memory_[i] = canary(i);
  put_elements(layout_, padded_, data_, contents);
  image_.assign(memory_, memory_ + size_);
}

std::span<const std::uint8_t> CanaryMemory::body() const { return {data_ - before_, before_ + after_}; }

std::vector<std::uint8_t> CanaryMemory::contents() const {
  std::vector<std::uint8_t> contents;
  (void)get_elements(layout_, padded_, data_, contents);  // make() tried it
  return contents;
}

bool CanaryMemory::canaries_intact() const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (((memory_[i] ^ image_[i]) & ~elements_[i] & 0xFF) != 0) return false;
  }
  return true;
}

void CanaryMemory::restore() { std::copy(image_.begin(), image_.end(), memory_); }

void CanaryMemory::invert_canaries() {
  for (std::size_t i = 0; i < size_; ++i) image_[i] = static_cast<std::uint8_t>(image_[i] ^ ~elements_[i]);
  restore();
}

void CanaryMemory::poison() { std::fill_n(memory_, size_, poison_byte); }

bool CanaryMemory::poison_intact() const {
  return std::all_of(memory_, memory_ + size_, [](std::uint8_t byte) { return byte == poison_byte; });
}

}  // namespace dlspec::conformance
