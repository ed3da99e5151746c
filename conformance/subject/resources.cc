#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

std::filesystem::path Resources::extension() const {
  std::error_code error;
  const std::filesystem::path in_wheel = prefix / "_native.abi3.so";
  return std::filesystem::exists(in_wheel, error) ? in_wheel : prefix / "lib/python/dlspec/_native.abi3.so";
}

Resources find_resources() {
  std::error_code error;
  Resources found;
  found.executable = std::filesystem::read_symlink("/proc/self/exe", error);
  found.prefix = found.executable.parent_path().parent_path();
  return found;
}

}  // namespace dlspec::conformance
