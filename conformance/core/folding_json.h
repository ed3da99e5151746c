// The folding of a result document as JSON: the member `folded` of dlspec-result/2.
#pragma once

#include <string>

#include <dlspec/conformance/core/document_reader.h>
#include <dlspec/conformance/core/folding.h>

namespace dlspec::conformance {

[[nodiscard]] std::string write_folding(const Folding& folding);
// Every index in it is one of the folding, unless the reader failed.
[[nodiscard]] Folding read_folding(reading::DocumentReader& reader, const reading::Place& place);

}  // namespace dlspec::conformance
