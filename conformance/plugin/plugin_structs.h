/* The structs of DLPack in C99, for plug-ins of libraries that have no dlpack.h at hand. Layout as in
 * every release (legacy) and in 1.x (versioned). A library that has the official header uses that.
 */
#ifndef DLSPEC_PLUGIN_STRUCTS_H_
#define DLSPEC_PLUGIN_STRUCTS_H_

#include <stdint.h>

typedef struct DlspecTensor {
  void* data;
  struct {
    int32_t device_type, device_id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t* shape;
  int64_t* strides; /* elements */
  uint64_t byte_offset;
} DlspecTensor;

typedef struct DlspecManaged { /* DLManagedTensor */
  DlspecTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DlspecManaged* self);
} DlspecManaged;

typedef struct DlspecManagedVersioned { /* DLManagedTensorVersioned */
  struct {
    uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(struct DlspecManagedVersioned* self);
  uint64_t flags;
  DlspecTensor dl_tensor;
} DlspecManagedVersioned;

#endif /* DLSPEC_PLUGIN_STRUCTS_H_ */
