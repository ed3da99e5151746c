// A stand-alone Python script that shows why a case failed. It uses the library and ctypes, and nothing of dlspec.
#pragma once

#include <filesystem>
#include <string>

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/reproducers/templates.h>

namespace dlspec::conformance {

// The library under test.
struct ScriptSubject {
  std::string title;              // "NumPy 2.3.5"
  std::filesystem::path adapter;  // its .py
  bool shipped = false;           // modules beside it are written into the script; else they are imported from there
};

struct Script {
  std::string text;  // empty where none can be made
  std::string why;   // the reason for that
};
[[nodiscard]] Script make_script(const Templates& templates, const ScriptSubject& subject, const Case& work,
                                 const Record& record);

}  // namespace dlspec::conformance
