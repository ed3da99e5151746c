#include <dlspec/conformance/platform/cuda.h>

#include <dlfcn.h>

#include <cstdlib>

namespace dlspec::conformance {

int cuda_major() {
  const char* const in_its_place = std::getenv("DLSPEC_CUDA_DRIVER");
  void* const driver = dlopen(in_its_place != nullptr ? in_its_place : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return 0;
  int version = 0;  // 1000 * major + 10 * minor
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  return ask != nullptr && ask(&version) == 0 ? version / 1000 : 0;  // it stays loaded: drivers expect to
}

}  // namespace dlspec::conformance
