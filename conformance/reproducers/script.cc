#include <dlspec/conformance/reproducers/script.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/report/document.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

namespace {

bool is_death(Verdict status) { return status == Verdict::crash || status == Verdict::timeout; }

std::string quoted(const std::string& text) { return nlohmann::json(clean_text(text)).dump(-1, ' ', true); }

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

// A comment, with a line for each line of the text.
std::string comment(std::string_view label, const std::string& text) {
  std::string commented;
  std::istringstream lines(clean_text(text));
  for (std::string line; std::getline(lines, line);) {
    commented += fmt::format("#   {:9} {}\n", commented.empty() ? label : "", line);
  }
  return commented;
}

std::string heading(const ScriptSubject& subject, const Case& work, const Record& record) {
  const Rule& broken = rule(record.rule);
  std::string title = clean_text(subject.title, 100);
  std::replace(title.begin(), title.end(), '\n', ' ');
  std::string text = fmt::format("# {}, {}: {}\n#   {}\n", title, role_name(work.role), broken.id, broken.title);
  text += comment("observed", record.observed) + comment("allowed", record.allowed) + comment("source", broken.source);
  text += "#   case      " + work.id + " of dlspec\n";
  text += "# Exit status: 1 the fault is there, 0 it is not there, 77 the library is missing, 2 it could not be tried.\n";
  return text;
}

std::string constants(const Templates& templates, const Case& work, const Record& record) {
  const Order& order = work.order;
  const abi::DataType dtype = parse_dtype(order.dtype).value_or(abi::DataType{});
  const auto& table = templates.of(work.role).keywords;
  const auto found = table.find(work.variant);
  std::string text = fmt::format("RULE = \"{}\"\nALLOWED = {}\nVARIANT = \"{}\"\n", rule(record.rule).id, quoted(record.allowed),
                                 work.variant);
  text += fmt::format("{} = dict({})\n", work.role == Role::producer ? "KEYWORDS" : "FIELDS",
                      found == table.end() ? "" : found->second);
  text += fmt::format("DTYPE = ({}, {}, {})  # code, bits and lanes of {}\n", int{dtype.code}, int{dtype.bits}, int{dtype.lanes},
                      order.dtype);
  text += "\n# The array that is ordered or offered: strides in elements, bytes in C order.\n";
  text += fmt::format(
      "spec = types.SimpleNamespace(\n    dtype=\"{}\", shape={}, strides={}, offset={}, readonly={}, device=({}, {}),\n"
      "    bytes=bytes.fromhex(\"{}\"))\n",
      order.dtype, tuple(order.shape), order.strides ? tuple(*order.strides) : "None", order.offset,
      order.read_only ? "True" : "False", static_cast<int>(order.device.device_type), order.device.device_id, hexadecimal(order.bytes));
  return text;
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

// A module as a part of the script: its functions, under the name by which the adapter calls them.
std::string written_out(const std::filesystem::path& module) {
  const std::string text = read(module);
  std::string names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("def ")) continue;
    const std::string name = line.substr(4, line.find('(') - 4);
    names += fmt::format("{}{}={}", names.empty() ? "" : ", ", name, name);
  }
  return fmt::format("{}\n\n{} = types.SimpleNamespace({})\n", text, module.stem().string(), names);
}

std::string library(const ScriptSubject& subject) {
  std::string text = "# How the library makes, exports and imports arrays: its public functions.\n";
  if (!subject.shipped) {
    text += fmt::format("sys.path.append({})\n", quoted(std::filesystem::absolute(subject.adapter).parent_path().string()));
  }
  std::istringstream lines(read(subject.adapter));
  for (std::string line; std::getline(lines, line);) {
    const std::filesystem::path helper = subject.shipped ? helper_of(line, subject.adapter) : std::filesystem::path{};
    text += helper.empty() ? line + "\n" : written_out(helper);
  }
  return text;
}

// What the workers say of a read or a write beside the elements, which only guard pages show.
constexpr std::string_view allowed_access = "no access beside the elements, extents and strides";

// What shows the fault; for a death that nothing else shows, the plain course of events.
const Piece* piece_for(const Templates& templates, const Case& work, const Record& record) {
  const Piece* piece = templates.find(work.role, rule(record.rule).id, work.variant);
  if (record.allowed == allowed_access) return nullptr;
  if (piece != nullptr || !is_death(record.status)) return piece;
  constexpr std::string_view ordinary[] = {"versioned", "legacy", "plain"};
  const bool is_plain = std::find(std::begin(ordinary), std::end(ordinary), work.variant) != std::end(ordinary);
  const bool is_known = is_plain || templates.of(work.role).keywords.contains(work.variant);
  return is_known ? templates.find(work.role, "died", work.variant) : nullptr;
}

}  // namespace

Script make_script(const Templates& templates, const ScriptSubject& subject, const Case& work, const Record& record) {
  const Piece* const piece = piece_for(templates, work, record);
  if (piece == nullptr) return {"", "no script shows this rule in the variant " + work.variant};
  std::vector<std::string> used = piece->uses;
  used.emplace_back("frame");
  if (is_death(record.status)) used.emplace_back("lethal");
  std::string before;
  std::string after;
  std::string first;
  for (const Piece* part : templates.parts_of(used)) {
    const std::string& name = part->names.front();
    (name == "frame" ? first : name == "lethal" ? before : after) += part->text + "\n";
  }
  return {heading(subject, work, record) + first + constants(templates, work, record) + "\n" + before + library(subject) +
              "\n\n" + after + "# The fault.\n" + piece->text,
          ""};
}

}  // namespace dlspec::conformance
