// An import that lives for a scope.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// An offer, and the array that the plug-in makes of it, which lives as long as this.
class Held {
 public:
  Held(const DlspecPlugin& plugin, OfferRequest request)
      : plugin_(plugin), offer_(Offer::make(std::move(request), problem_)) {
    if (!made()) return;
    const Exported exported = offer_->share();
    const char* reason = nullptr;
    taken_ = plugin.import_tensor(const_cast<void*>(exported.object()), generation_number(exported.generation()),
                                  &array_, &reason) == DLSPEC_OK;
    if (taken_) return;
    problem_ = reason != nullptr ? reason : "no reason given";
    release_if_left(plugin, exported, offer_->counts().deleter_calls);
  }
  ~Held() { release(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  void release() {
    if (taken()) plugin_.release(std::exchange(array_, nullptr));
  }
  // False where dlspec cannot make such an offer.
  [[nodiscard]] bool made() const { return offer_ != nullptr; }
  [[nodiscard]] bool taken() const { return taken_ && array_ != nullptr; }
  // Why it is not made, or not taken.
  [[nodiscard]] const std::string& reason() const { return problem_; }
  [[nodiscard]] const Offer& offer() const { return *offer_; }
  [[nodiscard]] void* array() const { return array_; }

 private:
  const DlspecPlugin& plugin_;
  std::string problem_;
  std::unique_ptr<Offer> offer_;
  void* array_ = nullptr;
  bool taken_ = false;
};

}  // namespace dlspec::conformance
