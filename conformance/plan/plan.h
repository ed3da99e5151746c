// The plan of a run: the cases for a subject and their order, from variants.def and layouts.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// A row of layouts.def, or a layout that is drawn: shape, strides and offset of an array.
struct LayoutRow {
  const char* name;
  std::vector<std::int64_t> shape;
  std::optional<std::vector<std::int64_t>> strides;  // elements; none: the library's default
  std::int64_t offset = 0;                           // elements before element (0, ..., 0)
  bool read_only = false;
  std::vector<RuleId> consumer_rules;  // rules that an ordinary import of this layout decides in addition
  bool drawn = false;                  // by drawn.h; else a row of the table
};
[[nodiscard]] std::span<const LayoutRow> layouts();
// A row, or a layout that is drawn (drawn.h); nullptr when there is no such layout. Lives as long as the program.
[[nodiscard]] const LayoutRow* find_layout(std::string_view name);

// The kinds of subjects that a variant applies to. device, native_device: with --device alone.
enum class Kinds : std::uint8_t { python, native, both, device, native_device };

// Whether what a consumer is offered is released once. Decided whatever is tried.
inline constexpr RuleId rules_of_conduct[] = {RuleId::managed_deleter_once, RuleId::managed_error_releases};

// A row of variants.def: a stimulus, the arrays that it is applied to and the rules that it decides.
struct Variant {
  Role role = Role::producer;
  const char* name = "";
  Kinds kinds = Kinds::both;
  bool first = false;               // part of the smoke test
  bool plain = true;                // ordinary use; false: unusual input that may crash the subject
  RuleId primary{};                 // always one of `rules`
  std::vector<RuleId> rules;        // in rule order
  bool layout_rules = false;        // also decides the layout's consumer_rules
  bool conduct_rules = false;       // also decides, of plug-ins, whether what is offered is released once
  std::vector<const char*> dtypes;  // names; the cases are the product of `dtypes` and `layouts`
  std::vector<const char*> layouts;
};
// A variant whose dtypes and layouts are not a full product has several rows with the same name.
[[nodiscard]] std::span<const Variant> variants();

// The selection of a run. The defaults select everything.
struct Selection {
  SubjectKind kind = SubjectKind::python;
  std::vector<Role> roles{Role::producer, Role::consumer, Role::bridge};
  std::string rules = "*";            // globs (globs.h) over rule ids; a case keeps the rules that match
  std::string cases = "*";            // the same over case ids
  Level level = Level::convention;    // this level and the more binding ones
  bool smoke = false;                 // only variants with `first`
  bool thorough = false;              // the rows of thorough.h, too
  std::uint64_t seed = 0;             // of the array contents
  std::optional<abi::Device> device;  // that the arrays lie on; none: the host's plan
  std::uint32_t shard = 1;            // 1..shards
  std::uint32_t shards = 1;
};

// True for subjects that are tested through the C ABI, dlspec's own included. Their plans leave out the rule groups
// capsule, python and stream, which need an interpreter.
[[nodiscard]] bool is_native(SubjectKind kind);
// True for variants that such subjects are asked.
[[nodiscard]] bool is_native(Kinds kinds);

// The cases of the selection, plain ones first, otherwise in table order. Deterministic. An empty plan is wrong usage
// and reported by the caller, unless only this shard is empty (see plan_is_empty). Where the selection leaves out the
// primary rule of a case, the first remaining rule becomes primary, so that every crash has a record.
[[nodiscard]] std::vector<Case> make_plan(const Selection& selection);

// The rules that a whole run asks of one role of such a subject, on the host or with a device, in rule order.
[[nodiscard]] std::vector<RuleId> asked_rules(SubjectKind kind, Role role, bool has_device = false);

// True for the name of a variant that is planned with a device alone.
[[nodiscard]] bool needs_device(std::string_view variant);

// The selection on the host and on a device, one after the other.
[[nodiscard]] std::vector<Selection> everywhere(const Selection& selection);

// True when the selection is empty in every shard.
[[nodiscard]] bool plan_is_empty(const Selection& selection);

// The shard of a case, 1..shards: FNV-1a (64 bits) of the id, modulo `shards`, plus 1. Stable across releases, so that
// different versions of dlspec can share one plan.
[[nodiscard]] std::uint32_t shard_of(std::string_view case_id, std::uint32_t shards);

// The array of a layout that sequences make, with contents.
[[nodiscard]] Order sequence_order(std::string_view layout, std::string_view dtype);

// Every rule that the bytes of a struct decide (finding.def), in rule order.
[[nodiscard]] std::span<const RuleId> struct_rules();

// The array that a case id names, without contents; nullopt when the id is not role/dtype/layout/variant or names an
// unknown role or layout.
[[nodiscard]] std::optional<Order> order_of(std::string_view case_id);

// The array on one line, as in reports: "float32 (3,4):(-4,-1)+11 @cpu ro". Strides and offset in elements.
[[nodiscard]] std::string order_text(const Order& order);

}  // namespace dlspec::conformance
