// The variants of bridges: which function answers which.
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/conformance/worker/native/native_variants.h>

namespace dlspec::conformance {
namespace {

template <BridgeCase& answer_case>
void through_bridge(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  answer_case(*plugin.bridge, asked, answer);
}

constexpr NativeVariant table[] = {
    {"strides-null", through_bridge<strides_null_case>},
    {"scalar", through_bridge<scalar_case>},
    {"sizes", through_bridge<sizes_case>},
    {"negative-base", through_bridge<negative_base_case>},
    {"unsupported-dtypes", through_bridge<unsupported_dtypes_case>},
    {"padded", through_bridge<padded_case>},
    {"source", through_bridge<source_case>},
    {"gaps", through_bridge<gaps_case>},
    {"drawn", through_bridge<drawn_case>},
    {"overlapping-destination", through_bridge<overlapping_case>},
    {"shared-memory", through_bridge<shared_case>},
    {"read-only-destination", through_bridge<read_only_case>},
    {"bits", through_bridge<bits_case>},
    {"statuses", through_bridge<statuses_case>},
    {"status-order", through_bridge<status_order_case>},
    {"re-export", through_bridge<reexport_case>},
};

}  // namespace

std::span<const NativeVariant> bridge_variants() { return table; }

}  // namespace dlspec::conformance
