// A stand-alone program in C that shows why a case of a plug-in failed. It uses nothing of dlspec.
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
