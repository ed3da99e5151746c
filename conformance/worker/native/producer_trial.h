// One export by a plug-in, and what every producer case does with it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::conformance {

// An export of the plug-in, released at the end of its scope unless it was released before.
class PluginExport {
 public:
  PluginExport(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation,
               abi::Device device = {kDLCPU, 0});
  ~PluginExport() { release(); }
  PluginExport(const PluginExport&) = delete;
  PluginExport& operator=(const PluginExport&) = delete;

  [[nodiscard]] bool made() const { return status_ == DLSPEC_OK; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] const Exported& exported() const { return exported_; }
  // One struct may be that of several exports: the first of them has the watch.
  bool release() {
    if (watch_ != nullptr) return watch_->release();
    return is_shared_ && std::exchange(is_shared_, false) && Watch::release_beside_watched(exported_);
  }
  [[nodiscard]] const Watch* watch() const { return watch_.get(); }

 private:
  int status_;
  std::string reason_;
  Exported exported_{Generation::bare, nullptr};
  std::shared_ptr<Watch> watch_;
  bool is_shared_ = false;  // the struct is that of another export, and this one is not released yet
};

inline constexpr const char* unreadable = "the elements cannot be read";

// Where this export differs from the contents of the order; "" when it does not. The struct must be sound enough to
// read.
[[nodiscard]] std::string elements_problem(const Exported& exported, const NativeCase& asked);

// The order as an Origin; `layout` must live as long as the result.
[[nodiscard]] Origin origin_of(const NativeCase& asked, const Layout& layout);

// The order's layout with strides, row-major where none were ordered: byte strides are multiples of them. Where nobody
// ordered any, that is a guess, and the elements decide.
[[nodiscard]] Layout ordered_layout(const NativeCase& asked);

[[nodiscard]] bool is_float8(abi::DataType dtype);

// Every rule that the bytes of the struct show, and the contents.
void judge_export(const Exported& exported, const NativeCase& asked, NativeAnswer& answer);

}  // namespace dlspec::conformance
