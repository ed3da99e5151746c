#include <dlspec/optimized/cuda/rearrange.h>

#include <dlspec/optimized/cuda/library.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/optimized/rearrange/plan/memory.h>

namespace dlspec::optimized::cuda {
namespace {

Outcome outcome_of(Answer answer) {
  switch (answer) {
    case answer_ok: return {};
    case answer_no_device: return {Launch::no_device, Status::ok};
    case answer_wrong_architecture: return {Launch::wrong_architecture, Status::ok};
    default: return {Launch::failed, Status::ok};
  }
}

// Can the GPU access this address? Pageable memory is refused also where the GPU could: the answer does not depend on
// the machine.
Outcome check_pointer(const LibraryTable& table, const void* pointer) {
  MemoryKind kind = MemoryKind::pageable;
  const Answer answer = table.memory_of(pointer, &kind);
  if (answer != answer_ok) return outcome_of(answer);
  return {kind == MemoryKind::pageable ? Launch::not_device_memory : Launch::ok, Status::ok};
}

}  // namespace

Status make_plan(const View& destination, const View& source, Rearrangement& copy) noexcept {
  copy.plan = {};
  Status status = normalise(destination, source, copy.geometry);
  if (status == Status::ok && copy.geometry.bytes != 0) status = check_destination(destination, copy.geometry);
  if (status == Status::ok) status = schedule(copy.geometry, {}, copy.plan);
  if (status != Status::ok) copy.geometry.bytes = 0;
  return status;
}

Status select_plan(const Rearrangement& copy, std::uintptr_t destination, std::uintptr_t source, CudaPlan& other,
                   const CudaPlan*& plan) noexcept {
  plan = nullptr;
  const Geometry& geometry = copy.geometry;
  if (geometry.bytes == 0) return Status::ok;
  Addresses to_span, from_span;
  Status status = check_memory(geometry, destination, source, to_span, from_span);
  if (status == Status::ok && !are_apart(to_span, from_span)) {
    status = check_operands(geometry, destination, source);
    if (status == Status::ok && destination == source && geometry.same_layout) return status;
  }
  if (status != Status::ok) return status;
  const Alignment alignment{alignment_of(destination + static_cast<std::uintptr_t>(geometry.to_start)),
                            alignment_of(source + static_cast<std::uintptr_t>(geometry.from_start))};
  plan = &copy.plan;
  if (alignment.to >= copy.plan.to_alignment && alignment.from >= copy.plan.from_alignment) return status;
  plan = &other;
  return schedule(geometry, alignment, other);
}

Outcome execute(const Rearrangement& copy, void* destination, const void* source, void* stream) noexcept {
  return execute_with(library(), copy, destination, source, stream);
}

Outcome execute_with(const LibraryTable* table, const Rearrangement& copy, void* destination, const void* source,
                     void* stream) noexcept {
  CudaPlan other;
  const CudaPlan* plan = nullptr;
  const Status status = select_plan(copy, reinterpret_cast<std::uintptr_t>(destination),
                                    reinterpret_cast<std::uintptr_t>(source), other, plan);
  if (status != Status::ok) return {Launch::refused, status};
  if (table == nullptr) return {Launch::no_library, Status::ok};
  if (plan == nullptr) return {};
  for (const void* const pointer : {static_cast<const void*>(destination), source}) {
    const Outcome checked = check_pointer(*table, pointer);
    if (checked.launch != Launch::ok) return checked;
  }
  return outcome_of(table->launch(plan, static_cast<std::byte*>(destination) + copy.geometry.to_start,
                                  static_cast<const std::byte*>(source) + copy.geometry.from_start, stream));
}

}  // namespace dlspec::optimized::cuda
