// Options of dlspec init.
#include "subcommands.h"

namespace dlspec::command {

void add_init(CLI::App& app, InitOptions& options) {
  CLI::App& init = add_command(app, "init");
  init.add_option("MODULE", options.module, "The module that is imported")
      ->required()
      ->check(not_empty("module"))
      ->type_name("");
  init.add_option("--output", options.file, "The adapter (MODULE_adapter.py)")
      ->check(not_empty("file"))
      ->type_name("FILE");
  add_python(init, options.python);
}

}  // namespace dlspec::command
