// Pieces of programs: a heading is one line; the lines below it are copied into the program as they are.
// clang-format off
//: part export_struct
// An array that the plug-in made and exported.
typedef struct Export {
  DLManagedTensorVersioned* versioned;  // or NULL
  DLManagedTensor* legacy;        // or NULL
  DLTensor* tensor;
  uint64_t flags;
  uint32_t major, minor;
} Export;

//: part export uses export_struct
static int64_t shape[] = SHAPE, strides[] = STRIDES;
static const unsigned char bytes[] = BYTES;

static int made(int generation, Export* made) {
  const DlspecSpec spec = {CODE, BITS, LANES, NDIM, shape, HAS_STRIDES ? strides : NULL, OFFSET, REQUESTED_READ_ONLY,
      kDLCPU, 0, bytes, BYTE_COUNT};
  const char* reason = "no reason given";
  void* exported = NULL;
  memset(made, 0, sizeof *made);
  if (plugin->make == NULL || plugin->make(&spec, generation, &exported, &reason) != 0 || exported == NULL) {
    printf("refused: %s\n", reason);
    return 0;
  }
  if (generation == DLSPEC_LEGACY) {
    made->legacy = exported;
    made->tensor = &made->legacy->tensor;
  } else {
    made->versioned = exported;
    made->tensor = &made->versioned->tensor;
    made->flags = made->versioned->flags;
    made->major = made->versioned->major;
    made->minor = made->versioned->minor;
  }
  return 1;
}

//: part exported uses export
static Export exported(void) {
  Export found;
  if (!made(GENERATION, &found)) exit(2);
  return found;
}

//: part released uses export
static void release(const Export* found) {
  if (found->legacy && found->legacy->deleter) found->legacy->deleter(found->legacy);
  if (found->versioned && found->versioned->deleter) found->versioned->deleter(found->versioned);
}

//: part growth uses exported released
#include <malloc.h>
// The bytes by which the heap grows with each export that is made and released: the least of three batches.
static size_t growth(int cycles) {
  size_t least = SIZE_MAX;
  for (int batch = -1; batch < 3; ++batch) {
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (int i = 0; i < cycles; ++i) {
      const Export each = exported();
      release(&each);
    }
    const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd,
        each = after > before ? (after - before) / (size_t)cycles : 0;
    if (batch >= 0 && each < least) least = each;
  }
  return least;
}

//: part count uses export
#define COUNT(table) (sizeof(table) / sizeof *(table))

//: part tables uses count
#define RELEASE_OF(table, value) release_of(table, COUNT(table), value)
// The release that a value came with, as 100 * major + minor; -1: no release has it.
static int release_of(const Since* table, size_t count, int value) {
  for (size_t i = 0; i < count; ++i) {
    if (table[i].value == value) return 100 * table[i].major + table[i].minor;
  }
  return -1;
}

//: part empty uses export
static int is_empty(const DLTensor* tensor) {
  for (int32_t axis = 0; axis < tensor->ndim; ++axis) {
    if (tensor->shape[axis] == 0) return 1;
  }
  return 0;
}

//: rule version.filled uses exported
  const Export found = exported();
  verdict(found.major == 0, "version %u.%u", found.major, found.minor);
//: rule version.major-published uses exported
  const Export found = exported();
  verdict(found.major > NEWEST_MAJOR, "version %u.%u", found.major, found.minor);
//: rule version.truthful-minor uses exported tables
  const Export found = exported();
  const int of_code = RELEASE_OF(DTYPE_CODES, found.tensor->code);
  const int of_device = RELEASE_OF(DEVICES, found.tensor->device_type);
  int newest = of_code > of_device ? of_code : of_device;
  for (size_t i = 0; i < COUNT(FLAGS); ++i) {
    const int of_flag = found.flags & (uint64_t)FLAGS[i].value ? RELEASE_OF(FLAGS, FLAGS[i].value) : -1;
    newest = of_flag > newest ? of_flag : newest;
  }
  verdict(found.versioned && (int)(100 * found.major + found.minor) < newest,
          "version %u.%u, code %d, device type %d, flags %llu", found.major, found.minor, found.tensor->code,
          found.tensor->device_type, (unsigned long long)found.flags);
//: rule abi.device-type-32bit uses exported
  const Export found = exported();
  verdict(found.tensor->device_type < 0 || found.tensor->device_type > 255, "device type %d",
      found.tensor->device_type);
//: rule abi.shape-int64 uses exported
  const Export found = exported();
  const unsigned of_shape = (uintptr_t)found.tensor->shape % 8, of_strides = (uintptr_t)found.tensor->strides % 8;
  verdict(of_shape || of_strides, "the addresses of shape and strides modulo 8: %u, %u", of_shape, of_strides);
//: rule device.type-known uses exported tables
  const Export found = exported();
  const int32_t type = found.tensor->device_type;
  verdict(RELEASE_OF(DEVICES, type) < 0, "device type %d", type);
