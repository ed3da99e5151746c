// Options of dlspec header.
#include "subcommands.h"

namespace dlspec::command {

void add_header(CLI::App& app, HeaderOptions& options) {
  CLI::App& header = add_command(app, "header");
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
