// A stand-alone program in C that carries out a sequence of a plug-in and shows what it breaks.
#pragma once

#include <filesystem>
#include <string>

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/reproducers/script.h>
#include <dlspec/conformance/reproducers/templates.h>

namespace dlspec::conformance {

// `record`: the finding; `plugin`: the shared library, in whose place the program takes another one as its argument.
[[nodiscard]] Script make_sequence_program(const Templates& templates, const std::string& title,
                                           const std::filesystem::path& plugin, const Sequence& sequence,
                                           const Record& record);

}  // namespace dlspec::conformance
