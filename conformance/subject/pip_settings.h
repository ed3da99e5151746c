// Translates pip's settings for uv, which does not read them: package indexes, certificates, proxies. They may hold
// passwords: never print a value.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// "index-url" -> "https://…". Lists are separated by spaces, as pip has them.
using PipSettings = std::map<std::string, std::string>;

// The sections [global] and [install] of a pip.conf are added to, or replace, what is there.
void read_pip_file(std::string_view text, PipSettings& settings);

// All configuration files that pip would read, overridden by PIP_* of the environment.
[[nodiscard]] PipSettings pip_settings(const std::filesystem::path& interpreter_prefix);

// The same for uv, as "NAME=value".
[[nodiscard]] std::vector<std::string> uv_variables(const PipSettings& settings);

}  // namespace dlspec::conformance
