// Where the pages of the project are found.
#pragma once

namespace dlspec::conformance {

// In front of "ID.md", a rule's page.
inline constexpr const char* rule_pages =
    "https://github.com/dlspec/dlspec/blob/main/conformance/evidence/pages/rules/";

}  // namespace dlspec::conformance
