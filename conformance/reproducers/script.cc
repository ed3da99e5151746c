#include <dlspec/conformance/reproducers/script.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/reproducers/pieces.h>
#include <dlspec/conformance/reproducers/script_parts.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

namespace {}  // namespace

std::string quoted(const std::string& text) { return nlohmann::json(clean_text(text)).dump(-1, ' ', true); }

namespace {

std::string tuple(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return "(" + text + (numbers.size() == 1 ? ",)" : ")");
}

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char character : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(character));
  return text;
}

}  // namespace

std::string spec_text(const Order& order) {
  return fmt::format(
      "types.SimpleNamespace(\n    dtype=\"{}\", shape={}, strides={}, offset={}, readonly={}, device=({}, "
      "{}),\n"
      "    bytes=bytes.fromhex(\"{}\"))\n",
      order.dtype, tuple(order.shape), order.strides ? tuple(*order.strides) : "None", order.offset,
      order.read_only ? "True" : "False", static_cast<int>(order.device.device_type), order.device.device_id,
      hexadecimal(order.bytes));
}

namespace {

std::string constants(const Templates& templates, const Case& work, const Record& record) {
  const Order& order = work.order;
  const abi::DataType dtype = parse_dtype(order.dtype).value_or(abi::DataType{});
  const auto& table = templates.of(work.role).keywords;
  const auto found = table.find(work.variant);
  std::string text = fmt::format("RULE = \"{}\"\nALLOWED = {}\nVARIANT = \"{}\"\n", rule(record.rule).id,
                                 quoted(record.allowed), work.variant);
  text += fmt::format("{} = dict({})\n", work.role == Role::producer ? "KEYWORDS" : "FIELDS",
                      found == table.end() ? "" : found->second);
  text += fmt::format("DTYPE = ({}, {}, {})  # code, bits and lanes of {}\n", int{dtype.code}, int{dtype.bits},
                      int{dtype.lanes}, order.dtype);
  text += "\n# The array that is requested or offered: strides in elements, bytes in C order.\n";
  return text + "spec = " + spec_text(order);
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The module that a line imports from the adapter's own folder; empty for all others.
std::filesystem::path helper_of(const std::string& line, const std::filesystem::path& adapter) {
  constexpr std::string_view word = "import ";
  if (!line.starts_with(word)) return {};
  const std::filesystem::path stem = adapter.parent_path() / line.substr(word.size());
  std::error_code error;
  const std::filesystem::path module = stem.string() + ".py";
  const bool is_adapter = module == adapter || std::filesystem::exists(stem.string() + ".toml", error);
  return !is_adapter && std::filesystem::is_regular_file(module, error) ? module : std::filesystem::path{};
}

// A module as a part of the script, under its name: a function whose locals are the module's names, so that the
// script's own names are not in their way.
std::string written_out(const std::filesystem::path& module) {
  const std::string name = module.stem().string();
  std::string text = fmt::format("def {}():\n", name);
  std::istringstream lines(read(module));
  for (std::string line; std::getline(lines, line);) text += line.empty() ? "\n" : "    " + line + "\n";
  return text + fmt::format("\n    return types.SimpleNamespace(**locals())\n\n\n{} = {}()\n", name, name);
}

}  // namespace

std::string library_text(const ScriptSubject& subject) {
  std::string text = "# How the library makes, exports and imports arrays: its public functions.\n";
  if (!subject.shipped) {
    text +=
        fmt::format("sys.path.append({})\n", quoted(std::filesystem::absolute(subject.adapter).parent_path().string()));
  }
  std::istringstream lines(read(subject.adapter));
  for (std::string line; std::getline(lines, line);) {
    const std::filesystem::path helper = subject.shipped ? helper_of(line, subject.adapter) : std::filesystem::path{};
    text += helper.empty() ? line + "\n" : written_out(helper);
  }
  return text;
}

Script make_script(const Templates& templates, const ScriptSubject& subject, const Case& work, const Record& record) {
  const Piece* const piece = piece_for(templates, work, record);
  if (piece == nullptr) return {"", "no script shows this rule in the variant " + work.variant};
  std::vector<std::string> used = piece->uses;
  used.emplace_back("frame");
  if (is_death(record.status)) used.emplace_back("lethal");
  std::string before;
  std::string after;
  std::string first;
  for (const Piece* part : templates.parts_of(used, work.variant)) {
    const std::string& name = part->names.front();
    (name == "frame" ? first : name == "lethal" ? before : after) += part->text + "\n";
  }
  const std::string rest = constants(templates, work, record) + "\n" + before + library_text(subject) + "\n\n" + after +
                           "# The fault.\n" + piece->text;
  return {heading("#", subject.title, work, record) + first + templates.facts_of(rest) + "\n" + rest, ""};
}

}  // namespace dlspec::conformance
