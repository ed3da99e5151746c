// Options of dlspec init.
#include "subcommands.h"

namespace dlspec::command {

namespace {

constexpr const char* init_about =
    "Writes an adapter for an installed library: tries how it makes arrays, imports them and gives their elements, "
    "and\n"
    "runs the smoke test on what it wrote. What it could not find out is marked in the file.";
constexpr const char* init_examples =
    "Examples:\n  dlspec init mylib\n  dlspec init mylib --python ~/env/bin/python --output tests/dlspec_adapter.py";

}  // namespace

void add_init(CLI::App& app, InitOptions& options) {
  CLI::App& init = *app.add_subcommand("init", init_about);
  init.footer(init_examples);
  init.add_option("MODULE", options.module, "The module that is imported")->required()->type_name("");
  init.add_option("--output", options.file, "The adapter (MODULE_adapter.py)")->type_name("FILE");
  init.add_option("--python", options.python, "The interpreter (of the active environment)")->type_name("PATH");
}

}  // namespace dlspec::command
