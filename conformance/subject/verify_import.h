// Whether what was installed is what was asked for, and can be imported.
#pragma once

#include <filesystem>
#include <string>

#include <dlspec/conformance/subject/environment.h>

namespace dlspec::conformance {

struct VerifiedImport {
  std::string file;   // that was imported, from the environment's folder
  std::string error;  // a sentence, or empty
};

// Imports the library with `python`, the interpreter of its environment, in the folder `work`. An import can fail after
// an installation that went well: a full disk leaves an empty package, and another library may satisfy it on paper
// only.
[[nodiscard]] VerifiedImport verify_import(const Wanted& wanted, const std::string& python,
                                           const std::filesystem::path& work);

}  // namespace dlspec::conformance
