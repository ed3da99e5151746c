#include <dlspec/conformance/worker/native/builtin.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/worker/native/builtin_bridge.h>
#include <dlspec/conformance/worker/native/builtin_table.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

// --- producer

// An export and everything that it keeps alive. `Managed` is the struct of one generation.
template <class Managed>
struct BuiltinExport {
  Managed managed{};
  Layout layout;
  std::unique_ptr<CanaryMemory> memory;

  BuiltinExport(Layout made, std::unique_ptr<CanaryMemory> filled, bool read_only)
      : layout(std::move(made)), memory(std::move(filled)) {
    abi::Tensor& tensor = managed.dl_tensor;
    const bool empty = reference::is_empty(layout.shape);
    tensor.data = empty ? nullptr : memory->data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<std::int32_t>(layout.shape.size());
    tensor.dtype = layout.dtype;
    tensor.shape = layout.shape.data();
    tensor.strides = layout.strides->data();
    tensor.byte_offset = empty ? 0 : layout.byte_offset;
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { delete static_cast<BuiltinExport*>(self->manager_ctx); };
    if constexpr (requires { managed.version; }) {
      managed.version = abi::newest_version;
      managed.flags = read_only ? flags::read_only : 0;
    }
  }
};

template <class Managed>
void* release_to_caller(Layout layout, std::unique_ptr<CanaryMemory> memory, bool read_only) {
  return &(new BuiltinExport<Managed>(std::move(layout), std::move(memory), read_only))->managed;
}

Layout ordered_layout(const DlspecSpec& spec) {
  Layout layout;
  layout.dtype = {spec.code, spec.bits, spec.lanes};
  layout.shape.assign(spec.shape, spec.shape + spec.ndim);
  layout.strides = reference::row_major_strides(layout.shape);
  if (spec.strides != nullptr) layout.strides->assign(spec.strides, spec.strides + spec.ndim);
  layout.byte_offset = static_cast<std::uint64_t>(spec.offset) * layout.dtype.bits * layout.dtype.lanes / 8;
  return layout;
}

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) try {
  if (spec->device_type != kDLCPU) {
    *reason = "only host memory";
    return DLSPEC_UNSUPPORTED;
  }
  if (spec->offset * spec->bits * spec->lanes % 8 != 0) {
    *reason = "elements that begin amid a byte";
    return DLSPEC_UNSUPPORTED;
  }
  if (generation == DLSPEC_LEGACY && spec->read_only != 0) {
    *reason = "a legacy struct cannot say that it is read-only";
    return DLSPEC_UNSUPPORTED;
  }
  Layout layout = ordered_layout(*spec);
  std::string problem;
  const auto* const bytes = static_cast<const std::uint8_t*>(spec->bytes);
  auto memory = CanaryMemory::make(layout, false, {bytes, spec->byte_count}, problem);
  if (memory == nullptr) {
    *reason = "the layout cannot be laid out in memory";
    return DLSPEC_UNSUPPORTED;
  }
  *exported =
      generation == DLSPEC_VERSIONED
          ? release_to_caller<abi::v1::ManagedTensor>(std::move(layout), std::move(memory), spec->read_only != 0)
          : release_to_caller<abi::v0::ManagedTensor>(std::move(layout), std::move(memory), false);
  return DLSPEC_OK;
} catch (const std::exception&) {
  *reason = "out of memory";
  return DLSPEC_ERROR;
}

// --- consumer

}  // namespace

const char* builtin_refusal(const Exported& exported) {
  const Findings findings = optimized::validate(exported);
  const bool violated = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return verdict_of(finding) == Verdict::fail || verdict_of(finding) == Verdict::unsupported;
  });
  if (violated || findings.contains(RuleId::version_major_published))
    return "the struct does not conform or has an unknown major version";
  const abi::Tensor& tensor = exported.tensor();
  if (tensor.device.device_type != kDLCPU) return "not in host memory";
  const DtypeCodeRow* const code = find_dtype_code(tensor.dtype.code);
  if (code == nullptr || code->value == kDLOpaqueHandle) return "a dtype that is not understood";
  if (tensor.dtype.bits > 8 && tensor.dtype.bits % 8 != 0) return "a width for which no storage is defined";
  return nullptr;
}

namespace {

int import_tensor(void* exported, int generation, void** array, const char** reason) try {
  auto imported = std::make_unique<BuiltinImport>(exported_struct(exported, generation));
  *reason = builtin_refusal(imported->exported);
  if (*reason != nullptr) {
    release_exported(imported->exported);
    return DLSPEC_UNSUPPORTED;
  }
  *array = imported.release();
  return DLSPEC_OK;
} catch (const std::exception&) {
  release_exported(exported_struct(exported, generation));
  *reason = "out of memory";
  return DLSPEC_ERROR;
}

int contents(void* array, void* bytes, std::size_t byte_count) try {
  const Exported& exported = static_cast<BuiltinImport*>(array)->exported;
  const bool padded =
      exported.generation() == Generation::versioned && (exported.versioned().flags & flags::subbyte_padded) != 0;
  std::vector<std::uint8_t> gathered;
  if (reference::gather(exported.tensor(), padded, gathered, byte_count) != Status::ok || gathered.size() != byte_count)
    return DLSPEC_ERROR;
  std::copy(gathered.begin(), gathered.end(), static_cast<std::uint8_t*>(bytes));
  return DLSPEC_OK;
} catch (const std::exception&) {
  return DLSPEC_ERROR;
}

void release(void* array) { static_cast<BuiltinImport*>(array)->drop(); }

constexpr DlspecPlugin table{
    DLSPEC_PLUGIN_VERSION, sizeof(DlspecPlugin), "dlspec", "0.1.0", make, import_tensor, contents, release,
    &builtin_bridge,       &builtin_exchange_api};

}  // namespace

const DlspecPlugin* builtin_plugin() { return &table; }

}  // namespace dlspec::conformance
