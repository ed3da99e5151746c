#include <dlspec/conformance/header/probe.h>

#include <algorithm>

#include <fmt/format.h>

namespace dlspec::conformance {
namespace {

constexpr const char* begin_of_main = R"(
#ifdef __cplusplus
#define DLSPEC_ALIGNMENT(type) alignof(type)
#else
#define DLSPEC_ALIGNMENT(type) __alignof__(type)
#endif

int main(int argc, char** argv) {
  static const long long minus_one = -1;
  FILE* out = argc > 1 ? fopen(argv[1], "w") : 0;
  if (!out) return 1;
  (void)minus_one;
)";

std::string struct_lines(const DeclaredStruct& one) {
  const std::string type = one.scope + one.name;
  std::string lines = fmt::format(
      "  fprintf(out, \"struct {} %llu %llu\\n\", (unsigned long long)sizeof({}), "
      "(unsigned long long)DLSPEC_ALIGNMENT({}));\n",
      one.name, type, type);
  for (const std::string& member : one.members) {
    lines += fmt::format(
        "  fprintf(out, \"member {} {} %llu %llu\\n\", (unsigned long long)offsetof({}, {}), "
        "(unsigned long long)sizeof((({}*)0)->{}));\n",
        one.name, member, type, member, type, member);
  }
  return lines;
}

// Whether the elements behind a pointer are signed shows when one is set to -1.
std::string element_lines(const DeclaredStruct& tensor) {
  std::string lines;
  for (const char* const member : {"shape", "strides"}) {
    if (std::find(tensor.members.begin(), tensor.members.end(), member) == tensor.members.end()) continue;
    const std::string type = tensor.scope + tensor.name;
    lines += fmt::format(
        "  {{\n    {0} tensor;\n    const void* at = &minus_one;\n"
        "    memcpy((void*)&tensor.{1}, &at, sizeof at);\n"
        "    fprintf(out, \"elements {1} %llu %d\\n\", (unsigned long long)sizeof(*tensor.{1}), "
        "*tensor.{1} < 0);\n  }}\n",
        type, member);
  }
  return lines;
}

// So that C, too, knows a struct by its tag alone.
std::string typedefs(const Declarations& declarations) {
  std::string lines = "#ifndef __cplusplus\n";
  for (const DeclaredStruct& one : declarations.structs) {
    if (!one.name.empty() && one.is_tag) lines += fmt::format("typedef struct {0} {0};\n", one.name);
  }
  return lines + "#endif\n";
}

}  // namespace

std::string including_program(const std::string& header) { return fmt::format("#include \"{}\"\n", header); }

std::string probe_program(const std::string& header, const Declarations& declarations) {
  std::string text = including_program(header) + "#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n";
  text += typedefs(declarations) + begin_of_main;
  for (const DeclaredStruct& one : declarations.structs) {
    if (one.name.empty()) continue;
    text += struct_lines(one);
    if (one.name == "DLTensor") text += element_lines(one);
  }
  for (const DeclaredEnumerator& one : declarations.enumerators)
    text += fmt::format("  fprintf(out, \"enumerator {} %lld\\n\", (long long){}{});\n", one.name, one.scope, one.name);
  for (const std::string& macro : declarations.macros)
    text += fmt::format("  fprintf(out, \"macro {} %llu\\n\", (unsigned long long)({}));\n", macro, macro);
  return text + "  return fclose(out) == 0 ? 0 : 1;\n}\n";
}

}  // namespace dlspec::conformance
