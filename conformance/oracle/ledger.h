// The books of a sequence of exports: what each live export said when it was made, what its elements must be, and how
// often its deleter was called. One call compares all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// In whose hands an export is.
enum class Hands : std::uint8_t {
  ours,      // nobody else may call its deleter
  theirs,    // given to a consumer, or to a capsule's destructor: its deleter may be called once
  released,  // its deleter was called by us, or nobody will: it is not read any more
};

// What an export said when it was entered.
struct LedgerEntry {
  Generation generation = Generation::legacy;
  std::uint64_t flags = 0;
  std::uintptr_t first = 0;  // address of element (0, ..., 0)
  std::vector<std::int64_t> shape;
  std::size_t item = 0;  // bytes of an element
  bool null_deleter = false;
  bool compiled_deleter = false;
};

// What an export does not keep to.
struct LedgerDeviation {
  enum class What : std::uint8_t { description, elements, calls };
  int number = 0;
  What what = What::description;
  std::string observed;
};

class Ledger {
 public:
  static constexpr std::size_t most_elements = 4096;  // of one export

  // Enters an export and takes over its deleter (Watch). Returns "" or why it cannot be followed: its struct is watched
  // already, or its elements are not whole bytes in host memory. Expects the elements that it shows now.
  [[nodiscard]] std::string enter(int number, Exported exported);
  [[nodiscard]] const LedgerEntry& entry(int number) const { return page(number).entry; }

  // The elements that it must show from now on, in C order. False when that is another number of bytes.
  bool expect(int number, std::span<const std::uint8_t> elements);
  void give(int number, Hands hands) { page(number).hands = hands; }
  // Calls the deleter as its consumer does, once: false when there is none, or when it has been called already.
  bool release(int number);
  void forget(int number) { pages_.erase(number); }

  // The elements as they stand in its memory now. The export must be alive.
  [[nodiscard]] std::vector<std::uint8_t> elements(int number) const;
  void write(int number, std::span<const std::uint8_t> elements);
  [[nodiscard]] int calls(int number) const { return page(number).watch->calls(); }
  // A number for how it was described when it was entered: equal for equal descriptions, but for addresses.
  [[nodiscard]] std::uint64_t looks(int number) const;
  [[nodiscard]] bool has(int number) const { return pages_.contains(number); }

  // The first deviation, in the order of the numbers; afterwards it is expected, so that each is told once.
  [[nodiscard]] std::optional<LedgerDeviation> check();

 private:
  struct Page {
    Exported exported{Generation::bare, nullptr};
    std::shared_ptr<Watch> watch;
    LedgerEntry entry;
    abi::Tensor tensor;
    abi::Version version{};
    std::vector<std::int64_t> strides;
    std::vector<std::ptrdiff_t> places;  // of the elements in C order, bytes from element (0, ..., 0)
    std::vector<std::uint8_t> expected;
    Hands hands = Hands::ours;
    int told_calls = 0;

    [[nodiscard]] std::string description_problem() const;
    [[nodiscard]] std::string elements_problem() const;
  };
  [[nodiscard]] const Page& page(int number) const { return pages_.at(number); }
  [[nodiscard]] Page& page(int number) { return pages_.at(number); }

  std::map<int, Page> pages_;
};

}  // namespace dlspec::conformance
