// Functions of exchange tables with a fault of their own, put around those of a table that keeps every rule: what a
// Python exhibit cannot write. A process spoils one table.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>

#include "blocks.h"
#include "tables.h"

namespace {

using dlspec::abi::Tensor;
using Managed = dlspec::abi::v1::ManagedTensor;
using Api = dlspec::abi::v1::ExchangeApi;
using SetError = void (*)(void*, const char*, const char*);

Api kept;  // the functions of the table before it was spoilt

// Functions of the interpreter that has loaded this library, which itself links none.
template <class Function>
Function python(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

// --- the allocator

int fails_silently(Tensor* prototype, Managed** out, void* context, SetError) {
  return kept.managed_tensor_allocator(prototype, out, context, [](void*, const char*, const char*) {});
}

int fails_silently_on_ranks(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  return prototype->ndim > 64 ? -1 : kept.managed_tensor_allocator(prototype, out, context, set_error);
}

int reports_success(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  const int status = kept.managed_tensor_allocator(prototype, out, context, set_error);
  if (status == 0) set_error(context, "RuntimeError", "all is well");
  return status;
}

int reports_twice(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  const int status = kept.managed_tensor_allocator(prototype, out, context, set_error);
  if (status != 0) set_error(context, "RuntimeError", "it failed");
  return status;
}

int reports_without_context(Tensor* prototype, Managed** out, void*, SetError set_error) {
  return kept.managed_tensor_allocator(prototype, out, nullptr, set_error);
}

int keeps_byte_offset(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  const int status = kept.managed_tensor_allocator(prototype, out, context, set_error);
  if (status == 0) (*out)->dl_tensor.byte_offset = prototype->byte_offset;
  return status;
}

// The tensor of a vector describes itself by the caller's list.
int borrows_extents(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  const int status = kept.managed_tensor_allocator(prototype, out, context, set_error);
  if (status == 0 && prototype->ndim == 1) (*out)->dl_tensor.shape = prototype->shape;
  return status;
}

int reads_strides(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  if (prototype->strides != nullptr) (void)*static_cast<volatile std::int64_t*>(prototype->strides);
  return kept.managed_tensor_allocator(prototype, out, context, set_error);
}

dlspec::zoo::Blocks blocks;

struct Lent {
  char* block;
  std::size_t size;
  void (*deleter)(Managed*);
};
std::map<Managed*, Lent> lent;
std::mutex lent_mutex;

void give_back(Managed* managed) {
  Lent own{};
  {
    const std::lock_guard lock(lent_mutex);
    own = lent.at(managed);
    lent.erase(managed);
  }
  blocks.give(own.block, own.size);
  own.deleter(managed);
}

int small_blocks(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  const int status = kept.managed_tensor_allocator(prototype, out, context, set_error);
  if (status != 0) return status;
  std::size_t bits = std::size_t{prototype->dtype.bits} * prototype->dtype.lanes;
  for (int axis = 0; axis < prototype->ndim; ++axis) bits *= static_cast<std::size_t>(prototype->shape[axis]);
  const std::size_t size = (bits + 127) / 128 * 16;
  char* const block = size == 0 || size > dlspec::zoo::Blocks::largest ? nullptr : blocks.take(size);
  if (block == nullptr) return status;
  const std::lock_guard lock(lent_mutex);
  lent[*out] = {block, size, (*out)->deleter};
  (*out)->dl_tensor.data = block;
  (*out)->dl_tensor.byte_offset = 0;
  (*out)->deleter = &give_back;
  return status;
}

int needs_the_lock(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  python<void* (*)()>("PyThreadState_Get")();  // ends the process where no thread is attached
  return kept.managed_tensor_allocator(prototype, out, context, set_error);
}

// --- exports

int leaves_exception(void* object, Managed** out) {
  const int status = kept.managed_tensor_from_py_object_no_sync(object, out);
  const auto set = python<void (*)(void*, const char*)>("PyErr_SetString");
  if (status == 0) set(*python<void**>("PyExc_RuntimeError"), "left behind");
  return status;
}

int gives_no_tensor(void* object, Managed** out) {
  Managed* made = nullptr;
  const int status = kept.managed_tensor_from_py_object_no_sync(object, &made);
  if (status == 0) made->deleter(made);
  *out = nullptr;
  return status;
}

int leaves_byte_offset(void* object, Tensor* out) {
  const std::uint64_t before = out->byte_offset;
  const int status = kept.dltensor_from_py_object_no_sync(object, out);
  out->byte_offset = before;
  return status;
}

// Reachable, so that leak checkers have nothing to say.
int allocates_shape(void* object, Tensor* out) {
  const int status = kept.dltensor_from_py_object_no_sync(object, out);
  if (status != 0 || out->ndim == 0) return status;
  static void* last = nullptr;
  const std::size_t size = static_cast<std::size_t>(out->ndim) * sizeof(std::int64_t);
  auto* const block = static_cast<char*>(std::malloc(sizeof last + size));
  std::memcpy(block, static_cast<const void*>(&last), sizeof last);
  std::memcpy(block + sizeof last, out->shape, size);
  last = block;
  out->shape = reinterpret_cast<std::int64_t*>(block + sizeof last);
  return status;
}

int shares_shape(void* object, Tensor* out) {
  const int status = kept.dltensor_from_py_object_no_sync(object, out);
  if (status != 0 || out->ndim == 0) return status;
  static std::int64_t shape[64];
  std::memcpy(shape, out->shape, static_cast<std::size_t>(out->ndim) * sizeof *shape);
  out->shape = shape;
  return status;
}

// --- imports and streams

int fails_with_1(Managed* tensor, void** out) {
  return kept.managed_tensor_to_py_object_no_sync(tensor, out) == 0 ? 0 : 1;
}

int fails_without_exception(Managed* tensor, void** out) {
  const int status = kept.managed_tensor_to_py_object_no_sync(tensor, out);
  if (status != 0) python<void (*)()>("PyErr_Clear")();
  return status;
}

int throws(std::int32_t, std::int32_t, void**) { throw std::runtime_error("no stream here"); }

int leaves_stream(std::int32_t, std::int32_t, void**) { return 0; }

// The answer for a device that was asked before is known, and is not given again.
int answers_once(std::int32_t device_type, std::int32_t device_id, void** out) {
  static std::int32_t last = -1;
  if (device_type == last) return 0;
  const int status = kept.current_work_stream(device_type, device_id, out);
  last = status == 0 ? device_type : last;
  return status;
}

struct Fault {
  const char* name;
  void (*put)(Api& table);
};
constexpr Fault faults[] = {
    {"fails silently", [](Api& table) { table.managed_tensor_allocator = &fails_silently; }},
    {"fails silently on ranks", [](Api& table) { table.managed_tensor_allocator = &fails_silently_on_ranks; }},
    {"reports success", [](Api& table) { table.managed_tensor_allocator = &reports_success; }},
    {"reports twice", [](Api& table) { table.managed_tensor_allocator = &reports_twice; }},
    {"reports without context", [](Api& table) { table.managed_tensor_allocator = &reports_without_context; }},
    {"keeps byte_offset", [](Api& table) { table.managed_tensor_allocator = &keeps_byte_offset; }},
    {"borrows extents", [](Api& table) { table.managed_tensor_allocator = &borrows_extents; }},
    {"gives small blocks", [](Api& table) { table.managed_tensor_allocator = &small_blocks; }},
    {"reads strides", [](Api& table) { table.managed_tensor_allocator = &reads_strides; }},
    {"needs the lock", [](Api& table) { table.managed_tensor_allocator = &needs_the_lock; }},
    {"leaves an exception", [](Api& table) { table.managed_tensor_from_py_object_no_sync = &leaves_exception; }},
    {"gives no tensor", [](Api& table) { table.managed_tensor_from_py_object_no_sync = &gives_no_tensor; }},
    {"leaves byte_offset", [](Api& table) { table.dltensor_from_py_object_no_sync = &leaves_byte_offset; }},
    {"allocates shapes", [](Api& table) { table.dltensor_from_py_object_no_sync = &allocates_shape; }},
    {"shares one shape", [](Api& table) { table.dltensor_from_py_object_no_sync = &shares_shape; }},
    {"fails with 1", [](Api& table) { table.managed_tensor_to_py_object_no_sync = &fails_with_1; }},
    {"fails without exception",
     [](Api& table) { table.managed_tensor_to_py_object_no_sync = &fails_without_exception; }},
    {"throws", [](Api& table) { table.current_work_stream = &throws; }},
    {"leaves the stream", [](Api& table) { table.current_work_stream = &leaves_stream; }},
    {"answers once", [](Api& table) { table.current_work_stream = &answers_once; }},
    {"no allocator", [](Api& table) { table.managed_tensor_allocator = nullptr; }},
    {"no export", [](Api& table) { table.managed_tensor_from_py_object_no_sync = nullptr; }},
    {"no import", [](Api& table) { table.managed_tensor_to_py_object_no_sync = nullptr; }},
    {"no stream", [](Api& table) { table.current_work_stream = nullptr; }},
    {"no loan", [](Api& table) { table.dltensor_from_py_object_no_sync = nullptr; }},
};

// --- a fault behind a condition: two tables, of which each call has one

enum Function : int { allocates, exports, imports, lends, streams };

struct Switch {
  Api clean, faulty;
  int (*begin)(int function, const void* given);  // whether the faulty table answers; told the first argument
  void (*end)();
};
Switch switched;

class Chosen {
 public:
  Chosen(Function function, const void* given)
      : api_(switched.begin(function, given) != 0 ? switched.faulty : switched.clean) {}
  // The exception of a failure stays as it is.
  ~Chosen() {
    void *type = nullptr, *value = nullptr, *traceback = nullptr;
    const auto attach = python<int (*)()>("PyGILState_Ensure");
    const auto detach = python<void (*)(int)>("PyGILState_Release");
    const int state = attach();
    python<void (*)(void**, void**, void**)>("PyErr_Fetch")(&type, &value, &traceback);
    switched.end();
    python<void (*)(void*, void*, void*)>("PyErr_Restore")(type, value, traceback);
    detach(state);
  }
  Chosen(const Chosen&) = delete;
  Chosen& operator=(const Chosen&) = delete;
  const Api* operator->() const { return &api_; }

 private:
  const Api& api_;
};

int allocate(Tensor* prototype, Managed** out, void* context, SetError set_error) {
  return Chosen(allocates, prototype)->managed_tensor_allocator(prototype, out, context, set_error);
}

int export_object(void* object, Managed** out) {
  return Chosen(exports, object)->managed_tensor_from_py_object_no_sync(object, out);
}

int import_tensor(Managed* tensor, void** out) {
  return Chosen(imports, tensor)->managed_tensor_to_py_object_no_sync(tensor, out);
}

int lend(void* object, Tensor* out) { return Chosen(lends, object)->dltensor_from_py_object_no_sync(object, out); }

int current_stream(std::int32_t device_type, std::int32_t device_id, void** out) {
  return Chosen(streams, nullptr)->current_work_stream(device_type, device_id, out);
}

}  // namespace

// The functions of `table` are its own or those of `faulty`, as `begin` says at each call; `end` follows it.
extern "C" __attribute__((visibility("default"))) void dlspec_zoo_switch_table(Api* table, const Api* faulty,
                                                                               int (*begin)(int, const void*),
                                                                               void (*end)()) {
  switched = {*table, *faulty, begin, end};
  table->managed_tensor_allocator = &allocate;
  table->managed_tensor_from_py_object_no_sync = &export_object;
  table->managed_tensor_to_py_object_no_sync = &import_tensor;
  table->dltensor_from_py_object_no_sync = &lend;
  table->current_work_stream = &current_stream;
}

int dlspec_zoo_spoil_table(Api* table, const char* fault) {
  if (kept.header.version.major != 0) return 0;
  for (const Fault& each : faults) {
    if (std::strcmp(each.name, fault) != 0) continue;
    kept = *table;
    each.put(*table);
    return 1;
  }
  return 0;
}
