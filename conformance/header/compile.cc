#include <dlspec/conformance/header/compile.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/header/probe.h>
#include <dlspec/conformance/worker/supervisor/tool.h>

namespace dlspec::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds deadline{60};
constexpr std::size_t most_remarks = 20;

// A language that a header may be written in, most likely first.
struct Language {
  const char* name;
  const char* argument;  // of -x
  const char* edition;
  const char* strict;
};
constexpr Language languages[] = {{"C", "c", "-std=gnu11", "-std=c99"}, {"C++", "c++", "-std=gnu++17", "-std=c++17"}};

// A folder that is removed with its contents.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "dlspec-header-XXXXXX").string();
    if (mkdtemp(pattern.data())) folder_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    if (!folder_.empty()) fs::remove_all(folder_, error);
  }
  [[nodiscard]] bool made() const { return !folder_.empty(); }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A compiler with the options that all calls share.
class Compiler {
 public:
  Compiler(std::string program, const std::vector<std::string>& directories) : program_(std::move(program)) {
    for (const std::string& directory : directories) directories_.push_back("-I" + directory);
  }

  [[nodiscard]] ToolResult call(const Language& language, std::vector<std::string> options) const {
    Command command{{program_}, inherited_environment({"LC_ALL", "LANGUAGE"}), ""};
    command.environment.emplace_back("LC_ALL=C");  // messages in English, in which a warning is called a warning
    command.arguments.insert(command.arguments.end(), directories_.begin(), directories_.end());
    command.arguments.insert(command.arguments.end(), {"-x", language.argument});
    for (std::string& option : options) command.arguments.push_back(std::move(option));
    return run_tool(command, deadline);
  }

 private:
  std::string program_;
  std::vector<std::string> directories_;
};

// What the header declares in a language, if it can be read in it.
std::optional<Declarations> declared(const Compiler& compiler, const Language& language, const Scratch& scratch,
                                     std::string& said) {
  const std::string source = scratch.file("include.txt");
  const ToolResult text = compiler.call(language, {language.edition, "-E", source, "-o", scratch.file("text")});
  const ToolResult macros =
      compiler.call(language, {language.edition, "-E", "-dM", source, "-o", scratch.file("macros")});
  if (!text.succeeded() || !macros.succeeded()) {
    said = text.error.empty() ? text.output : text.error;
    return std::nullopt;
  }
  Declarations found = declarations_of(read_file(scratch.file("text")));
  found.macros = dlpack_macros(read_file(scratch.file("macros")));
  return found;
}

std::optional<Measured> measured(const Compiler& compiler, const Language& language, const Scratch& scratch,
                                 std::string& said) {
  const std::string program = scratch.file("program");
  const ToolResult built = compiler.call(language, {language.edition, "-w", scratch.file("probe.txt"), "-o", program});
  if (!built.succeeded()) {
    said = built.error.empty() ? built.output : built.error;
    return std::nullopt;
  }
  const ToolResult ran = run_tool({{program, scratch.file("sizes")}, inherited_environment(), ""}, deadline);
  if (!ran.succeeded()) {
    said = ran.error.empty() ? describe(*ran.ending) : ran.error;
    return std::nullopt;
  }
  return read_measured(read_file(scratch.file("sizes")));
}

// Warnings and errors that a strict compilation gives about the header.
void add_remarks(const Compiler& compiler, const Language& language, const Scratch& scratch,
                 std::vector<std::string>& remarks) {
  const ToolResult strict = compiler.call(
      language, {language.strict, "-Wall", "-Wextra", "-Wpedantic", "-fsyntax-only", scratch.file("include.txt")});
  std::istringstream lines(strict.output);
  for (std::string line; std::getline(lines, line) && remarks.size() < most_remarks;) {
    const bool is_remark = line.find(" warning: ") != std::string::npos || line.find(" error: ") != std::string::npos;
    if (is_remark) remarks.push_back(fmt::format("{}: {}", language.strict + 5, clean_text(line)));
  }
}

// Tries one language; false, with what was said, where the header cannot be asked in it.
bool ask_in(const Language& language, const Compiler& compiler, const std::string& header, const Scratch& scratch,
            HeaderAnswer& answer) {
  std::optional<Declarations> declarations = declared(compiler, language, scratch, answer.detail);
  if (!declarations) return false;
  if (!write_file(scratch.file("probe.txt"), probe_program(header, *declarations)).empty()) return false;
  std::optional<Measured> sizes = measured(compiler, language, scratch, answer.detail);
  if (!sizes) return false;
  answer.declarations = std::move(*declarations);
  answer.measured = std::move(*sizes);
  answer.language = language.name;
  answer.detail.clear();
  return true;
}

}  // namespace

HeaderAnswer ask_compiler(const HeaderOrder& order) {
  HeaderAnswer answer;
  answer.compiler = order.compiler;
  const Scratch scratch;
  std::error_code error;
  const std::string header = fs::absolute(order.path, error).string();
  if (!scratch.made()) {
    answer.error = "no temporary folder can be made";
    return answer;
  }
  const std::string failed = write_file(scratch.file("include.txt"), including_program(header));
  if (!failed.empty()) {
    answer.error = failed;
    return answer;
  }
  const Compiler compiler(order.compiler, order.directories);
  std::string said_in_c;
  for (const Language& language : languages) {
    if (ask_in(language, compiler, header, scratch, answer)) break;
    if (said_in_c.empty()) said_in_c = answer.detail;
  }
  if (answer.language.empty()) {
    answer.error = fmt::format("{} compiles it neither as C nor as C++", order.compiler);
    answer.detail = said_in_c;
    return answer;
  }
  for (const Language& language : languages) add_remarks(compiler, language, scratch, answer.remarks);
  return answer;
}

}  // namespace dlspec::conformance
