/* A consumer in C: takes any host tensor of whole bytes per element, keeps it, and walks its strides. */
#include <dlspec/plugin.h>
#include <dlspec/plugin_structs.h>
#include <string.h>

/* Sizes that a machine can have, which a double counts without an overflow, and data where there are elements. */
static int believable(const DlspecTensor* tensor) {
  double bytes = tensor->dtype.bits / 8.0, reach = bytes;
  if (tensor->ndim && (!tensor->shape || !tensor->strides)) return 0;
  for (int axis = 0; axis < tensor->ndim; ++axis) {
    double stride = (double)tensor->strides[axis] * tensor->dtype.bits / 8.0;
    if (tensor->shape[axis] < 0) return 0;
    bytes *= (double)tensor->shape[axis];
    if (tensor->shape[axis] > 1) reach += (double)(tensor->shape[axis] - 1) * (stride < 0 ? -stride : stride);
  }
  return bytes == 0 || (tensor->data && bytes < 1e18 && reach < 1e18 && (double)tensor->byte_offset < 1e18);
}

static int import_tensor(void* exported, int generation, void** array, const char** reason) {
  DlspecManagedVersioned* managed = exported;
  const DlspecTensor* tensor = &managed->dl_tensor;
  int known = generation == DLSPEC_VERSIONED && managed->version.major == 1; /* nothing else may be read before this */
  if (!known || tensor->device.device_type != 1 || tensor->dtype.code > 5 || tensor->dtype.code == 3 ||
      tensor->dtype.lanes != 1 || tensor->dtype.bits % 8 || !tensor->dtype.bits || tensor->ndim < 0 ||
      tensor->ndim > 8 || !believable(tensor)) {
    *reason = "not a versioned host tensor of a plain dtype with strides";
    if (generation == DLSPEC_VERSIONED && managed->deleter) managed->deleter(managed);
    if (generation == DLSPEC_LEGACY && ((DlspecManaged*)exported)->deleter)
      ((DlspecManaged*)exported)->deleter(exported);
    return DLSPEC_UNSUPPORTED;
  }
  *array = managed;
  return DLSPEC_OK;
}

static char* walk(const DlspecTensor* tensor, int axis, const char* from, char* to) {
  size_t item = tensor->dtype.bits / 8u;
  if (axis == tensor->ndim) return (char*)memcpy(to, from, item) + item;
  for (int64_t i = 0; i < tensor->shape[axis]; ++i)
    to = walk(tensor, axis + 1, from + i * tensor->strides[axis] * (int64_t)item, to);
  return to;
}

static int contents(void* array, void* bytes, size_t byte_count) {
  const DlspecTensor* tensor = &((DlspecManagedVersioned*)array)->dl_tensor;
  if (byte_count > 0) walk(tensor, 0, (const char*)tensor->data + tensor->byte_offset, bytes);
  return DLSPEC_OK;
}

static void release(void* array) {
  DlspecManagedVersioned* managed = array;
  if (managed->deleter) managed->deleter(managed);
}
static const DlspecPlugin plugin = {.plugin_version = DLSPEC_PLUGIN_VERSION,
                                    .table_size = sizeof plugin,
                                    .name = "example consumer",
                                    .version = "1.0",
                                    .import_tensor = import_tensor,
                                    .contents = contents,
                                    .release = release};
const DlspecPlugin* dlspec_plugin(void) { return &plugin; }
