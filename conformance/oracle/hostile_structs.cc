#include <dlspec/conformance/oracle/hostile_structs.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace dlspec::conformance {
namespace {

// Moves two numbers down by half of one: they stand at the end of their pages, with room in front.
void misalign(std::int64_t*& numbers) {
  constexpr std::size_t half = sizeof(std::int64_t) / 2;
  char* const lower = reinterpret_cast<char*>(numbers) - half;
  std::memmove(lower, numbers, 2 * sizeof(std::int64_t));
  numbers = reinterpret_cast<std::int64_t*>(lower);
}

constexpr bool elements = true;
constexpr bool nothing = false;
constexpr HostileStruct table[] = {
#define DLSPEC_HOSTILE(name, shows, says, spoil) {name, shows, says, [](abi::Tensor& tensor) { spoil; }},
#include <dlspec/conformance/oracle/hostile_structs.def>
#undef DLSPEC_HOSTILE
};

}  // namespace

std::span<const HostileStruct> hostile_structs() { return table; }

const HostileStruct* find_hostile_struct(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &HostileStruct::name);
  return found != std::end(table) ? found : nullptr;
}

}  // namespace dlspec::conformance
