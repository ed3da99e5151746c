// What a smoke test says: whether an adapter can be believed, and then who is at fault.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Some lines for a person, the last of which says who is at fault: the adapter, the library, nobody, or that it cannot
// be told and why. `provides`: the functions that the adapter has. `faults`: sentences about this subject that are no
// finding, as the run collected them: an adapter that contradicts itself, a library that did not load.
[[nodiscard]] std::string smoke_text(const Document& document, const SubjectInfo& subject,
                                     std::span<const std::string> provides, std::span<const std::string> faults);

}  // namespace dlspec::conformance
