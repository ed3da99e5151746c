// Command sequences on dlspec's own plug-in, in this process: whatever the order of exports, imports and releases, the
// engine of sequences finds nothing, and nothing is read or written that is gone.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "effort.h"
#include "field_mutator.h"

#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/plan/sequence_model.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/native_sequence.h>

namespace {

using namespace dlspec::conformance;
using dlspec::testing::FieldListener;

enum class Kind : std::uint8_t { length, step, holder, option };

constexpr std::size_t longest = 32;

// The word of an option that is no thread: these stay out of an engine's process.
std::uint8_t option_of(const StepRow& row, std::size_t slot, std::uint8_t byte) {
  const auto& words = row.options[slot];
  const auto chosen = static_cast<std::uint8_t>(byte % words.size());
  return !dlspec::fuzz::replaying && std::string_view(words[chosen]) == "thread" ? 0 : chosen;
}

// Every string is a sequence. What a step makes has the next number of its kind.
Sequence decode(std::span<const std::uint8_t> bytes, FieldListener* listener) {
  dlspec::testing::FieldReader reader(bytes, listener);
  std::uint16_t made[2] = {0, 0};  // arrays, exports
  Sequence sequence;
  reader.field(Kind::length);
  sequence.resize(reader.byte() % longest);
  for (Step& step : sequence) {
    reader.field(Kind::step);
    const StepRow& row = reader.any_of(step_rows());
    step.kind = row.kind;
    if (row.makes != HolderKind::none) step.made = {row.makes, made[row.makes == HolderKind::array ? 0 : 1]++};
    if (row.acts_on != HolderKind::none) {
      reader.field(Kind::holder);
      const std::uint8_t holder = reader.byte();
      const bool array = row.acts_on == HolderKind::array || (row.acts_on == HolderKind::either && holder >= 128);
      step.on = {array ? HolderKind::array : HolderKind::export_,
                 static_cast<std::uint16_t>(holder % (made[array ? 0 : 1] + 1))};
    }
    for (std::size_t slot = 0; slot < most_options && !row.options[slot].empty(); ++slot) {
      reader.field(Kind::option);
      step.options[slot] = option_of(row, slot, reader.byte());
    }
  }
  return sequence;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Sequence sequence = renumbered(possible_steps(decode({data, size}, nullptr)));
  const NativeSequenceResult result =
      carry_out(*builtin_plugin(), sequence, [](std::size_t) {}, std::chrono::milliseconds(5));
  if (!result.finding) return 0;
  std::fprintf(stderr, "%s\n  in: %s\n", result.finding->observed.c_str(), sequence_text(sequence).c_str());
  std::abort();
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, FieldListener& listener) {
  (void)decode(bytes, &listener);
})
