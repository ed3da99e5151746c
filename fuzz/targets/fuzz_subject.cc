// Command sequences on a plug-in in this process: dlspec's own, on which the engine of sequences finds nothing whatever
// the order of exports, imports and releases, or the one whose path is in DLSPEC_PLUGIN.
#include <dlspec/fuzz.h>

#include <cstdio>
#include <cstdlib>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>

namespace {

const DlspecPlugin* load(const char* path) {
  static const dlspec::conformance::LoadedPlugin loaded = dlspec::conformance::load_plugin(path);
  if (loaded.table) return &*loaded.table;
  std::fprintf(stderr, "%s: %s %s\n", path, loaded.message.c_str(), loaded.detail.c_str());
  std::exit(2);
}

const DlspecPlugin* subject() {
  static const char* const path = std::getenv("DLSPEC_PLUGIN");
  return path != nullptr ? load(path) : dlspec::conformance::builtin_plugin();
}

}  // namespace

DLSPEC_FUZZ(subject())
