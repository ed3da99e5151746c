#include <dlspec/conformance/oracle/ledger.h>

#include <cstring>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

constexpr std::int32_t highest_rank = 64;

bool is_aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 8 == 0; }

// Why this tensor cannot be followed; "" when it can. Only fields of the struct are read, and the shape.
std::string obstacle(const abi::Tensor& tensor) {
  const DeviceRow* const device = find_device(tensor.device.device_type);
  if (device == nullptr || !device->host) return "its elements do not lie in host memory";
  if (tensor.ndim < 0 || tensor.ndim > highest_rank) return "its rank is not usable";
  if (!is_aligned(tensor.shape) || !is_aligned(tensor.strides)) return "its shape or strides cannot be read";
  if (tensor.ndim > 0 && tensor.shape == nullptr) return "it has no shape";
  if (element_bits(tensor.dtype) == 0 || element_bits(tensor.dtype) % 8 != 0) return "its elements are not whole bytes";
  std::size_t count = 1;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) return "an extent is negative";
    count *= static_cast<std::size_t>(tensor.shape[axis]);
    if (count > Ledger::most_elements) return "it is too large";
  }
  return count > 0 && tensor.data == nullptr ? "its data is NULL" : "";
}

// Where each element stands in C order, in bytes from element (0, ..., 0).
std::vector<std::ptrdiff_t> places_of(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                                      std::size_t item) {
  std::vector<std::ptrdiff_t> places{0};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<std::ptrdiff_t> next;
    for (const std::ptrdiff_t place : places) {
      for (std::int64_t i = 0; i < shape[axis]; ++i)
        next.push_back(place + static_cast<std::ptrdiff_t>(i * strides[axis]) * static_cast<std::ptrdiff_t>(item));
    }
    places = std::move(next);
  }
  return places;
}

std::uint8_t* first_of(const abi::Tensor& tensor) {
  return static_cast<std::uint8_t*>(tensor.data) + tensor.byte_offset;
}

std::string calls_text(int calls) {
  return calls == 1 ? "once" : calls == 2 ? "twice" : std::to_string(calls) + " times";
}

}  // namespace

std::string Ledger::enter(int number, Exported exported) {
  const abi::Tensor& tensor = exported.tensor();
  if (std::string why = obstacle(tensor); !why.empty()) return why;
  Page page;
  page.exported = exported;
  page.tensor = tensor;
  page.entry.generation = exported.generation();
  page.entry.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  page.entry.item = element_bits(tensor.dtype) / 8;
  if (tensor.strides != nullptr) page.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  if (exported.generation() == Generation::versioned) {
    page.entry.flags = exported.versioned().flags;
    page.version = exported.versioned().version;
  }
  const auto strides =
      tensor.strides != nullptr ? page.strides : reference::row_major_strides(page.entry.shape).value();
  page.places = places_of(page.entry.shape, strides, page.entry.item);
  page.entry.first = reinterpret_cast<std::uintptr_t>(first_of(tensor));
  page.watch = Watch::attach(exported);
  if (page.watch == nullptr) return "its struct is that of another export";
  page.entry.null_deleter = page.watch->null_deleter();
  page.entry.compiled_deleter = page.watch->compiled();
  pages_.insert_or_assign(number, std::move(page));
  pages_.at(number).expected = elements(number);
  return "";
}

std::uint64_t Ledger::looks(int number) const {
  const Page& page = this->page(number);
  std::uint64_t hash = static_cast<std::uint64_t>(page.entry.generation);
  const auto add = [&hash](auto value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001b3; };
  const abi::DataType& dtype = page.tensor.dtype;
  for (const unsigned part : {unsigned{dtype.code}, unsigned{dtype.bits}, unsigned{dtype.lanes}}) add(part);
  for (const auto part : {page.version.major, page.version.minor}) add(part);
  for (const std::int64_t extent : page.entry.shape) add(extent);
  for (const std::int64_t stride : page.strides) add(stride);
  add(page.entry.flags);
  add(page.tensor.byte_offset);
  add(page.tensor.shape == nullptr ? 1 : 0);
  add(page.entry.null_deleter ? 1 : 0);
  return hash;
}

