// A digest of the results of a document: it shows that one was lost or changed on the way, by accident.
#pragma once

#include <string>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Digest of what each record says and in which order: who, rule, case, status and observation; 16 hex digits. The same
// for a document that was written and read again, also by a release whose rules have other levels.
[[nodiscard]] std::string results_digest(const Document& document);

}  // namespace dlspec::conformance
