// Pieces of programs: a heading is one line; the lines below it are copied into the program as they are.
// clang-format off
//: keywords versioned
//: keywords legacy
//: keywords release
//: keywords metadata
//: keywords lanes
//: keywords generations
//: keywords strides-null=1.0 tensor.strides = NULL; minor = 0;
//: keywords strides-null=legacy tensor.strides = NULL;
//: keywords data-null tensor.data = NULL;
//: keywords data-nonnull tensor.data = start;
//: keywords shape-null tensor.shape = tensor.strides = NULL;
//: keywords major=2 major = 2; minor = 0;
//: keywords major=0 major = 0; minor = 8;
//: keywords major=4294967295 major = 4294967295u; minor = 0;
//: keywords minor=99 minor = 99;
//: keywords minor=0 minor = 0;
//: keywords minor=4294967295 minor = 4294967295u;
//: keywords rank=65 tensor.ndim = 65;
//: keywords rank=129 tensor.ndim = 129;
//: keywords unknown-dtype tensor.code = 200;
//: keywords unknown-device tensor.device_type = 99;
//: keywords null-deleter has_deleter = 0;
//: keywords read-only flags = DLPACK_FLAG_BITMASK_READ_ONLY;
//: keywords padded flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
//: keywords unknown-flags minor = 99; flags |= UNKNOWN_FLAGS;
//: keywords device=extension tensor.device_type = kDLExtDev;
//: keywords device=handle tensor.device_type = kDLOpenCL;
//: keywords misaligned misaligned = 1;
//: keywords byte_offset=scalar tensor.byte_offset = 64;
//: keywords byte_offset=null-strides tensor.strides = NULL; minor = 0; tensor.byte_offset = 64;
//: keywords flags=together flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
//: keywords byte_offset=odd tensor.byte_offset = 1;
//: keywords manager_ctx=null context = NULL;
//: keywords manager_ctx=odd context = (void*)1;
//: keywords manager_ctx=tagged context = (void*)0x5A5A5A5A5A5A5001;
//: keywords manager_ctx=memory static char memory_of_the_producer[256]; context = memory_of_the_producer;
//: keywords legacy-neighbours memset(neighbours, 7, sizeof neighbours);

//: part offer uses walk
#define UNKNOWN_FLAGS \
  ((uint64_t)1 << 63 | 1u << 31 | 1 << 3 | (BITS < 8 ? DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED : 0))
// The tensor that this program offers, and the calls of its deleter.
static unsigned char memory[65536], neighbours[64];
static int64_t extents[256], steps[256];
static unsigned char bytes[] = BYTES;
static DLManagedTensorVersioned versioned;
static struct { unsigned char before[64]; DLManagedTensor managed; unsigned char after[64]; } legacy;
static int calls, calls_with_others, empty_has_data;
static unsigned char at_release[sizeof extents + sizeof steps];

static void remember(void) {
  memset(extents, 0x5A, sizeof extents);  // a consumer that reads them now sees nonsense
  memset(steps, 0x5A, sizeof steps);
  memcpy(at_release, extents, sizeof extents);
  memcpy(at_release + sizeof extents, steps, sizeof steps);
}
static void versioned_released(DLManagedTensorVersioned* self) {
  ++calls;
  calls_with_others += self != &versioned;
  remember();
}
static void legacy_released(DLManagedTensor* self) {
  ++calls;
  calls_with_others += self != &legacy.managed;
  remember();
}

