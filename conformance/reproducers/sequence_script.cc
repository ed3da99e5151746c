#include <dlspec/conformance/reproducers/sequence_script.h>

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/reproducers/pieces.h>
#include <dlspec/conformance/reproducers/script_parts.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

namespace {

// A callback of ctypes cannot keep an exception, so that a script cannot tell who lost it.
bool is_about_exceptions(RuleId rule) {
  return rule == RuleId::managed_deleter_no_pyerr || rule == RuleId::capsule_destructor_keeps_exception;
}

std::string steps_text(const Sequence& sequence) {
  std::string text = "STEPS = [\n";
  for (const Step& step : sequence) text += "    " + quoted(step_text(step)) + ".split(),\n";
  return text + "]\n";
}

// The arrays that the steps make, and code, bits and lanes of their dtypes.
std::string orders_text(const Sequence& sequence) {
  std::map<std::string, std::string> orders;
  std::map<std::string, std::string> dtypes;
  for (const Step& step : sequence) {
    if (step.kind != StepKind::make) continue;
    const std::string layout(step.option(0));
    const std::string name(step.option(1));
    const abi::DataType dtype = parse_dtype(name).value_or(abi::DataType{});
    orders[layout + " " + name] = spec_text(sequence_order(layout, name));
    dtypes[name] = fmt::format("({}, {}, {})", int{dtype.code}, int{dtype.bits}, int{dtype.lanes});
  }
  std::string text =
      "\n# The arrays that are requested or offered: strides in elements, bytes in C order.\nORDERS = {}\n";
  for (const auto& [name, spec] : orders) text += fmt::format("ORDERS[{}] = {}", quoted(name), spec);
  text += "DTYPES = {}\n";
  for (const auto& [name, dtype] : dtypes) text += fmt::format("DTYPES[{}] = {}\n", quoted(name), dtype);
  if (!dtypes.empty()) text += "DTYPE = " + dtypes.begin()->second + "\n";
  return text + "spec = next(iter(ORDERS.values()), None)\n";
}

}  // namespace

Script make_sequence_script(const Templates& templates, const ScriptSubject& subject, const Sequence& sequence,
                            const Record& record) {
  if (sequence.empty()) return {"", "the finding does not name its steps"};
  if (is_about_exceptions(record.rule)) return {"", "no script shows what becomes of an exception in flight"};
  std::vector<std::string> used{"frame", "telling", "sequence"};
  if (is_death(record.status)) used.emplace_back("lethal");
  std::string first;
  std::string before;
  std::string after;
  for (const Piece* part : templates.parts_of(used, "")) {
    const std::string& name = part->names.front();
    (name == "frame" ? first : name == "lethal" || name == "telling" ? before : after) += part->text + "\n";
  }
  Case work;
  work.id = record.case_id;
  work.role = record.role;
  const std::string constants =
      fmt::format("RULE = \"{}\"\nALLOWED = {}\n", rule(record.rule).id, quoted(record.allowed));
  const std::string rest =
      constants + steps_text(sequence) + orders_text(sequence) + "\n" + before + library_text(subject) + "\n\n" + after;
  return {heading("#", subject.title, work, record) + first + templates.facts_of(rest) + "\n" + rest, ""};
}

}  // namespace dlspec::conformance
