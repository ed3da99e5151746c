#include <dlspec/conformance/worker/native/loaded_plugin.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>

#include <dlfcn.h>
#include <fmt/format.h>

#include <dlspec/conformance/core/hash.h>
#include <dlspec/conformance/worker/native/plugin_table.h>

namespace dlspec::conformance {
namespace {

LoadedPlugin refused(std::string message, std::string detail = {}) {
  return {std::nullopt, std::move(message), std::move(detail)};
}

// The table up to `release`, which every plug-in has.
constexpr std::size_t oldest_size = offsetof(DlspecPlugin, bridge);

std::string complaint_of(const DlspecBridge& bridge) {
  if (bridge.table_size < sizeof(DlspecBridge)) {
    return "the table of its bridge has " + std::to_string(bridge.table_size) + " bytes, " +
           std::to_string(sizeof(DlspecBridge)) + " are needed; set table_size to sizeof(DlspecBridge)";
  }
  const bool whole = bridge.describe != nullptr && bridge.destroy != nullptr && bridge.rearrange != nullptr;
  return whole ? "" : "a bridge needs describe, destroy and rearrange, all three of them";
}

std::string complaint(const DlspecPlugin& table) {
  if (table.plugin_version != DLSPEC_PLUGIN_VERSION) {
    return "its table has version " + std::to_string(table.plugin_version) + ", this dlspec takes version " +
           std::to_string(DLSPEC_PLUGIN_VERSION) + "; compile it against the plugin.h of this dlspec";
  }
  if (table.table_size < oldest_size) {
    return "its table has " + std::to_string(table.table_size) + " bytes, " + std::to_string(sizeof(DlspecPlugin)) +
           " are needed; set table_size to sizeof(DlspecPlugin)";
  }
  if (table.name == nullptr || table.version == nullptr) return "its table has no name or no version; fill both";
  return {};
}

std::string complaint_of_roles(const DlspecPlugin& table) {
  const bool consumes = table.import_tensor != nullptr;
  const bool releases = consumes || table.exchange_api != nullptr;
  if (consumes != (table.contents != nullptr) || (consumes && table.release == nullptr) ||
      (!releases && table.release != nullptr)) {
    return "a consumer needs import_tensor, contents and release, all three of them";
  }
  if (releases && table.release == nullptr) return "an exchange table needs release, which gives its objects up";
  if (table.make == nullptr && !releases && table.bridge == nullptr) {
    return "its table has neither make nor import_tensor nor bridge nor exchange_api; fill at least one role";
  }
  return table.bridge != nullptr ? complaint_of(*table.bridge) : "";
}

// Members that the plug-in was compiled without are NULL, and so is one of which the table has a part.
DlspecPlugin whole_table(const DlspecPlugin& table) {
  DlspecPlugin whole{};
  const std::size_t members = table.table_size / sizeof(void*) * sizeof(void*);
  std::memcpy(&whole, &table, std::min(members, sizeof whole));
  return whole;
}

}  // namespace

std::string file_digest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (path.empty() || !file.is_open()) return {};
  std::uint64_t hash = fnv_offset_basis;
  for (std::array<char, 65536> block{}; file.read(block.data(), block.size()) || file.gcount() > 0;) {
    hash = fnv1a({block.data(), static_cast<std::size_t>(file.gcount())}, hash);
  }
  return fmt::format("fnv1a-64 {:016x}", hash);
}

LoadedPlugin load_plugin(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return refused(
        "the plug-in does not load; check that it is a complete shared library for this machine and that the "
        "libraries it needs are found",
        why != nullptr ? why : "");
  }
  void* const symbol = dlsym(library, "dlspec_plugin");
  if (symbol == nullptr) {
    return refused(
        "the plug-in exports no function dlspec_plugin; include <dlspec/plugin.h> and define it with C linkage");
  }
  return take_table(reinterpret_cast<DlspecPluginFunction>(symbol)());
}

LoadedPlugin take_table(const DlspecPlugin* table) {
  if (table == nullptr) return refused("dlspec_plugin() returned NULL; return a table with static storage");
  std::string problem = complaint(*table);
  if (!problem.empty()) return refused("the plug-in cannot be used: " + problem);
  const DlspecPlugin whole = whole_table(*table);
  problem = complaint_of_roles(whole);
  if (!problem.empty()) return refused("the plug-in cannot be used: " + problem);
  return {completed_by_table(whole), {}, {}};
}

}  // namespace dlspec::conformance
