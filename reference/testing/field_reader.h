// Reads a string of bytes field by field: the input of total decoders. What listens to the fields can also replace
// their bytes, so that mutators know the fields of a string without a second writing of its format.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

namespace dlspec::testing {

// Told where fields begin.
class FieldListener {
 public:
  virtual ~FieldListener() = default;
  // A field of this kind is read next; the one before ends where `rest` begins. Returns the bytes to read on with.
  virtual std::span<const std::uint8_t> next_field(std::uint8_t kind, std::span<const std::uint8_t> rest) = 0;
  // The last field ends where `rest` begins.
  virtual void end(std::span<const std::uint8_t> rest) = 0;
};

// Zeros after the last byte.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::uint8_t> bytes, FieldListener* listener = nullptr)
      : bytes_(bytes), listener_(listener) {}
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;
  ~FieldReader() {
    if (listener_ != nullptr) listener_->end(bytes_);
  }

  // What is read from here on is a field of this kind. Every byte belongs to one.
  template <class Kind>
  void field(Kind kind) {
    if (listener_ != nullptr) bytes_ = listener_->next_field(static_cast<std::uint8_t>(kind), bytes_);
  }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }

  // A memcpy of a size that the compiler does not know is a call, which AddressSanitizer makes a slow one.
  template <class Integer>
  Integer word() {
    Integer value = 0;
    const std::size_t size = std::min(sizeof value, bytes_.size());
    if (size == sizeof value) {
      std::memcpy(&value, bytes_.data(), sizeof value);
    } else if (size != 0) {
      std::memcpy(&value, bytes_.data(), size);
    }
    bytes_ = bytes_.subspan(size);
    return value;
  }

  // The element that one byte chooses.
  template <class Table>
  auto any_of(const Table& table) {
    return std::data(table)[byte() % std::size(table)];
  }

 private:
  std::span<const std::uint8_t> bytes_;
  FieldListener* listener_;
};

}  // namespace dlspec::testing
