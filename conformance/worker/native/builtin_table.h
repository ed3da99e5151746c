// The exchange table of dlspec's own plug-in. Its objects are the arrays that import_tensor gives.
#pragma once

#include <atomic>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// An imported tensor; exports of it hold it, too.
class BuiltinImport {
 public:
  explicit BuiltinImport(const Exported& taken) : exported(taken) {}
  void hold() { ++holders_; }
  // Releases the tensor when nobody holds the import any more.
  void drop();

  const Exported exported;

 private:
  std::atomic<int> holders_ = 1;
};

// Why this tensor is not taken, or NULL.
[[nodiscard]] const char* builtin_refusal(const Exported& exported);

extern const abi::v1::ExchangeApi builtin_exchange_api;

}  // namespace dlspec::conformance
