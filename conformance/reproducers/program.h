// From a failing case of a plug-in to a program in C that shows the fault: its own structs, and nothing of dlspec.
#pragma once

#include <filesystem>
#include <string>

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/reproducers/script.h>
#include <dlspec/conformance/reproducers/templates.h>

namespace dlspec::conformance {

// `plugin` is the shared library; the program takes another one as its argument.
[[nodiscard]] Script make_program(const Templates& templates, const std::string& title,
                                  const std::filesystem::path& plugin, const Case& work, const Record& record);

}  // namespace dlspec::conformance
