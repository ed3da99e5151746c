// Faults of structs behind the plug-in table: one row of the table of faulty structs, or its twin, by the number in
// DLSPEC_EXHIBIT ("struct 17", "twin 17"). Orders for anything but the row's own tensor are refused.
#include <dlspec/plugin.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <list>
#include <string_view>
#include <variant>

#include <dlspec/conformance/oracle/elements.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/vocabulary/flags.h>

#include "subjects.h"

namespace dlspec::testing {
namespace {

// What this process shows; nothing when the environment names no row.
struct Choice {
  const FaultyRow* row = nullptr;
  bool faulty = false;
};

Choice choose() {
  const char* const named = std::getenv("DLSPEC_EXHIBIT");
  const std::string_view text = named != nullptr ? named : "";
  const bool faulty = text.starts_with("struct ");
  if (!faulty && !text.starts_with("twin ")) return {};
  const std::string_view digits = text.substr(text.find(' ') + 1);
  std::size_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || number >= faulty_table().size()) return {};
  return {&faulty_table()[number], faulty};
}

bool is_ordered(const DlspecSpec& spec, int generation, const Descriptor& base) {
  const Layout& layout = base.layout;
  const bool same_dtype = abi::DataType{spec.code, spec.bits, spec.lanes} == layout.dtype;
  const bool same_generation = (generation == DLSPEC_VERSIONED) == (base.generation == Generation::versioned);
  return same_dtype && same_generation && spec.ndim == static_cast<std::int32_t>(layout.shape.size()) &&
         std::equal(layout.shape.begin(), layout.shape.end(), spec.shape);
}

// Where the elements begin in the memory of a specimen, by the twin: the fault may have moved the pointers.
std::ptrdiff_t begin_of(Exhibit& twin) {
  return static_cast<std::uint8_t*>(twin.specimen().tensor().data) - twin.specimen().memory().data();
}

void fill(Exhibit& exhibit, Exhibit& twin, const Descriptor& base, const DlspecSpec& spec) {
  if (!exhibit.specimen().has_memory()) return;
  Layout layout = base.layout;
  layout.byte_offset = twin.specimen().tensor().byte_offset;
  if (!layout.strides) layout.strides = reference::row_major_strides(layout.shape);
  const auto* const bytes = static_cast<const std::uint8_t*>(spec.bytes);
  conformance::put_elements(layout, (base.flags & flags::subbyte_padded) != 0,
                            exhibit.specimen().memory().data() + begin_of(twin), {bytes, spec.byte_count});
}

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) try {
  static std::list<Exhibit> shown;  // their deleters free nothing
  const Choice choice = choose();
  *reason = "this exhibit is one tensor only";
  if (choice.row == nullptr) return DLSPEC_UNSUPPORTED;
  const auto parsed = reference::parse_text(choice.row->base);
  const Descriptor* const base = std::get_if<Descriptor>(&parsed);
  if (base == nullptr || !is_ordered(*spec, generation, *base)) return DLSPEC_UNSUPPORTED;
  Exhibit twin = build_twin(*choice.row);
  shown.push_back(choice.faulty ? build(*choice.row) : build_twin(*choice.row));
  fill(shown.back(), twin, *base, *spec);
  *exported = const_cast<void*>(shown.back().exported().object());
  return DLSPEC_OK;
} catch (const std::exception&) {
  *reason = "out of memory";
  return DLSPEC_ERROR;
}

const DlspecPlugin table{
    DLSPEC_PLUGIN_VERSION, sizeof(DlspecPlugin), "zoo", "1", make, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace dlspec::testing

// A plug-in with a fault, "plugin:never releases", under the condition in DLSPEC_CONDITION where that is set; else the
// rows.
const DlspecPlugin* dlspec_plugin() {
  const char* const named = std::getenv("DLSPEC_EXHIBIT");
  const std::string_view name = named != nullptr ? named : "";
  constexpr std::string_view prefix = "plugin:";
  const char* const condition = std::getenv("DLSPEC_CONDITION");
  if (name.starts_with(prefix)) {
    const std::string_view fault = name.substr(prefix.size());
    return condition != nullptr ? dlspec::zoo::under_condition(fault, condition) : dlspec::zoo::find_plugin(fault);
  }
  return &dlspec::testing::table;
}
