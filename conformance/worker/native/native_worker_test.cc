// The native worker's judgement over whole plans: dlspec's own producer and consumer break nothing, one fault is one
// rule, and a refusal is none.
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_testing.h>

namespace dlspec::conformance {
namespace {

TEST(NativeWorker, BuiltinBreaksNothingAndEveryRuleIsAnswered) {
  Selection selection;
  selection.kind = SubjectKind::builtin;
  const std::vector<Case> plan = make_plan(selection);
  ASSERT_FALSE(plan.empty());
  for (const Case& work : plan) {
    const Answer reply = answer_case(*builtin_plugin(), work);
    for (const RuleId id : work.rules) {
      const auto found = reply.outcomes.find(id);
      ASSERT_NE(found, reply.outcomes.end()) << work.id << " left out " << rule(id).id;
      EXPECT_FALSE(is_deviation(found->second)) << work.id << " " << rule(id).id << ": " << found->second.observed;
      EXPECT_NE(found->second.kind, Outcome::Kind::blocked)
          << work.id << " " << rule(id).id << ": " << found->second.observed;
    }
  }
}

int ignore_byte_offset(void* exported, int generation, void** array, const char** reason) {
  const bool known = generation == DLSPEC_LEGACY || static_cast<Managed*>(exported)->version.major == 1;
  if (known) managed_tensor(exported_struct(exported, generation)).byte_offset = 0;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int ignore_major(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_VERSIONED) static_cast<Managed*>(exported)->version.major = 1;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

int leak_refused(void* exported, int generation, void** array, const char** reason) {
  if (generation == DLSPEC_VERSIONED && static_cast<Managed*>(exported)->version.major != 1) return DLSPEC_UNSUPPORTED;
  return builtin_plugin()->import_tensor(exported, generation, array, reason);
}

std::vector<void*> kept;  // still reachable: a leak checker has nothing to say

void never_release(void* array) { kept.push_back(array); }

void release_twice(void* array) {
  Managed* const managed = *static_cast<Managed**>(array);  // the builtin consumer's array begins with its address
  managed->deleter(managed);
  builtin_plugin()->release(array);
}

int first_byte_wrong(void* array, void* bytes, std::size_t byte_count) {
  const int status = builtin_plugin()->contents(array, bytes, byte_count);
  if (byte_count > 0) static_cast<unsigned char*>(bytes)[0] ^= 1;
  return status;
}

// The rules violated in the whole plan of a consumer, notes included.
Names found_in_all(const DlspecPlugin& plugin) { return rules_with(is_reported, plugin, Role::consumer, "*"); }

TEST(NativeWorker, OneFaultOfAConsumerIsOneRuleInTheWholePlan) {
  EXPECT_EQ(found_in_all(*builtin_plugin()), Names{});
  // Where byte_offset is not 0 this one also writes to the struct.
  EXPECT_EQ(found_in_all(consumer(ignore_byte_offset)),
            (Names{"tensor.byte-offset-honoured", "tensor.metadata-not-mutated"}));
  EXPECT_EQ(found_in_all(consumer(ignore_major)), Names{"version.major-mismatch-release"});
  EXPECT_EQ(found_in_all(consumer(leak_refused)), Names{"version.major-mismatch-release"});
  DlspecPlugin plugin = *builtin_plugin();
  plugin.contents = first_byte_wrong;
  EXPECT_EQ(found_in_all(plugin), Names{"tensor.element-address"});
  plugin = *builtin_plugin();
  plugin.release = never_release;  // of one dtype and layout: what is never released keeps its guard pages
  EXPECT_EQ(rules_with(is_reported, plugin, Role::consumer, "consumer/float32/c/*"), Names{"managed.deleter-once"});
  plugin.release = release_twice;  // which knows versioned structs with a deleter alone
  EXPECT_EQ(violated_in(plugin, Role::consumer, "consumer/float32/c/versioned"), Names{"managed.deleter-once"});
}

TEST(NativeWorker, ARefusalIsUnsupportedNotAFault) {
  const DlspecPlugin plugin = consumer([](void* exported, int generation, void**, const char** reason) -> int {
    *reason = "nothing is good enough";
    call_deleter(exported_struct(exported, generation));
    return DLSPEC_UNSUPPORTED;
  });
  EXPECT_EQ(violated_rules(plugin, Role::consumer, "consumer/*/versioned"), Names{});
}

}  // namespace
}  // namespace dlspec::conformance
