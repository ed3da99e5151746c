// The exchange table of a plug-in, and what dlspec does with it in the place of make and import.
#pragma once

#include <memory>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// The plug-in's table, or an older one of the major version that this dlspec knows; NULL where there is none.
[[nodiscard]] const abi::v1::ExchangeApi* exchange_table_of(const DlspecPlugin& plugin);

// The plug-in, whose missing functions are done by its exchange table where it has one. A process uses one table at a
// time, for the functions of C have no context.
[[nodiscard]] DlspecPlugin completed_by_table(const DlspecPlugin& plugin);

// The plug-in as it is when everything goes through its table, which is in use from now on; NULL in the place of make
// and import_tensor where it has none that can export and import.
[[nodiscard]] DlspecPlugin through_table(const DlspecPlugin& plugin);

// What `contents` of the two above gives for an object that the table does not export, as it may.
inline constexpr int not_exported = 100;

// An owning tensor of an object of the library, by the table in use; NULL where the function fails.
[[nodiscard]] abi::v1::ManagedTensor* export_object(void* object);

[[nodiscard]] inline const char* first_element(const abi::Tensor& tensor) {
  return static_cast<const char*>(tensor.data) + tensor.byte_offset;
}

// An array of the library, made of dlspec's own tensor by the table in use.
class TableArray {
 public:
  // `reason`: set where it is not made.
  TableArray(const DlspecSpec& spec, const char** reason);
  ~TableArray() { release(); }
  TableArray(const TableArray&) = delete;
  TableArray& operator=(const TableArray&) = delete;

  [[nodiscard]] void* object() const { return object_; }
  [[nodiscard]] bool made() const { return object_ != nullptr; }
  // An owning tensor of it; NULL where the function fails.
  [[nodiscard]] abi::v1::ManagedTensor* exported() const;
  void release();
  // True when dlspec's own tensor has been released.
  [[nodiscard]] bool own_is_released() const {
    return own_ != nullptr && happens_soon([this] { return own_->calls() > 0; });
  }
  [[nodiscard]] bool is_own_released_now() const { return own_ == nullptr || own_->calls() > 0; }
  // True when the tensor's elements lie where those of dlspec's own tensor do.
  [[nodiscard]] bool is_own_memory(const abi::Tensor& tensor) const;

 private:
  void* object_ = nullptr;
  const void* place_ = nullptr;  // of the first element of dlspec's own tensor
  std::shared_ptr<Watch> own_;
};

// Releases a tensor that an import through the table has refused and left to its caller, as the text allows; the
// contract of import_tensor does not. `calls`: how often its deleter was called so far.
void release_if_left(const DlspecPlugin& plugin, const Exported& refused, int calls);

}  // namespace dlspec::conformance
