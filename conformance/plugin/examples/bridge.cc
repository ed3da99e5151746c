// A bridge in C++: descriptors of up to 64 axes, and the copy of dlspec's own library. It takes no DLPack tensors in
// (NULL in the table), and its refusals have no InfiniOP status.
#include <dlspec/optimized/descriptor/strided.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/plugin.h>

#include <algorithm>
#include <new>
namespace {
using namespace dlspec::optimized;
using Managed = dlspec::abi::v1::ManagedTensor;
struct Tensor {
  dlspec::abi::DataType dtype;
  Strided layout;
  Managed managed;
};  // managed: of an export, which is a copy

int describe(const DlspecDescription* of, void** descriptor, DlspecRefusal*) {
  const bool plain = of->lanes == 1 && of->bits != 0 && of->bits % 8 == 0 && of->code <= 6 && of->code != 3;
  if (!plain || of->ndim > 64 || (of->ndim != 0 && of->shape == nullptr)) return DLSPEC_UNSUPPORTED;
  Tensor made{{of->code, of->bits, 1}, {of->ndim, 0, {}, {}}, {}};
  std::copy_n(of->shape, of->ndim, made.layout.shape.begin());
  if (of->strides != nullptr)
    std::copy_n(of->strides, of->ndim, made.layout.strides.begin());
  else
    write_compact_strides(made.layout.extents(), made.layout.strides.data());
  if (judge(made.layout, of->bits / 8u) != dlspec::InfiniStatus::success) return DLSPEC_UNSUPPORTED;
  return (*descriptor = new (std::nothrow) Tensor(made)) != nullptr ? DLSPEC_OK : DLSPEC_ERROR;
}
void destroy(void* descriptor) { delete static_cast<Tensor*>(descriptor); }
int to_dlpack(const void* descriptor, void* data, int generation, void** exported, DlspecRefusal*) {
  auto* const t =
      generation == DLSPEC_VERSIONED ? new (std::nothrow) Tensor(*static_cast<const Tensor*>(descriptor)) : nullptr;
  if (t == nullptr) return DLSPEC_UNSUPPORTED;
  t->managed = {{1, 3}, t, [](Managed* self) { destroy(self->manager_ctx); }, 0, {}};
  t->managed.dl_tensor = {data, {1, 0}, int(t->layout.rank), t->dtype, t->layout.shape.data(), t->layout.strides.data(),
                          0};
  return *exported = &t->managed, DLSPEC_OK;
}
int rearrange(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const auto view = [](const Tensor* t) { return View{t->dtype, t->layout.extents(), t->layout.strides.data()}; };
  const auto status =
      rearrange(view(static_cast<const Tensor*>(to)), to_data, view(static_cast<const Tensor*>(from)), from_data);
  return refusal->reason = dlspec::describe(status), status == dlspec::Status::ok ? DLSPEC_OK : DLSPEC_UNSUPPORTED;
}
const DlspecBridge bridge{sizeof bridge, describe, destroy, nullptr, to_dlpack, rearrange};
const DlspecPlugin plugin{DLSPEC_PLUGIN_VERSION,
                          sizeof plugin,
                          "example bridge in C++",
                          "1.0",
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          &bridge,
                          nullptr};
}  // namespace
const DlspecPlugin* dlspec_plugin() { return &plugin; }
