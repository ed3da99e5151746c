// dlspec header: judges a copy of dlpack.h by what a C compiler makes of it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/header/header_text.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/verdict/status.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {
namespace {

using namespace dlspec::conformance;

// The named compiler, $CC, or the first that the machine has; empty where there is none.
std::string choose_compiler(const std::string& named) {
  if (!named.empty()) return named;
  const char* const variable = std::getenv("CC");
  if (variable && *variable) return variable;
  for (const char* const program : {"cc", "gcc", "clang"}) {
    if (!find_on_path(program).empty()) return program;
  }
  return "";
}

}  // namespace

int header(const HeaderOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.path, error))
    return fail_with(exit_usage, "'" + clean_text(options.path) + "' is not a file; name a dlpack.h");
  const std::string compiler = choose_compiler(options.compiler);
  if (compiler.empty())
    return fail_with(exit_unjudged, "no C compiler is on PATH (cc, gcc, clang); name one with --compiler");
  const HeaderAnswer answer = ask_compiler({options.path, compiler, options.directories});
  if (!answer.error.empty()) {
    if (!answer.detail.empty()) std::fprintf(stderr, "%s\n", clean_text(answer.detail).c_str());
    return fail_with(exit_unjudged, clean_text(options.path) + ": " + answer.error);
  }
  if (!answer.measured.structs.contains("DLTensor"))
    return fail_with(exit_unjudged, clean_text(options.path) + " declares no struct DLTensor; name a dlpack.h");
  const std::vector<HeaderFinding> findings = judge_header(answer.declarations, answer.measured);
  if (!print(header_text(clean_text(options.path), answer, findings)))
    return fail_with(exit_unjudged, "standard output cannot be written");
  const bool violated = std::any_of(findings.begin(), findings.end(), [&](const HeaderFinding& finding) {
    return finding.status == Verdict::fail || (options.strict && finding.status == Verdict::warn);
  });
  return violated ? exit_violated : exit_good;
}

}  // namespace dlspec::command
