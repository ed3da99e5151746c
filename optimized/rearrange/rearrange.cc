#include <dlspec/optimized/rearrange/rearrange.h>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/plan/memory.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t least_for_a_program = 1024;  // bytes of payload

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void carry_out_at(const Plan& plan, void* destination, const void* source) {
  carry_out(plan, static_cast<std::byte*>(destination) + plan.geometry.to_start,
            static_cast<const std::byte*>(source) + plan.geometry.from_start);
}

// The bytes of one side lie between those of the other: by itself, so that other copies need not save what it needs.
[[gnu::noinline]] Status copy_between(const Plan& plan, void* destination, const void* source) {
  const Status status = check_operands(plan.geometry, address(destination), address(source));
  if (status != Status::ok || (destination == source && plan.geometry.same_places)) return status;
  carry_out_at(plan, destination, source);
  return Status::ok;
}

// Memory is judged, the destination is injective.
Status copy(const Plan& plan, void* destination, const void* source, const Addresses& to, const Addresses& from) {
  if (!are_apart(to, from)) return copy_between(plan, destination, source);
  carry_out_at(plan, destination, source);
  return Status::ok;
}

}  // namespace

Status make_plan(const View& destination, const View& source, Plan& plan, const PlanOptions& options) noexcept {
  plan.method = Method::nothing;
  plan.at_once = false;
  Status status = normalise(destination, source, plan.geometry);
  if (status == Status::ok && plan.geometry.bytes != 0) status = check_destination(destination, plan.geometry);
  if (status != Status::ok) plan.geometry.bytes = 0;
  if (plan.geometry.bytes != 0) {
    schedule(plan, options.engine == nullptr ? default_engine() : *options.engine, options);
  }
  return status;
}

Status execute(const Plan& plan, void* destination, const void* source) noexcept {
  if (!plan.at_once && plan.geometry.bytes == 0) return Status::ok;
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
  // What is copied only once is not worth a program until it is longer than the program takes to make.
  schedule(plan, default_engine(), {.programs = plan.geometry.bytes > least_for_a_program});
  return copy(plan, to, from, written, read);
}

}  // namespace dlspec::optimized
