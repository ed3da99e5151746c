// The text of a smoke test: whether a fault lies in the adapter or in the library.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Lines for a person. The last one names the side at fault: adapter, library, none, or undecidable with the reason.
// `provides`: the functions of the adapter. `faults`: sentences of the run about this subject that are not findings,
// such as an adapter that contradicts itself or a library that did not load.
[[nodiscard]] std::string smoke_text(const Document& document, const SubjectInfo& subject,
                                     std::span<const std::string> provides, std::span<const std::string> faults);

}  // namespace dlspec::conformance
