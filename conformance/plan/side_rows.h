// Rows of a plan that are made when a side is asked for first: native or not, producers or consumers.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <dlspec/conformance/plan/paths.h>

namespace dlspec::conformance {

class SideRows {
 public:
  using Make = std::vector<PathRow>(bool native, Role role);
  explicit SideRows(Make* make) : make_(make) {}

  // Valid as long as this object. None for roles without paths. May be called from any thread.
  [[nodiscard]] std::span<const PathRow> of(bool native, Role role) {
    if (role != Role::producer && role != Role::consumer) return {};
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [place, is_new] = rows_.try_emplace({native, role});
    if (is_new) place->second = make_(native, role);
    return place->second;
  }

 private:
  Make* make_;
  std::mutex mutex_;
  std::map<std::pair<bool, Role>, std::vector<PathRow>> rows_;  // never moves what it has
};

}  // namespace dlspec::conformance
