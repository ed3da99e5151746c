// Calls of a plug-in's bridge as plugin.h says; what they make is released at the end of its scope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::conformance {

// The result of one call.
struct BridgeAnswer {
  int code = DLSPEC_ERROR;
  DlspecRefusal refusal{nullptr, -1};

  [[nodiscard]] bool done() const { return code == DLSPEC_OK; }
  [[nodiscard]] std::string reason() const { return refusal.reason != nullptr ? refusal.reason : "no reason given"; }
};

// The arrays of a DlspecDescription.
struct Description {
  abi::DataType dtype;
  std::vector<std::size_t> shape;
  std::optional<std::vector<std::ptrdiff_t>> strides;  // elements; none: NULL

  Description(abi::DataType type, std::vector<std::size_t> extents,
              std::optional<std::vector<std::ptrdiff_t>> steps = {})
      : dtype(type), shape(std::move(extents)), strides(std::move(steps)) {}
  explicit Description(const Layout& layout);
  // Points into this object; NULL for a scalar's arrays.
  [[nodiscard]] DlspecDescription plain() const;
};

// A DLPack struct that a bridge may read during a call and that stays dlspec's. Neither copied nor moved: the struct
// points into it.
class Loan {
 public:
  // `first` is where element (0, ..., 0) lies; the struct's data lies `byte_offset` bytes before.
  Loan(const Layout& layout, void* first, Generation generation, std::uint64_t byte_offset = 0);
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  [[nodiscard]] Generation generation() const { return generation_; }
  [[nodiscard]] const void* object() const;
  [[nodiscard]] abi::Tensor& tensor();
  void set_flags(std::uint64_t flags) { versioned_.flags = flags; }

 private:
  std::vector<std::int64_t> shape_, strides_;
  Generation generation_;
  abi::v1::ManagedTensor versioned_{};
  abi::v0::ManagedTensor legacy_{};
};

// A descriptor of the plug-in, destroyed with its scope, or the refusal to make one.
class Handle {
 public:
  Handle(const DlspecBridge& bridge, const DlspecDescription& description);
  Handle(const DlspecBridge& bridge, const Description& description) : Handle(bridge, description.plain()) {}
  Handle(const DlspecBridge& bridge, const Loan& loan, bool writable = false);
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] bool made() const { return answer_.done(); }
  [[nodiscard]] std::string reason() const { return answer_.reason(); }
  [[nodiscard]] int status() const { return answer_.refusal.status; }
  [[nodiscard]] const void* get() const { return descriptor_; }
  [[nodiscard]] void* data() const { return data_; }  // of an import: where it says that element (0, ..., 0) lies

 private:
  const DlspecBridge& bridge_;
  BridgeAnswer answer_;
  void* descriptor_ = nullptr;
  void* data_ = nullptr;
};

// A descriptor turned into a DLPack tensor of the first of these generations that the plug-in makes, and released with
// its scope.
class Outgoing {
 public:
  Outgoing(const DlspecBridge& bridge, const Handle& handle, void* data,
           std::initializer_list<Generation> generations = {Generation::versioned, Generation::legacy});
  ~Outgoing();
  Outgoing(const Outgoing&) = delete;
  Outgoing& operator=(const Outgoing&) = delete;

  [[nodiscard]] bool made() const { return answer_.done() && exported_.object() != nullptr; }
  [[nodiscard]] std::string reason() const { return answer_.reason(); }
  [[nodiscard]] const Exported& exported() const { return exported_; }
  [[nodiscard]] const abi::Tensor& tensor() const { return exported_.tensor(); }

 private:
  BridgeAnswer answer_;
  Exported exported_{Generation::bare, nullptr};
};

[[nodiscard]] BridgeAnswer rearrange_by(const DlspecBridge& bridge, const Handle& to, void* to_data, const Handle& from,
                                        const void* from_data);

// The generation that this bridge takes an ordinary tensor in; nothing where it takes none, with the reason.
[[nodiscard]] std::optional<Generation> taken_generation(const DlspecBridge& bridge, std::string& reason);

// "(3,4)"
template <class Number>
[[nodiscard]] std::string numbers_text(std::span<const Number> numbers) {
  std::string text = "(";
  for (const Number number : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + ")";
}

// The functions of the variants of the role `bridge`; bridge_cases.cc has the table.
using BridgeCase = void(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer);
BridgeCase strides_null_case, scalar_case, sizes_case, negative_base_case, unsupported_dtypes_case;
BridgeCase source_case, gaps_case, overlapping_case, shared_case, read_only_case, bits_case, drawn_case;
BridgeCase statuses_case, status_order_case;
BridgeCase reexport_case, padded_case;

}  // namespace dlspec::conformance
