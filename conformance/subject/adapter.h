// The shipped adapters: NAME.py, and packaging facts in NAME.toml beside it. A hyphen in the name is
// an underscore in the file name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// What releases below or from a bound on need beside the other companions: "<2.3: numpy<2 scipy<1.13" in `pins`. A word
// such as python<3.11 says which CPython they are published for.
struct Pin {
  std::string below;  // "2.3"; or empty
  std::vector<std::string> companions;
  std::string python{};  // "<3.11"; or empty
  std::string since{};   // "2.3", of ">=2.3: python>=3.11"; or empty
};

struct Adapter {
  std::string name;                     // "array-api-strict"
  std::string path;                     // of the .py
  std::string distribution;             // name on the package index, extras included: "mlx[cpu]"
  std::string module;                   // what is imported
  std::vector<std::string> companions;  // further requirements (`requires`)
  std::vector<Pin> pins;                // of old releases
  std::string display;                  // "NumPy"
  std::string python;                   // versions of CPython that it is published for, as in ">=3.10"; empty: any
  std::int64_t size_mb = 0;             // `size`: of its environment, about
};

// An adapter or a sentence about the file.
struct AdapterFile {
  std::optional<Adapter> adapter;
  std::string error;
};
[[nodiscard]] AdapterFile parse_adapter(const std::filesystem::path& toml, std::string_view text);

// All that is installed beside this release of the library.
[[nodiscard]] std::vector<std::string> companions_of(const Adapter& adapter, std::string_view version);

// The CPythons that this release is published for, as ">=3.10,<3.12"; or "": any.
[[nodiscard]] std::string python_of(const Adapter& adapter, std::string_view version);

struct Adapters {
  std::vector<Adapter> list;        // by name
  std::vector<std::string> errors;  // files that cannot be read, a sentence each

  // By name; an underscore serves for a hyphen. NULL when there is none.
  [[nodiscard]] const Adapter* find(std::string_view name) const;
};
[[nodiscard]] Adapters find_adapters(const std::filesystem::path& folder);

}  // namespace dlspec::conformance