//: rule device.id-zero-host uses exported count
  const Export found = exported();
  const int32_t type = found.tensor->device_type, id = found.tensor->device_id;
  int is_host = 0;
  for (size_t i = 0; i < COUNT(HOST_DEVICES); ++i) is_host |= HOST_DEVICES[i] == type;
  verdict(is_host && id > 0, "device id %d of host memory", id);
//: rule device.id-nonnegative uses exported
  const Export found = exported();
  verdict(found.tensor->device_id < 0, "device id %d", found.tensor->device_id);
//: rule device.cpu-dereferenceable uses exported
  const Export found = exported();
  const uintptr_t address = (uintptr_t)found.tensor->data + found.tensor->byte_offset;
  verdict(address > 0 && address < 4096, "element 0 lies at address %lu", (unsigned long)address);
//: rule dtype.code-known uses exported tables
  const Export found = exported();
  verdict(RELEASE_OF(DTYPE_CODES, found.tensor->code) < 0, "dtype code %d", found.tensor->code);
//: rule dtype.bits-nonzero dtype.bits-overflow-refused uses exported
  const Export found = exported();
  verdict(found.tensor->bits == 0, "%d bits", found.tensor->bits);
//: rule dtype.lanes-positive uses exported
  const Export found = exported();
  verdict(found.tensor->lanes == 0, "%d lanes", found.tensor->lanes);
//: rule dtype.float-is-ieee dtype.bfloat-width dtype.complex-total-bits dtype.bool-bits-8 uses exported
//: rule dtype.fp8-bits-8 dtype.fp6-bits-6 dtype.fp4-bits-4 dtype.odd-width-refused uses exported
  const Export found = exported();
  verdict(found.tensor->code == CODE && found.tensor->bits != BITS, "code %d with %d bits, where %d were requested",
      CODE, found.tensor->bits, BITS);
//: rule dtype.opaque-refused uses exported
  const Export found = exported();
  verdict(found.tensor->code == kDLOpaqueHandle, "dtype code %d", found.tensor->code);
//: rule dtype.truthful dtype.fp8-variants-distinct dtype.complex32-is-fp16-pair uses exported
  const Export found = exported();
  const DLTensor* const tensor = found.tensor;
  verdict(tensor->code != CODE || tensor->bits != BITS || tensor->lanes != LANES,
      "code %d, %d bits, %d lanes, where %d, %d, %d were requested",
          tensor->code, tensor->bits, tensor->lanes, CODE, BITS, LANES);
//: rule dtype.lanes-not-folded uses exported
  const Export found = exported();
  const DLTensor* const tensor = found.tensor;
  const int64_t last = tensor->ndim > 0 ? tensor->shape[tensor->ndim - 1] : 1;
  verdict(NDIM > 0 && last == shape[NDIM - 1] * tensor->lanes && tensor->lanes > 1,
      "%d lanes, and the last extent is %lld", tensor->lanes,
          (long long)last);
//: rule tensor.ndim-nonnegative uses exported
  const Export found = exported();
  verdict(found.tensor->ndim < 0, "ndim %d", found.tensor->ndim);
//: rule tensor.ndim0-is-scalar uses exported
  const Export found = exported();
  verdict(found.tensor->ndim == 0 && found.tensor->data == NULL, "ndim %d, data %s", found.tensor->ndim,
      found.tensor->data ? "not NULL" : "NULL");
//: rule tensor.shape-nonnull uses exported
  const Export found = exported();
  verdict(found.tensor->ndim > 0 && found.tensor->shape == NULL, "ndim %d, shape %s", found.tensor->ndim,
      found.tensor->shape ? "not NULL" : "NULL");
//: rule tensor.shape-truthful uses exported
  const Export found = exported();
  const DLTensor* const tensor = found.tensor;
  const int wrong = tensor->ndim != NDIM || memcmp(tensor->shape, shape, NDIM * sizeof *shape) != 0;
  verdict(wrong, "rank %d, and the first extent is %lld, where rank %d and %lld were requested", tensor->ndim,
          (long long)(tensor->ndim > 0 ? tensor->shape[0] : 1), NDIM, (long long)shape[0]);
//: rule tensor.extent-nonnegative uses exported
  const Export found = exported();
  int64_t least = 0;
  for (int32_t axis = 0; axis < found.tensor->ndim; ++axis) {
    if (found.tensor->shape[axis] < least) least = found.tensor->shape[axis];
  }
  verdict(least < 0, "an extent of %lld", (long long)least);
//: rule tensor.numel-no-overflow uses exported
  const Export found = exported();
  const DLTensor* const tensor = found.tensor;
  long double size = (tensor->bits * tensor->lanes + 7) / 8;
  for (int32_t axis = 0; axis < tensor->ndim; ++axis) size *= (long double)tensor->shape[axis];
  verdict(size >= 9223372036854775808.0L, "a tensor of %.6Lg bytes", size);