bool Ledger::expect(int number, std::span<const std::uint8_t> elements) {
  Page& entered = page(number);
  if (elements.size() != entered.places.size() * entered.entry.item) return false;
  entered.expected.assign(elements.begin(), elements.end());
  return true;
}

bool Ledger::release(int number) {
  Page& entered = page(number);
  entered.hands = Hands::released;
  const bool called = entered.watch->release();
  entered.told_calls = called ? 1 : entered.watch->calls();
  return called;
}

std::vector<std::uint8_t> Ledger::elements(int number) const {
  const Page& entered = page(number);
  std::vector<std::uint8_t> found(entered.places.size() * entered.entry.item);
  std::uint8_t* to = found.data();
  for (const std::ptrdiff_t place : entered.places) {
    std::memcpy(to, first_of(entered.tensor) + place, entered.entry.item);
    to += entered.entry.item;
  }
  return found;
}

void Ledger::write(int number, std::span<const std::uint8_t> elements) {
  const Page& entered = page(number);
  const std::uint8_t* from = elements.data();
  for (const std::ptrdiff_t place : entered.places) {
    std::memcpy(first_of(entered.tensor) + place, from, entered.entry.item);
    from += entered.entry.item;
  }
}

std::string Ledger::Page::description_problem() const {
  const abi::Tensor& now = exported.tensor();
  if (now.ndim != tensor.ndim) return "ndim has changed";
  if (now.data != tensor.data || now.byte_offset != tensor.byte_offset) return "data or byte_offset has changed";
  if (now.dtype != tensor.dtype) return "dtype has changed";
  if (now.device != tensor.device) return "device has changed";
  if ((now.shape == nullptr) != (tensor.shape == nullptr)) return "shape has changed";
  if ((now.strides == nullptr) != (tensor.strides == nullptr)) return "strides has become NULL, or is no longer";
  for (std::size_t axis = 0; axis < entry.shape.size(); ++axis) {
    if (now.shape[axis] != entry.shape[axis]) return "shape[" + std::to_string(axis) + "] has changed";
    if (!strides.empty() && now.strides[axis] != strides[axis])
      return "strides[" + std::to_string(axis) + "] has changed";
  }
  if (entry.generation != Generation::versioned) return "";
  if (exported.versioned().flags != entry.flags) return "flags has changed";
  return exported.versioned().version == version ? "" : "version has changed";
}

std::string Ledger::Page::elements_problem() const {
  const std::uint8_t* wanted = expected.data();
  std::size_t number = 0;
  for (const std::ptrdiff_t place : places) {
    if (std::memcmp(first_of(tensor) + place, wanted, entry.item) != 0) return "element " + std::to_string(number);
    wanted += entry.item;
    ++number;
  }
  return "";
}

std::optional<LedgerDeviation> Ledger::check() {
  using What = LedgerDeviation::What;
  for (auto& [number, entered] : pages_) {
    const int calls = entered.watch->calls();
    const int due = entered.hands == Hands::ours ? 0 : 1;
    if (calls > due && calls > entered.told_calls) {
      entered.told_calls = calls;
      entered.hands = Hands::released;
      return LedgerDeviation{number, What::calls, "its deleter was called " + calls_text(calls)};
    }
    if (entered.hands == Hands::released || calls > 0) continue;
    if (std::string problem = entered.description_problem(); !problem.empty()) {
      entered.hands = Hands::released;
      return LedgerDeviation{number, What::description, std::move(problem)};
    }
    if (std::string problem = entered.elements_problem(); !problem.empty()) {
      entered.expected = elements(number);
      return LedgerDeviation{number, What::elements, std::move(problem)};
    }
  }
  return std::nullopt;
}

}  // namespace dlspec::conformance
