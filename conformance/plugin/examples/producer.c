/* A producer in C: row-major float32 arrays, exported as DLManagedTensorVersioned. */
#include <dlspec/plugin.h>
#include <dlspec/plugin_structs.h>
#include <stdlib.h>
#include <string.h>

typedef struct Export { /* the struct first: the deleter's argument is the export */
  DlspecManagedVersioned managed;
  int64_t shape[8], strides[8];
} Export;

static void release(DlspecManagedVersioned* self) {
  free(self->dl_tensor.data);
  free(self);
}

static int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (generation != DLSPEC_VERSIONED || spec->code != 2 || spec->bits != 32 || spec->lanes != 1 || spec->ndim > 8 ||
      spec->strides != NULL || spec->offset != 0 || spec->read_only || spec->device_type != 1) {
    *reason = "only writable row-major float32 of rank 8 or less";
    return DLSPEC_UNSUPPORTED;
  }
  Export* out = calloc(1, sizeof *out);
  int64_t step = 1;
  for (int axis = spec->ndim - 1; axis >= 0; step *= spec->shape[axis--]) {
    out->shape[axis] = spec->shape[axis];
    out->strides[axis] = step;
  }
  out->managed = (DlspecManagedVersioned){
      .version = {1, 3},
      .deleter = release,
      .dl_tensor = {
          .device = {1, 0}, .ndim = spec->ndim, .dtype = {2, 32, 1}, .shape = out->shape, .strides = out->strides}};
  if (spec->byte_count > 0) { /* no elements: data stays NULL */
    out->managed.dl_tensor.data = memcpy(malloc(spec->byte_count), spec->bytes, spec->byte_count);
  }
  *exported = &out->managed;
  return DLSPEC_OK;
}

static const DlspecPlugin plugin = {
    DLSPEC_PLUGIN_VERSION, sizeof plugin, "example producer", "1.0", make, NULL, NULL, NULL, NULL, NULL};
const DlspecPlugin* dlspec_plugin(void) { return &plugin; }
