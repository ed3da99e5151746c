#include <dlspec/optimized/rearrange/engines/engine.h>

#include <cstdlib>

#include <dlspec/optimized/rearrange/cpu/kernels.h>

namespace dlspec::optimized {
namespace {

bool always() noexcept { return true; }

constexpr Engine table[] = {
    {"scalar", 0, always, &scalar_kernels},
};

}  // namespace

std::span<const Engine> engines() noexcept { return table; }

const Engine* find_engine(std::string_view name) noexcept {
  for (const Engine& engine : table) {
    if (name == engine.name) return &engine;
  }
  return nullptr;
}

const Engine& best_engine(std::string_view most) noexcept {
  const Engine* const limit = find_engine(most);
  const Engine* best = table;
  for (const Engine& engine : table) {
    if (engine.available()) best = &engine;
    if (&engine == limit) break;
  }
  return *best;
}

const Engine& default_engine() noexcept {
  static const Engine& engine = []() -> const Engine& {
    const char* const most = std::getenv("DLSPEC_ISA");
    return best_engine(most == nullptr ? "" : most);
  }();
  return engine;
}

}  // namespace dlspec::optimized
