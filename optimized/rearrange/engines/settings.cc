#include <dlspec/optimized/rearrange/engines/settings.h>

#include <cstdlib>

#include <dlspec/optimized/rearrange/engines/affinity.h>
#include <dlspec/optimized/rearrange/engines/threads.h>

namespace dlspec::optimized {
namespace {

bool is_set(const char* text) noexcept { return text != nullptr && *text != 0; }

// 0 if the text is no number from 1 to max_threads.
int number_of_threads(const char* text) noexcept {
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  return end != text && *end == 0 && number >= 1 && number <= max_threads ? static_cast<int>(number) : 0;
}

}  // namespace

Settings settings_from(const char* isa, const char* threads, const char* machine) noexcept {
  const bool knows_isa = is_set(isa) && find_engine(isa) != nullptr;
  const int wanted = is_set(threads) ? number_of_threads(threads) : 0;
  const int found = usable_processors();
  Machine used = detected_machine();
  const bool knows_machine = is_set(machine) && read_machine(machine, used);
  return {.engine = &best_engine(knows_isa ? isa : ""),
          .threads = wanted > 0 ? wanted : (found < max_threads ? found : max_threads),
          .machine = used,
          .is_isa_ignored = is_set(isa) && !knows_isa,
          .are_threads_ignored = is_set(threads) && wanted == 0,
          .is_machine_ignored = is_set(machine) && !knows_machine};
}

const Settings& settings() noexcept {
  static const Settings read =
      settings_from(std::getenv("DLSPEC_ISA"), std::getenv("DLSPEC_THREADS"), std::getenv("DLSPEC_MACHINE"));
  return read;
}

}  // namespace dlspec::optimized
