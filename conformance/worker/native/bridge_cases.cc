// Bridges behind the plug-in table: which function answers which variant.
#include <algorithm>
#include <iterator>

#include <dlspec/conformance/worker/native/bridge_calls.h>

namespace dlspec::conformance {
namespace {

struct Row {
  const char* variant;
  BridgeCase* answer;
};
constexpr Row rows[] = {
    {"strides-null", strides_null_case},
    {"scalar", scalar_case},
    {"sizes", sizes_case},
    {"negative-base", negative_base_case},
    {"unsupported-dtypes", unsupported_dtypes_case},
    {"source", source_case},
    {"gaps", gaps_case},
    {"overlapping-destination", overlapping_case},
    {"shared-memory", shared_case},
    {"read-only-destination", read_only_case},
    {"bits", bits_case},
    {"statuses", statuses_case},
    {"status-order", status_order_case},
};

}  // namespace

void answer_bridge_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (plugin.bridge == nullptr) return answer.rest_unsupported("the plug-in has no tensor descriptors");
  const auto row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& each) { return asked.variant == each.variant; });
  if (row != std::end(rows)) row->answer(*plugin.bridge, asked, answer);
}

}  // namespace dlspec::conformance