//: rule tensor.strides-no-overflow uses exported
  const Export found = exported();
  const DLTensor* const tensor = found.tensor;
  long double low = (long double)((uintptr_t)tensor->data + tensor->byte_offset), high = low;
  for (int32_t axis = 0; tensor->strides && axis < tensor->ndim; ++axis) {
    const long double steps = (long double)(tensor->shape[axis] - 1) * (long double)tensor->strides[axis];
    const long double way = steps * (tensor->bits * tensor->lanes) / 8;
    *(way < 0 ? &low : &high) += way;
  }
  verdict(low < 0 || high >= 18446744073709551616.0L || high - low >= 9223372036854775808.0L,
      "elements from address %.6Lg to %.6Lg", low, high);
//: rule tensor.strides-not-null uses exported
  const Export found = exported();
  verdict(found.minor >= 2 && found.tensor->ndim > 0 && found.tensor->strides == NULL, "strides %s under version %u.%u",
          found.tensor->strides ? "not NULL" : "NULL", found.major, found.minor);
//: rule tensor.strides-unit uses exported
  const Export found = exported();
  const int64_t width = BITS * LANES / 8;
  int in_bytes = NDIM > 0 && found.tensor->strides != NULL && width > 1;
  for (int axis = 0; in_bytes && axis < NDIM; ++axis) in_bytes = found.tensor->strides[axis] == strides[axis] * width;
  verdict(in_bytes, "the first stride is %lld, in elements %lld",
      (long long)(NDIM > 0 && found.tensor->strides ? found.tensor->strides[0] : 0),
          (long long)strides[0]);
//: rule tensor.data-null-when-empty uses exported empty
  const Export found = exported();
  verdict(is_empty(found.tensor) && found.tensor->data != NULL, "data is %sNULL", found.tensor->data ? "not " : "");
//: rule tensor.data-nonnull-nonempty uses exported empty
  const Export found = exported();
  verdict(!is_empty(found.tensor) && found.tensor->data == NULL, "data is %sNULL", found.tensor->data ? "not " : "");
//: rule managed.deleter-null-meaning uses exported
  const Export found = exported();
  const int missing = found.legacy ? found.legacy->deleter == NULL : found.versioned->deleter == NULL;
  verdict(missing, "the deleter is %sNULL", missing ? "" : "not ");
//: rule flags.undefined-bits-zero uses exported
  const Export found = exported();
  verdict((found.flags & ~(uint64_t)KNOWN_FLAGS) != 0, "flags %llx", (unsigned long long)found.flags);
//: rule flags.read-only-set uses exported
  const Export found = exported();
  verdict(REQUESTED_READ_ONLY && (found.flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED)) == 0,
      "flags %llx of a read-only array", (unsigned long long)found.flags);
//: rule flags.padded-only-subbyte uses exported
  const Export found = exported();
  verdict(found.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED && found.tensor->bits >= 8,
      "flags %llx with %d bits", (unsigned long long)found.flags, found.tensor->bits);
//: rule tensor.element-address tensor.in-allocation uses exported walk
  const Export found = exported();
  unsigned char shown[BYTE_COUNT + 1] = {0};
  walk(found.tensor, (found.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0, shown, BYTE_COUNT, 0);
  size_t at = 0;
  while (at < BYTE_COUNT && shown[at] == bytes[at]) ++at;
  verdict(at < BYTE_COUNT, "byte %zu of %d is 0x%02x, where 0x%02x was requested", at, BYTE_COUNT, shown[at],
      at < BYTE_COUNT ? bytes[at] : 0);
//: rule tensor.data-256-aligned uses exported
  unsigned rest = 0;
  for (int i = 0; i < 32; ++i) {
    const Export each = exported();
    rest |= (uintptr_t)each.tensor->data % 256;
  }
  verdict(rest != 0, "data of 32 arrays: %s a multiple of 256", rest ? "not always" : "always");
//: rule managed.exports-independent uses exported released walk
  const Export first = exported(), second = exported();
  unsigned char shown[BYTE_COUNT + 1] = {0};
  if (first.tensor == second.tensor) verdict(0, "one struct for both");
  release(&first);
  walk(second.tensor, (second.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0, shown, BYTE_COUNT, 0);
  verdict(memcmp(shown, bytes, BYTE_COUNT) != 0,
      "after the release of another export the elements are compared with those requested");
//: rule managed.deleter-frees-self managed.owner-balanced in consumed many-consumed uses growth
  const size_t each = growth(1000);
  verdict(each >= 16, "each export that was made and released left %zu bytes behind", each);
//: rule managed.deleter-nothrow uses exported released
  const Export found = exported();
  release(&found);  // an exception that leaves the deleter ends a program in C
  verdict(0, "the deleter came back");
//: rule managed.legacy-deprecated uses export
  Export found;
  const int versioned = made(DLSPEC_VERSIONED, &found), legacy = made(DLSPEC_LEGACY, &found);
  verdict(!versioned && legacy, "a versioned struct is %smade, a legacy one is %smade", versioned ? "" : "not ",
      legacy ? "" : "not ");
//: rule died uses exported released
  const Export found = exported();
  release(&found);
  verdict(0, "the process lives");
