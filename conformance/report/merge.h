// Several result documents as one.
#pragma once

#include <span>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// One document from several: shards of one plan, or runs of different subjects. Refuses, with a
// sentence, two answers for one record, missing shards, and runs that do not belong together.
[[nodiscard]] ReadDocument merge_documents(std::span<const NamedDocument> inputs);

}  // namespace dlspec::conformance
