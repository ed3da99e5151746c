#include <dlspec/optimized/cuda/library.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstring>

namespace dlspec::optimized::cuda {
namespace {

constexpr const char* file_name = "libdlspec_cuda.so";
constexpr std::size_t max_path = 4096;

// Opens FOLDER/BETWEEN/libdlspec_cuda.so, where FOLDER has the program or library that contains this function.
void* open_beside(const char* between) noexcept {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&open_beside), &info) == 0 || info.dli_fname == nullptr) return nullptr;
  const char* const slash = std::strrchr(info.dli_fname, '/');
  if (slash == nullptr) return nullptr;
  const auto folder = static_cast<std::size_t>(slash + 1 - info.dli_fname);
  const std::size_t middle = std::strlen(between), name = std::strlen(file_name) + 1;
  char path[max_path];
  if (folder + middle + name > max_path) return nullptr;
  std::copy_n(info.dli_fname, folder, path);
  std::copy_n(between, middle, path + folder);
  std::memcpy(path + folder + middle, file_name, name);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

const LibraryTable* load() noexcept {
  void* opened = open_beside("");
  if (opened == nullptr) opened = open_beside("../lib/");
  if (opened == nullptr) opened = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return nullptr;
  void* const symbol = dlsym(opened, "dlspecCudaTable");
  const LibraryTable* const table = symbol == nullptr ? nullptr : reinterpret_cast<GetTable>(symbol)();
  if (table != nullptr && table->version == table_version && table->plan_bytes == sizeof(CudaPlan)) return table;
  dlclose(opened);
  return nullptr;
}

}  // namespace

const LibraryTable* library() noexcept {
  static const LibraryTable* const table = load();
  return table;
}

}  // namespace dlspec::optimized::cuda
