// What a dlpack.h declares: names of structs, members, enumerators and macros, read from its preprocessed text. Sizes
// and values are the compiler's to say (probe.h).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

struct DeclaredStruct {
  std::string name;                  // "DLTensor"
  std::string scope;                 // "" or the namespaces around it, "dlpack::"
  std::vector<std::string> members;  // in their order; members without a name are left out
  bool is_tag = false;               // named by its tag alone: `struct NAME {...};` without a typedef
};

struct DeclaredEnumerator {
  std::string name;   // "kDLCPU"
  std::string scope;  // the namespaces around it, and the enumeration if it is an enum class
  std::string type;   // the enumeration: "DLDeviceType", or "" where it has no name
};

struct Declarations {
  std::vector<DeclaredStruct> structs;
  std::vector<DeclaredEnumerator> enumerators;
  std::set<std::string> macros;  // DLPACK_...VERSION and DLPACK_FLAG_...
};

// The declarations of a preprocessed C or C++ text without those of system headers, which line markers tell. A text
// that is not C gives few declarations or none, never an error.
[[nodiscard]] Declarations declarations_of(std::string_view preprocessed);

// The macros in a list of definitions ("#define NAME VALUE") that give the version or a flag of DLPack.
[[nodiscard]] std::set<std::string> dlpack_macros(std::string_view definitions);

}  // namespace dlspec::conformance
