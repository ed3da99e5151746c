// Completions for shells and the manual page, written from the table of options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "options.h"

namespace dlspec::command {

inline constexpr const char* completion_option = "--completion";
inline constexpr const char* manual_option = "--manual";

// The answer to `--completion bash|zsh|fish` and to `--manual`; nothing for other arguments.
[[nodiscard]] std::optional<Finished> shell_text(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace dlspec::command
