// Merging of result documents.
#pragma once

#include <span>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// Merges shards of one plan or runs of different subjects. Errors: two different results for one record, a missing
// shard, runs with different versions, commits or seeds of dlspec.
[[nodiscard]] ReadDocument merge_documents(std::span<const NamedDocument> inputs);

}  // namespace dlspec::conformance
