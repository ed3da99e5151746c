#include <dlspec/optimized/rearrange/rearrange.h>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/plan/memory.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t min_shuffle_bytes = 1024;  // payload in bytes

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void run_plan_at(const Plan& plan, void* destination, const void* source) {
  run_plan(plan, static_cast<std::byte*>(destination) + plan.geometry.to_start,
           static_cast<const std::byte*>(source) + plan.geometry.from_start);
}

// Byte ranges that intersect. Out of line, so that other copies do not save registers for it.
[[gnu::noinline]] Status copy_between(const Plan& plan, void* destination, const void* source) {
  const Status status = check_operands(plan.geometry, address(destination), address(source));
  if (status != Status::ok || (destination == source && plan.geometry.same_layout)) return status;
  run_plan_at(plan, destination, source);
  return Status::ok;
}

// The memory is checked and the destination is injective.
Status copy(const Plan& plan, void* destination, const void* source, const Addresses& to, const Addresses& from) {
  if (!are_apart(to, from)) return copy_between(plan, destination, source);
  run_plan_at(plan, destination, source);
  return Status::ok;
}

}  // namespace

Status make_plan(const View& destination, const View& source, Plan& plan, const PlanOptions& options) noexcept {
  plan.method = Method::nothing;
  plan.is_single_block = false;
  Status status = normalise(destination, source, plan.geometry);
  if (status == Status::ok && plan.geometry.bytes != 0) status = check_destination(destination, plan.geometry);
  if (status != Status::ok) plan.geometry.bytes = 0;
  if (plan.geometry.bytes != 0) {
    schedule(plan, options.engine == nullptr ? default_engine() : *options.engine, options);
  }
  return status;
}

Status execute(const Plan& plan, void* destination, const void* source) noexcept {
  if (!plan.is_single_block && plan.geometry.bytes == 0) return Status::ok;
  Addresses to, from;
  const Status status = check_memory(plan.geometry, address(destination), address(source), to, from);
  return status == Status::ok ? copy(plan, destination, source, to, from) : status;
}

Status rearrange(const View& destination, void* to, const View& source, const void* from) noexcept {
  Plan plan;
  Status status = normalise(destination, source, plan.geometry);
  if (status != Status::ok || plan.geometry.bytes == 0) return status;
  Addresses written, read;
  status = check_memory(plan.geometry, address(to), address(from), written, read);
  if (status == Status::ok) status = check_destination(destination, plan.geometry);
  if (status != Status::ok) return status;
  // Making a byte shuffle takes longer than copying up to 1 KiB.
  schedule(plan, default_engine(), {.methods = plan.geometry.bytes > min_shuffle_bytes ? all_methods : ~shuffles});
  return copy(plan, to, from, written, read);
}

}  // namespace dlspec::optimized
