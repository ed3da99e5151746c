#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

Resources find_resources() {
  std::error_code error;
  Resources found;
  found.executable = std::filesystem::read_symlink("/proc/self/exe", error);
  found.prefix = found.executable.parent_path().parent_path();
  return found;
}

}  // namespace dlspec::conformance
