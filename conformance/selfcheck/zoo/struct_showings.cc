// Faults of structs in the native worker: each row of the table as the one tensor that a plug-in makes.
#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include <fmt/format.h>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/selfcheck/zoo/showing.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using testing::FaultyRow;

// A plug-in has no bare structs, and an order says nothing of allocations, copies and padding.
bool is_shown_by_plugin(const FaultyRow& row, const dlspec::Descriptor& base) {
  const testing::Truth& truth = row.truth;
  return base.generation != Generation::bare && !truth.allocation && !truth.padded && truth.copied == Known::unknown &&
         truth.read_only != Known::no;
}

// Any bytes for dtypes that the plan has no contents for.
std::string contents_of(const Order& order, abi::DataType dtype) {
  std::string bytes = order_contents(order, 0);
  if (!bytes.empty()) return bytes;
  const std::int64_t elements = reference::element_count(order.shape).to_int64().value_or(0);
  const std::size_t bits = static_cast<std::size_t>(elements) * element_bits(dtype);
  bytes.resize((bits + 7) / 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(17 * i + 1);
  if (bits % 8 != 0) bytes.back() = static_cast<char>(bytes.back() & ((1 << bits % 8) - 1));
  return bytes;
}

Order order_of_base(const dlspec::Descriptor& base) {
  Order order;
  const Layout& layout = base.layout;
  order.dtype = dtype_name(layout.dtype);
  order.shape = layout.shape;
  order.strides = layout.strides;
  const std::uint32_t size = std::max<std::uint32_t>(1, item_size(layout.dtype));
  order.offset = static_cast<std::int64_t>(layout.byte_offset / size);
  order.read_only = (base.flags & flags::read_only) != 0;
  order.bytes = contents_of(order, layout.dtype);
  return order;
}

// The ordinary case of a producer, with the row's own tensor as the order. Only many arrays together tell whether data
// is aligned.
Case case_of(const FaultyRow& row, const dlspec::Descriptor& base) {
  const bool alignment = row.rule == RuleId::tensor_data_256_aligned;
  const char* const name = alignment ? "alignment" : base.generation == Generation::legacy ? "legacy" : "versioned";
  const auto variant = std::find_if(variants().begin(), variants().end(), [&](const Variant& each) {
    return each.role == Role::producer && is_native(each.kinds) && std::string_view(each.name) == name;
  });
  Case work;
  work.order = order_of_base(base);
  work.dtype = work.order.dtype;
  work.layout = "row";
  work.variant = name;
  work.id = "producer/" + work.dtype + "/row/" + name;
  work.primary = variant->primary;
  work.rules = variant->rules;
  return work;
}

Showing showing_of(std::size_t number, const FaultyRow& row, const dlspec::Descriptor& base, bool faulty,
                   const Resources& resources) {
  Showing showing;
  showing.name = faulty ? testing::row_text(row) : row.base;
  if (faulty) showing.declared = row.rule;
  showing.refusals = true;
  Task& task = showing.task;
  task.subject = showing.name;
  task.command.arguments = {resources.executable.string(), native_worker_argument};
  task.command.environment = inherited_environment();
  task.command.environment.push_back(fmt::format("DLSPEC_EXHIBIT={} {}", faulty ? "struct" : "twin", number));
  task.start = {SubjectKind::plugin, resources.zoo_plugin().string(), "", 0};
  task.cases = {case_of(row, base)};
  return showing;
}

}  // namespace

std::vector<Showing> struct_showings(std::string_view rules, const Resources& resources) {
  std::vector<Showing> showings;
  std::set<std::string> twins;
  const std::span<const FaultyRow> table = testing::faulty_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto parsed = reference::parse_text(table[i].base);
    const auto* const base = std::get_if<dlspec::Descriptor>(&parsed);
    if (base == nullptr || !is_shown_by_plugin(table[i], *base) || !matches_globs(rules, rule(table[i].rule).id))
      continue;
    showings.push_back(showing_of(i, table[i], *base, true, resources));
    if (!twins.insert(table[i].base + (" " + case_of(table[i], *base).variant)).second) continue;
    showings.push_back(showing_of(i, table[i], *base, false, resources));
  }
  return showings;
}

}  // namespace dlspec::conformance
