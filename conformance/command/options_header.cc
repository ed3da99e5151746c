// Options of dlspec header.
#include "subcommands.h"

namespace dlspec::command {

namespace {

constexpr const char* about =
    "Judges a copy of dlpack.h: its version macros, the sizes and offsets of its structs as a C compiler lays them\n"
    "out, its enumerators and flags. Exit status 1 if a rule fails, 3 if the compiler cannot read it.";
constexpr const char* examples =
    "Examples:\n"
    "  dlspec header third_party/dlpack/dlpack.h\n"
    "  dlspec header include/mylib/dlpack.h -I include --compiler clang --strict";

}  // namespace

void add_header(CLI::App& app, HeaderOptions& options) {
  CLI::App& header = *app.add_subcommand("header", about);
  header.footer(examples);
  header.add_option("PATH", options.path, "The header")->required()->type_name("");
  header.add_option("-I,--include", options.directories, "Where it finds what it includes")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  header.add_option("--compiler", options.compiler, "The C compiler ($CC, or cc, gcc, clang on PATH)")
      ->type_name("PROGRAM");
  header.add_flag("--strict", options.strict, "Warnings count as failures");
}

}  // namespace dlspec::command
