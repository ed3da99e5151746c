// dlspec's cache folder, and locks between runs that share it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <dlspec/conformance/worker/supervisor/descriptor.h>

namespace dlspec::conformance {

// DLSPEC_CACHE, else `dlspec` in the user's cache folder (XDG_CACHE_HOME, else ~/.cache).
[[nodiscard]] std::filesystem::path cache_folder();

// Creates the folder. A sentence when it cannot be written to, else "".
[[nodiscard]] std::string prepare_folder(const std::filesystem::path& folder);

// Holds `file` locked against other processes while it lives. Calls `waiting` once if another one has
// it. Nothing when it cannot be locked, or the user interrupts.
[[nodiscard]] std::optional<Descriptor> lock_file(const std::filesystem::path& file,
                                                  const std::function<void()>& waiting);

}  // namespace dlspec::conformance