// The struct of this generation; `altered`: with the change of the case.
static void* offered(int generation, int altered) {
  static const int64_t shape[] = SHAPE, strides[] = STRIDES;
  DLTensor tensor = {NULL, kDLCPU, 0, NDIM, CODE, BITS, LANES, extents, steps, 0};
  uint32_t major = NEWEST_MAJOR, minor = NEWEST_MINOR;
  uint64_t flags = REQUESTED_READ_ONLY ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  void* context = &versioned;
  int has_deleter = 1, misaligned = 0, is_empty = 0, reaches_back = 0;
  unsigned char* start = memory + 32768 - (uintptr_t)memory % 256;
  memset(memory, 0xA0, sizeof memory);
  memset(neighbours, 0, sizeof neighbours);
  for (int axis = 0; axis < 256; ++axis) {
    extents[axis] = axis < NDIM ? shape[axis] : 1;
    steps[axis] = axis < NDIM ? strides[axis] : 1;
    is_empty |= extents[axis] == 0;
    reaches_back |= steps[axis] < 0 && extents[axis] > 1;
  }
  tensor.data = is_empty && !empty_has_data ? NULL : start;
  tensor.byte_offset = reaches_back || is_empty ? 0 : OFFSET * (BITS * LANES / 8);
  if (altered) {
    ALTER
  }
  start += misaligned;
  if (misaligned) tensor.data = start;
  DLTensor whole = tensor;
  whole.data = start, whole.ndim = NDIM, whole.shape = extents, whole.strides = steps;
  if (!is_empty) walk(&whole, (flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0, bytes, BYTE_COUNT, 1);
  const DLManagedTensorVersioned newer = {major, minor, context, has_deleter ? versioned_released : NULL, flags,
      tensor};
  const DLManagedTensor older = {tensor, context, has_deleter ? legacy_released : NULL};
  versioned = newer;
  memcpy(legacy.before, neighbours, sizeof neighbours);
  memcpy(legacy.after, neighbours, sizeof neighbours);
  legacy.managed = older;
  calls = calls_with_others = 0;
  return generation == DLSPEC_LEGACY ? (void*)&legacy.managed : (void*)&versioned;
}

//: part import uses offer
static void* array;

// Whether the tensor was imported.
static int taken(int generation, int altered) {
  const char* reason = "no reason given";
  if (plugin->import_tensor == NULL) exit(2);
  const int status = plugin->import_tensor(offered(generation, altered), generation, &array, &reason);
  if (status != 0) printf("refused: %s\n", reason);
  return status == 0;
}

//: part wrong uses import
static unsigned char shown[BYTE_COUNT + 1];

// Whether the imported array holds other elements than those offered, or cannot be read.
static int is_wrong(void) {
  memset(shown, 0xA5, sizeof shown);
  return plugin->contents(array, shown, BYTE_COUNT) != 0 || memcmp(shown, bytes, BYTE_COUNT) != 0;
}

//: rule tensor.element-address tensor.byte-offset-honoured in versioned legacy release uses wrong
//: rule tensor.byte-offset-honoured in byte_offset=scalar byte_offset=null-strides uses wrong
//: rule tensor.element-address in flags=together uses wrong
//: rule tensor.strides-zero-ok tensor.strides-negative-ok in versioned legacy release uses wrong
//: rule tensor.strides-empty-ignored tensor.strides-extent1-ignored in versioned legacy release uses wrong
//: rule tensor.strides-null-means-rowmajor dtype.lanes-unsupported-rejected tensor.byte-offset-unaligned uses wrong
//: rule tensor.data-alignment-not-assumed uses wrong
//: rule flags.padded-checked flags.unknown-bits-policy uses wrong
  const int is_taken = taken(GENERATION, 1), wrong = is_taken && is_wrong();
  verdict(wrong,
          wrong ? "the import shows other elements; the first byte is 0x%02x"
              : "refused, or the elements that were offered",
          shown[0]);
//: rule tensor.shape-null-scalar tensor.strides-null-scalar tensor.strides-null-tolerance uses wrong
//: rule tensor.data-nonnull-empty-accepted version.minor-mismatch-usable version.legacy-has-none uses wrong
  const int is_taken = taken(GENERATION, 1), wrong = is_taken && is_wrong();
  if (is_taken) plugin->release(array);
  const int plain = taken(DLSPEC_VERSIONED, 0);
  verdict(wrong || (!is_taken && plain), "%s; the ordinary tensor is %s",
          wrong ? "other elements" : is_taken ? "taken" : "refused", plain ? "taken" : "refused");
//: rule tensor.data-null-empty-accepted uses import
  empty_has_data = 1;
  const int is_taken = taken(GENERATION, 1), plain = taken(GENERATION, 0);
  verdict(!is_taken && plain, "with data = NULL the empty tensor is %s, else %s", is_taken ? "taken" : "refused",
      plain ? "taken" : "refused");
//: rule managed.ctx-opaque uses wrong
  const int is_taken = taken(GENERATION, 1), wrong = is_taken && is_wrong();
  if (is_taken) plugin->release(array);
  verdict(!is_taken || wrong || calls != 1, "%s, %d deleter calls", !is_taken ? "refused" : wrong ? "other elements"
      : "taken", calls);
//: rule managed.deleter-once uses wrong
  const int is_taken = taken(GENERATION, 1);
  if (is_taken) is_wrong();
  if (is_taken) plugin->release(array);
  verdict(is_taken && calls != 1, "%d deleter calls", calls);
//: rule managed.error-releases uses import
  const int is_taken = taken(GENERATION, 1);
  verdict(!is_taken && calls != 1, "%s; %d deleter calls", is_taken ? "taken" : "refused", calls);
//: rule managed.deleter-original-pointer uses import
  if (taken(GENERATION, 1)) plugin->release(array);
  verdict(calls_with_others != 0, "%d of %d deleter calls had another pointer", calls_with_others, calls);
//: rule managed.no-touch-after-delete uses import
  if (taken(GENERATION, 1)) plugin->release(array);
  const int touched = memcmp(at_release, extents, sizeof extents) != 0 || memcmp(at_release + sizeof extents, steps,
      sizeof steps) != 0;
  verdict(calls > 0 && touched, "shape and strides were %swritten to after the release", touched ? "" : "not ");
//: rule managed.deleter-null-skipped uses import
  if (taken(GENERATION, 1)) plugin->release(array);
  verdict(0, "no call through NULL");
//: rule version.major-mismatch-release uses import
  const int is_taken = taken(GENERATION, 1);
  verdict(is_taken || calls != 1, "a tensor of version %u.%u was %s; %d deleter calls", versioned.major,
      versioned.minor,
          is_taken ? "taken" : "refused", calls);
//: rule version.unknown-values-rejected device.extdev-private device.opaque-no-arithmetic uses wrong
  const int is_shown = taken(GENERATION, 1) && plugin->contents(array, shown, BYTE_COUNT) == 0;
  verdict(is_shown, is_shown ? "taken, and its elements are shown" : "refused, or not shown");
//: rule tensor.ndim-cap-refused uses import
  const int is_taken = taken(GENERATION, 1);
  verdict(is_taken, "%s", is_taken ? "taken" : "refused");
//: rule tensor.metadata-not-mutated uses wrong
  static int64_t before[512];
  static DLManagedTensorVersioned struct_before;
  offered(DLSPEC_VERSIONED, 1);
  memcpy(before, extents, sizeof extents), memcpy(before + 256, steps, sizeof steps), struct_before = versioned;
  if (!taken(DLSPEC_VERSIONED, 1)) exit(2);
  is_wrong();
  const int same = memcmp(before, extents, sizeof extents) == 0 && memcmp(before + 256, steps, sizeof steps) == 0 &&
                   memcmp(&struct_before, &versioned, sizeof versioned) == 0;
  verdict(!same && calls == 0, "the struct, its shape and its strides are %s", same ? "as they were" : "others");
//: rule flags.read-only-not-written uses wrong
  static unsigned char before[sizeof memory];
  offered(GENERATION, 1);
  memcpy(before, memory, sizeof memory);
  if (taken(GENERATION, 1)) is_wrong(), plugin->release(array);
  verdict(memcmp(before, memory, sizeof memory) != 0, "the memory is compared with what was offered");
//: rule managed.legacy-deprecated uses import
  const int is_taken = taken(DLSPEC_VERSIONED, 0), older = taken(DLSPEC_LEGACY, 0);
  verdict(!is_taken && older, "a versioned struct is %s, a legacy one is %s", is_taken ? "taken" : "refused", older
      ? "taken" : "refused");
//: rule died uses wrong
  if (taken(GENERATION, 1)) is_wrong(), plugin->release(array);
  verdict(0, "the process lives");
