// Sequences in the native worker: dlspec's own plug-in shows nothing over thousands of seeds, and faults that depend on
// the order of steps are found in plug-ins that differ from it in one function, and shrunk.
#include <dlspec/conformance/worker/native/native_sequence.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <dlspec/conformance/plan/sequence_generator.h>
#include <dlspec/conformance/plan/sequence_shrinker.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {
namespace {

Sequence generated(std::uint64_t seed) {
  SequenceRandom random(seed);
  return generate_sequence(sequence_profile(Role::exchange, SubjectKind::plugin), random, 30);
}

NativeSequenceResult run(const DlspecPlugin& plugin, const Sequence& sequence) {
  return carry_out(plugin, sequence, [](std::size_t) {}, std::chrono::milliseconds(5));
}

TEST(NativeSequence, TheOwnPluginShowsNothing) {
  std::set<RuleId> exercised;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    NativeSequenceResult result = run(*builtin_plugin(), generated(seed));
    ASSERT_FALSE(result.finding) << result.finding->observed << " in " << sequence_text(generated(seed));
    exercised.merge(result.exercised);
  }
  EXPECT_TRUE(exercised.contains(RuleId::managed_exports_independent));
  EXPECT_TRUE(exercised.contains(RuleId::managed_not_early));
}

TEST(NativeSequence, EveryStepIsAnnounced) {
  std::vector<std::size_t> steps;
  const Sequence sequence = generated(1);
  (void)carry_out(*builtin_plugin(), sequence, [&](std::size_t step) { steps.push_back(step); });
  ASSERT_EQ(steps.size(), sequence.size() + 1);
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], i);
}

int refusing_make(const DlspecSpec*, int, void**, const char**) { return DLSPEC_UNSUPPORTED; }
int newer_make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status == DLSPEC_OK && generation == DLSPEC_VERSIONED)
    static_cast<abi::v1::ManagedTensor*>(*exported)->version.minor = 99;
  return status;
}

TEST(NativeSequence, ObservationsTellWhatTheLibraryDid) {
  const Sequence sequence = *parse_sequence("make a0 c float32 library; export e0 a0 versioned; drop e0");
  DlspecPlugin plugin = *builtin_plugin();
  const auto usual = run(plugin, sequence).observations;
  EXPECT_EQ(usual.size(), 3U);
  EXPECT_EQ(run(plugin, sequence).observations, usual);
  plugin.make = newer_make;
  const auto other = run(plugin, sequence).observations;
  ASSERT_EQ(other.size(), 3U);
  EXPECT_EQ(other[0], usual[0]);
  EXPECT_NE(other[1], usual[1]);
  plugin.make = refusing_make;
  EXPECT_EQ(run(plugin, sequence).observations.size(), 2U);  // nothing is left to drop
}

// --- faults: what the plug-in's functions do beside those of dlspec's own

using Struct = abi::v1::ManagedTensor;

// An export overwrites the elements of the one before.
int overwriting_make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status != DLSPEC_OK || generation != DLSPEC_VERSIONED || spec->read_only != 0) return status;
  static std::vector<std::uint8_t> shared(1 << 16);
  auto& tensor = static_cast<Struct*>(*exported)->dl_tensor;
  if (spec->strides != nullptr || tensor.byte_offset != 0) return status;
  std::copy_n(static_cast<const std::uint8_t*>(spec->bytes), spec->byte_count, shared.data());
  tensor.data = shared.data();
  return status;
}

// Every second import is released at once.
int gone = 0;  // stands for such an import
int early_import(void* exported, int generation, void** array, const char** reason) {
  static unsigned imports = 0;
  const int status = builtin_plugin()->import_tensor(exported, generation, array, reason);
  if (status != DLSPEC_OK || ++imports % 2 != 0) return status;
  builtin_plugin()->release(*array);
  *array = &gone;
  return status;
}
int early_contents(void* array, void* bytes, std::size_t count) {
  if (array != &gone) return builtin_plugin()->contents(array, bytes, count);
  std::fill_n(static_cast<std::uint8_t*>(bytes), count, std::uint8_t{0});
  return DLSPEC_OK;
}
void early_release(void* array) {
  if (array != &gone) builtin_plugin()->release(array);
}

// An import that was given up is never released.
void forgetful_release(void*) {}

struct FaultyPlugin {
  const char* name;
  DlspecPlugin plugin;
  RuleId rule;
};

std::vector<FaultyPlugin> faulty_plugins() {
  std::vector<FaultyPlugin> all;
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = overwriting_make;
  all.push_back({"overwrites", plugin, RuleId::managed_exports_independent});
  plugin = *builtin_plugin();
  plugin.import_tensor = early_import;
  plugin.contents = early_contents;
  plugin.release = early_release;
  all.push_back({"released early", plugin, RuleId::tensor_element_address});
  plugin = *builtin_plugin();
  plugin.release = forgetful_release;
  all.push_back({"never released", plugin, RuleId::managed_deleter_once});
  return all;
}

TEST(NativeSequence, FaultsAreFoundAndShrunk) {
  for (const FaultyPlugin& faulty : faulty_plugins()) {
    std::optional<Sequence> failing;
    for (std::uint64_t seed = 0; seed < 200 && !failing; ++seed) {
      const auto finding = run(faulty.plugin, generated(seed)).finding;
      if (finding && finding->rule == faulty.rule) failing = generated(seed);
    }
    ASSERT_TRUE(failing) << faulty.name;
    const Sequence shrunk = shrink_sequence(
        *failing,
        [&](const Sequence& candidate) {
          const auto finding = run(faulty.plugin, candidate).finding;
          return finding && finding->rule == faulty.rule;
        },
        60);
    EXPECT_LE(shrunk.size(), 10U) << faulty.name << ": " << sequence_text(shrunk);
  }
}

}  // namespace
}  // namespace dlspec::conformance
