// Behind dlspec::fuzz: what an engine's entry points do for a plug-in.
#include <dlspec/fuzz.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <dlspec/conformance/plan/sequence_shrinker.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>
#include <dlspec/conformance/worker/native/native_sequence.h>

#include "sequence_bytes.h"

// libFuzzer takes these for coverage beside that of the program, and sets them to 0 before each input.
extern "C" {
__attribute__((section("__libfuzzer_extra_counters"), used)) std::uint8_t dlspec_fuzz_observations[1U << 14U];
}

namespace {

using namespace dlspec;
using namespace dlspec::conformance;

constexpr std::chrono::milliseconds patience(5);  // for releases at the end of a sequence
constexpr std::size_t most_attempts = 400;        // of shrinking

struct Target {
  DlspecPlugin table{};
  fuzz::SequenceForm form;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "dlspec::fuzz: %s\n", why.c_str());
  std::abort();
}

Target make_target(const DlspecPlugin* plugin) {
  const LoadedPlugin loaded = take_table(plugin);
  if (!loaded.table) refuse(loaded.message);
  Target target{*loaded.table, {}};
  target.form.profile.native = true;
  target.form.profile.exports = loaded.table->make != nullptr;
  target.form.profile.imports = loaded.table->import_tensor != nullptr;
  target.form.threads = std::getenv("DLSPEC_FUZZ_THREADS") != nullptr;
  if (!target.form.profile.exports && !target.form.profile.imports) refuse("the plug-in neither exports nor imports");
  return target;
}

// A program has one plug-in.
const Target& target_of(const DlspecPlugin* plugin) {
  static const Target target = make_target(plugin);
  return target;
}

std::size_t write(const Sequence& sequence, const fuzz::SequenceForm& form, std::uint8_t* out, std::size_t most) {
  const std::vector<std::uint8_t> bytes = fuzz::encode_sequence(sequence, form);
  const std::size_t size = std::min(bytes.size(), most);
  std::copy_n(bytes.begin(), size, out);
  return size;
}

NativeSequenceResult carry_out(const Target& target, const Sequence& sequence) {
  static const bool prints = std::getenv("DLSPEC_FUZZ_PRINT") != nullptr;
  const auto before = [&](std::size_t step) {
    if (!prints) return;
    const std::string text = step < sequence.size() ? step_text(sequence[step]) : "end";
    std::fprintf(stderr, "%2zu  %s\n", step + 1, text.c_str());
  };
  return carry_out(target.table, sequence, before, patience);
}

Sequence shrunk(const Target& target, const Sequence& sequence, const SequenceReport::Finding& wanted) {
  const auto fails = [&](const Sequence& candidate) {
    const auto found = carry_out(target, candidate).finding;
    return found && found->rule == wanted.rule && found->role == wanted.role;
  };
  const auto shown = static_cast<std::ptrdiff_t>(std::min(sequence.size(), wanted.step + 1));
  const Sequence cut(sequence.begin(), sequence.begin() + shown);
  return shrink_sequence(fails(cut) ? cut : sequence, fails, most_attempts);
}

void print(const Sequence& sequence, const SequenceReport::Finding& finding) {
  const char* const id = rule(finding.rule).id;
  std::fprintf(stderr, "dlspec: %s (%s)\n  observed  %s\n", id, role_name(finding.role), finding.observed.c_str());
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const char* const here = i == finding.step ? "   <- here" : "";
    std::fprintf(stderr, "    %2zu  %s%s\n", i + 1, step_text(sequence[i]).c_str(), here);
  }
  const bool at_end = finding.step >= sequence.size();
  if (at_end) std::fprintf(stderr, "    end: everything that is left is released   <- here\n");
  std::fprintf(stderr, "  allowed   %s\n", finding.allowed.c_str());
  std::fprintf(stderr, "  repeat    dlspec fuzz PLUGIN --sequence '%s'\n", sequence_text(sequence).c_str());
  // libFuzzer keeps to one fault by this line when it minimises its input.
  const char* const word = at_end ? "end" : row_of(sequence[finding.step].kind).word;
  std::fprintf(stderr, "DEDUP_TOKEN: dlspec--%s--%s\n", id, word);
}

}  // namespace

int dlspec_fuzz_one(const DlspecPlugin* plugin, const std::uint8_t* data, std::size_t size) {
  const Target& target = target_of(plugin);
  const Sequence sequence = fuzz::decode_sequence({data, size}, target.form);
  const NativeSequenceResult result = carry_out(target, sequence);
  for (const std::uint64_t seen : result.observations)
    dlspec_fuzz_observations[seen % sizeof dlspec_fuzz_observations] = 1;
  if (!result.finding) return 0;
  const Sequence simple = shrunk(target, sequence, *result.finding);
  const NativeSequenceResult again = carry_out(target, simple);
  if (again.finding) {
    print(simple, *again.finding);
  } else {
    print(sequence, *result.finding);  // what a sequence left behind is part of the fault
  }
  std::abort();
}

// One in sixteen is a new sequence. Never an empty string, which libFuzzer does not take.
std::size_t dlspec_fuzz_mutate(const DlspecPlugin* plugin, std::uint8_t* data, std::size_t size, std::size_t most,
                               unsigned seed) {
  const fuzz::SequenceForm& form = target_of(plugin).form;
  if (most == 0) return 0;
  SequenceRandom random(seed);
  const Sequence before = fuzz::decode_sequence({data, size}, form);
  const Sequence after = before.empty() || random.below(16) == 0
                             ? generate_sequence(form.profile, random, 8 + random.below(32))
                             : vary_sequence(before, form.profile, random);
  const std::size_t changed = write(after, form, data, most);
  if (changed == 0) data[0] = 0;
  return std::max<std::size_t>(changed, 1);
}

// The beginning of one, and of the other what is possible behind it.
std::size_t dlspec_fuzz_cross(const DlspecPlugin* plugin, const std::uint8_t* first, std::size_t first_size,
                              const std::uint8_t* second, std::size_t second_size, std::uint8_t* out, std::size_t most,
                              unsigned seed) {
  const fuzz::SequenceForm& form = target_of(plugin).form;
  SequenceRandom random(seed);
  Sequence joined = fuzz::decode_sequence({first, first_size}, form);
  joined.resize(random.below(joined.size() + 1));
  const Sequence rest = fuzz::decode_sequence({second, second_size}, form);
  joined.insert(joined.end(), rest.begin() + static_cast<std::ptrdiff_t>(random.below(rest.size() + 1)), rest.end());
  return write(joined, form, out, most);
}
