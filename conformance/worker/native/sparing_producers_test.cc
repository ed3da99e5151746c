// Native producers that are sparing with their exports, and conform: two alive at a time, or one struct for all that
// are alike and read-only. The whole plan finds nothing.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/native_worker.h>

namespace dlspec::conformance {
namespace {

// The structs that are alive: their own deleters, by which array they are, and how often they were handed out.
struct Alive {
  void* deleter;
  std::string key;
  int references;
};
std::map<void*, Alive> alive;
std::mutex alive_mutex;

template <class Managed>
void release(Managed* managed) {
  Alive last;
  {
    const std::lock_guard lock(alive_mutex);
    const auto found = alive.find(managed);
    if (found == alive.end() || --found->second.references > 0) return;
    last = found->second;
    alive.erase(found);
  }
  reinterpret_cast<void (*)(Managed*)>(last.deleter)(managed);
}

// The builtin plug-in's export, entered among those that are alive.
int make_entered(const DlspecSpec* spec, int generation, void** exported, const char** reason, std::string key) {
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status != DLSPEC_OK) return status;
  with_managed(exported_struct(*exported, generation), [&](auto& managed) {
    const std::lock_guard lock(alive_mutex);
    alive[&managed] = {reinterpret_cast<void*>(managed.deleter), std::move(key), 1};
    managed.deleter = release;
  });
  return status;
}

int make_one_of_two(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  {
    const std::lock_guard lock(alive_mutex);
    if (alive.size() >= 2) return DLSPEC_ERROR;
  }
  return make_entered(spec, generation, exported, reason, "");
}

std::string key_of(const DlspecSpec& spec, int generation) {
  std::string key = std::to_string(generation);
  const auto add = [&key](std::int64_t number) { key += " " + std::to_string(number); };
  for (const std::int64_t number : {spec.code + 0L, spec.bits + 0L, spec.lanes + 0L, spec.offset + 0L}) add(number);
  for (int axis = 0; axis < spec.ndim; ++axis) {
    add(spec.shape[axis]);
    if (spec.strides != nullptr) add(spec.strides[axis]);
  }
  return key + (spec.strides != nullptr ? "s" : "c") +
         std::string(static_cast<const char*>(static_cast<const void*>(spec.bytes)), spec.byte_count);
}

int make_shared(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (spec->read_only == 0) return builtin_plugin()->make(spec, generation, exported, reason);
  const std::string key = key_of(*spec, generation);
  {
    const std::lock_guard lock(alive_mutex);
    for (auto& [managed, each] : alive) {
      if (each.key != key) continue;
      ++each.references;
      *exported = managed;
      return DLSPEC_OK;
    }
  }
  return make_entered(spec, generation, exported, reason, key);
}

void expect_no_blame(int (*make)(const DlspecSpec*, int, void**, const char**)) {
  constexpr std::size_t parts = 3;
  Selection selection;
  selection.kind = SubjectKind::plugin;
  selection.roles = {Role::producer};
  const std::vector<Case> plan = make_plan(selection);
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make;
  std::size_t passed = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Case& work = plan[i];
    if (i % parts != 0 && work.id.find("sequence") == std::string::npos) continue;
    for (const auto& [id, outcome] : answer_case(plugin, work).outcomes) {
      const bool blamed =
          outcome.kind == Outcome::Kind::violated && outcome.verdict.value_or(Verdict::fail) <= Verdict::warn;
      EXPECT_FALSE(blamed) << work.id << " " << rule(id).id << ": " << outcome.observed;
      if (outcome.kind == Outcome::Kind::pass) ++passed;
    }
  }
  EXPECT_GT(passed, plan.size() / parts);
}

TEST(SparingProducers, MayKeepTwoExportsAlive) {
  alive.clear();
  expect_no_blame(make_one_of_two);
  EXPECT_TRUE(alive.empty());
}

TEST(SparingProducers, MayShareTheStructsOfReadOnlyArrays) {
  alive.clear();
  expect_no_blame(make_shared);
}

}  // namespace
}  // namespace dlspec::conformance
