// The shipped adapters: NAME.py, and packaging facts in NAME.toml beside it. A hyphen in the name is
// an underscore in the file name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/version.h>

namespace dlspec::conformance {

// What some releases need beside the other companions: ">=2.0,<2.3: numpy<2 scipy<1.13" in `pins`. A word such as
// python<3.11 says which CPython they are published for.
struct Pin {
  VersionBounds releases;
  std::vector<std::string> companions;
  std::string python;  // "<3.11"; or empty
};

// Another distribution of the same module, such as a build for GPUs: "onnxruntime-gpu: 700" in `alternatives`.
struct Alternative {
  std::string distribution;
  std::int64_t size_mb = 0;  // of its environment; 0: as that of the usual distribution
};

// The build of the module for a major version of CUDA: "13: cupy-cuda13x" in `cuda`.
struct CudaBuild {
  int major = 0;
  std::string distribution;
};

struct Adapter {
  std::string name;                       // "array-api-strict"
  std::string path;                       // of the .py
  std::string distribution;               // name on the package index, extras included: "mlx[cpu]"
  std::vector<Alternative> alternatives;  // installed in its place where the subject names one
  std::vector<CudaBuild> cuda;            // one of them is installed where there is a driver, and none is named
  std::string module;                     // what is imported
  std::vector<std::string> companions;    // further requirements (`requires`)
  std::vector<Pin> pins;                  // of old releases
  std::string display;                    // "NumPy"
  std::string python;                     // versions of CPython that it is published for, as in ">=3.10"; empty: any
  std::int64_t size_mb = 0;               // `size`: of its environment, about
};

// As package indexes compare names (PEP 503): in lower case, every run of -_. is one hyphen.
[[nodiscard]] std::string normalized_name(std::string_view text);

// The distribution without its extras: "mlx" of "mlx[cpu]".
[[nodiscard]] std::string package_name(const Adapter& adapter);

// An adapter, or a sentence with file, line, what is wrong and what to do.
struct AdapterFile {
  std::optional<Adapter> adapter;
  std::string error;
};
// Any bytes are answered.
[[nodiscard]] AdapterFile parse_adapter(const std::filesystem::path& file, std::string_view text);

// All that is installed beside this release of the library.
[[nodiscard]] std::vector<std::string> companions_of(const Adapter& adapter, std::string_view version);

// The CPythons that this release is published for, as ">=3.10,<3.12"; or "": any.
[[nodiscard]] std::string python_of(const Adapter& adapter, std::string_view version);

// What an adapter answers to: its own name, its distribution with and without extras, the alternatives, the module.
// Normalised; some come twice.
[[nodiscard]] std::vector<std::string> names_of(const Adapter& adapter);

struct Adapters {
  std::vector<Adapter> list;        // by name
  std::vector<std::string> errors;  // files that cannot be read, a sentence each
  int cuda_major = 0;               // of the machine's driver; 0: there is none

  // By any of names_of(), spelt in any way that normalises to it. The adapter that is returned installs the
  // distribution that was named; else the newest build for a CUDA that the driver supports, where there are builds.
  [[nodiscard]] std::optional<Adapter> find(std::string_view name) const;
};
[[nodiscard]] Adapters find_adapters(const std::filesystem::path& folder);

}  // namespace dlspec::conformance
