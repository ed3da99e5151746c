// One export of an array by the exchange table of its plug-in.
#pragma once

#include <memory>
#include <string>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/table_cases.h>

namespace dlspec::conformance {

// Watched, and released with its scope.
class TableExport {
 public:
  explicit TableExport(const TableArray& array) : managed_(array.exported()) {
    if (managed_ != nullptr) watch_ = Watch::attach(Exported(managed_));
  }
  ~TableExport() { release(); }
  TableExport(const TableExport&) = delete;
  TableExport& operator=(const TableExport&) = delete;

  [[nodiscard]] const Managed* managed() const { return managed_; }
  [[nodiscard]] bool has_deleter() const { return watch_ != nullptr && !watch_->null_deleter(); }
  [[nodiscard]] std::string problem(const NativeCase& asked) const {
    return elements_problem(Exported(managed_), asked);
  }
  void release() {
    if (watch_ != nullptr) (void)watch_->release();
  }

 private:
  Managed* managed_;
  std::shared_ptr<Watch> watch_;
};

}  // namespace dlspec::conformance
