#include <dlspec/conformance/subject/resources.h>

#include <dlspec/conformance/platform/process.h>

namespace dlspec::conformance {

std::filesystem::path Resources::extension(const Interpreter& interpreter) const {
  // CPython before 3.15 has no stable ABI without the GIL.
  const std::string name = "_native." + (interpreter.free_threaded ? interpreter.abi : "abi3") + ".so";
  std::error_code error;
  const std::filesystem::path in_wheel = prefix / name;
  return std::filesystem::exists(in_wheel, error) ? in_wheel : prefix / "lib/python/dlspec" / name;
}

Resources find_resources() {
  Resources found;
  found.executable = own_executable();
  found.prefix = found.executable.parent_path().parent_path();
  return found;
}

}  // namespace dlspec::conformance
