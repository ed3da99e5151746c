#include <dlspec/conformance/subject/resources.h>

#include <dlspec/conformance/platform/process.h>

namespace dlspec::conformance {

std::filesystem::path Resources::extension() const {
  std::error_code error;
  const std::filesystem::path in_wheel = prefix / "_native.abi3.so";
  return std::filesystem::exists(in_wheel, error) ? in_wheel : prefix / "lib/python/dlspec/_native.abi3.so";
}

Resources find_resources() {
  Resources found;
  found.executable = own_executable();
  found.prefix = found.executable.parent_path().parent_path();
  return found;
}

}  // namespace dlspec::conformance
