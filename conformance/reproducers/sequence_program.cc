#include <dlspec/conformance/reproducers/sequence_program.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/reproducers/pieces.h>
#include <dlspec/conformance/reproducers/program_parts.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

namespace {

std::string order_name(const Step& step) { return fmt::format("{}_{}", step.option(0), step.option(1)); }

std::string order_text(const std::string& name, const Order& order) {
  const abi::DataType dtype = parse_dtype(order.dtype).value_or(abi::DataType{});
  std::string text = fmt::format("static const int64_t {}_shape[] = {};\n", name, c_list(order.shape));
  if (order.strides) text += fmt::format("static const int64_t {}_strides[] = {};\n", name, c_list(*order.strides));
  text += fmt::format("static const unsigned char {}_bytes[] = {};\n", name, c_bytes(order.bytes));
  return text +
         fmt::format("static const Order {0} = {{{1}, {2}, {3}, {4}, {0}_shape, {5}, {6}, {7}, {8}, {0}_bytes}};\n",
                     name, int{dtype.code}, int{dtype.bits}, int{dtype.lanes}, order.shape.size(),
                     order.strides ? name + "_strides" : "NULL", order.offset, order.read_only ? 1 : 0,
                     order.bytes.size());
}

// The arrays that the steps make, each once.
std::string orders_text(const Sequence& sequence) {
  std::map<std::string, Order> orders;
  for (const Step& step : sequence) {
    if (step.kind == StepKind::make) orders[order_name(step)] = sequence_order(step.option(0), step.option(1));
  }
  std::string text = "// The arrays that are requested or offered.\n";
  for (const auto& [name, order] : orders) text += order_text(name, order);
  return text;
}

// The call for a step; "" for one that a plug-in has no function for.
std::string call_of(const Step& step, bool was_taken) {
  const std::string words = c_quoted(step_text(step));
  const unsigned made = step.made.number, on = step.on.number;
  switch (step.kind) {
    case StepKind::make:
      return fmt::format("make({}, &{}, {})", made, order_name(step), step.option(2) == "own" ? 1 : 0);
    case StepKind::export_:
      return fmt::format("export_array({}, {}, {}, {})", words, made, on,
                         step.option(0) == "legacy" ? "DLSPEC_LEGACY" : "DLSPEC_VERSIONED");
    case StepKind::import_: return fmt::format("import_array({}, {}, {})", words, made, on);
    case StepKind::drop:
      if (step.on.kind == HolderKind::array) return fmt::format("drop_array({}, {})", words, on);
      return was_taken ? "" : fmt::format("release_export({}, {}, 0)", words, on);
    case StepKind::release:
      return fmt::format("release_export({}, {}, {})", words, on, step.option(0) == "thread" ? 1 : 0);
    case StepKind::write: return fmt::format("write_export({}, {})", words, on);
    case StepKind::refuse: return fmt::format("refuse({}, {})", words, on);
    default: return "";
  }
}

std::string calls_text(const Sequence& sequence) {
  std::map<Holder, bool> taken;
  std::string text = "static void try_it(void) {\n";
  for (const Step& step : sequence) {
    const std::string call = call_of(step, taken[step.on]);
    if (step.kind == StepKind::take) taken[step.on] = true;
    text += call.empty() ? fmt::format("  // {}: nothing is called\n", step_text(step)) : "  " + call + ";\n";
  }
  return text + "  finish();\n}\n";
}

// The parts for the functions that are called.
std::vector<std::string> parts_for(const Sequence& sequence) {
  const std::pair<StepKind, const char*> functions[] = {{StepKind::export_, "sequence_export"},
                                                        {StepKind::import_, "sequence_import"},
                                                        {StepKind::refuse, "sequence_refuse"},
                                                        {StepKind::write, "sequence_write"}};
  std::vector<std::string> parts{"frame", "plugin", "sequence"};
  for (const auto& [kind, part] : functions) {
    const auto is_called = [kind = kind](const Step& step) { return step.kind == kind; };
    if (std::any_of(sequence.begin(), sequence.end(), is_called)) parts.emplace_back(part);
  }
  parts.emplace_back("main");
  return parts;
}

// Numbers of arrays and exports that the program has places for.
bool fits(const Sequence& sequence) {
  constexpr unsigned most = 128;
  for (const Step& step : sequence) {
    if (step.made.number >= most || step.on.number >= most) return false;
  }
  return sequence.size() < most;
}

}  // namespace

Script make_sequence_program(const Templates& templates, const std::string& title, const std::filesystem::path& plugin,
                             const Sequence& sequence, const Record& record) {
  if (sequence.empty()) return {"", "the finding does not name its steps"};
  if (!fits(sequence)) return {"", "the sequence has more steps than a program has places for"};
  std::string first;
  std::string before;
  std::string after;
  for (const Piece* part : templates.parts_of(parts_for(sequence), "")) {
    const std::string& name = part->names.front();
    (name == "frame" ? first : name == "main" ? after : before) += part->text;
  }
  Case work;
  work.id = record.case_id;
  work.role = record.role;
  const std::string constants = c_constant("PLUGIN", c_quoted(std::filesystem::absolute(plugin).string())) +
                                c_constant("ALLOWED", c_quoted(record.allowed));
  const std::string rest = before + orders_text(sequence) + "\n" + calls_text(sequence) + "\n" + after;
  return {heading("//", title, work, record) + "// cc -std=c99 THIS.c -ldl -lpthread && ./a.out [PLUGIN]\n" +
              constants + "\n" + first + templates.facts_of(constants + rest) + "\n" + rest,
          ""};
}

}  // namespace dlspec::conformance
