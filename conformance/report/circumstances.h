// What distinguishes the cases of a rule from each other, read from their ids: the array, the generation of the struct,
// the path and what was tried.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

struct Circumstances {
  Role role = Role::producer;
  std::string dtype;
  std::string layout;
  std::string tried;                          // a variant of variants.def; "exchange": an ordinary export or import
  bool legacy = false;                        // a struct without a version was asked for or offered
  std::map<std::string, std::string> levels;  // of the factors of paths.def that have not their default level
  Order order;                                // the array, without contents

  [[nodiscard]] bool has(const std::string& factor, std::string_view level) const;
};

// nullopt when the id is not role/dtype/layout/variant with a known layout.
[[nodiscard]] std::optional<Circumstances> circumstances_of(std::string_view case_id);

}  // namespace dlspec::conformance
