// Pieces of programs that carry out a sequence: the structs of arrays and exports, and what becomes of them.
// clang-format off
//: part sequence_orders
enum { MOST = 256, FIRST_LOAN = 128, MOST_BYTES = 4096, MOST_AXES = 64 };

// An array that is ordered: strides (or NULL) and offset in elements, bytes in C order.
typedef struct Order {
  uint8_t code, bits;
  uint16_t lanes;
  int32_t ndim;
  const int64_t* shape;
  const int64_t* strides;
  int64_t offset;
  int read_only;
  size_t byte_count;
  const unsigned char* bytes;
} Order;

// own: made by this program, not by the plug-in; imported: what the plug-in made of a struct, or NULL.
typedef struct Array {
  int lives, own;
  const Order* order;
  unsigned char bytes[MOST_BYTES];
  void* imported;
} Array;
static Array arrays[MOST];

// The elements in another succession.
static void turn(unsigned char* bytes, size_t byte_count, size_t item, size_t turns) {
  unsigned char before[MOST_BYTES];
  memcpy(before, bytes, byte_count);
  for (size_t i = 0; i < byte_count; ++i) bytes[i] = before[(i + turns * item) % byte_count];
}

//: part sequence_own uses sequence_orders walk
// A struct of this program, whose memory is overwritten when it is released.
typedef struct Own {
  DLManagedTensorVersioned versioned;
  DLManagedTensor legacy;
  unsigned char* memory;
  size_t size;
  int64_t shape[MOST_AXES], strides[MOST_AXES];
} Own;

static void delete_own(Own* own) { memset(own->memory, 0xDD, own->size); }
static void delete_own_versioned(DLManagedTensorVersioned* self) { delete_own(self->manager_ctx); }
static void delete_own_legacy(DLManagedTensor* self) { delete_own(self->manager_ctx); }

static void* own_struct(const Array* array, int generation) {
  const Order* const order = array->order;
  const int64_t item = order->bits * order->lanes / 8;
  int64_t low = 0, high = 0, step = 1;
  Own* const own = calloc(1, sizeof *own);
  for (int32_t axis = order->ndim; axis-- > 0; step *= order->shape[axis]) {
    own->shape[axis] = order->shape[axis];
    own->strides[axis] = order->strides ? order->strides[axis] : step;
    *(own->strides[axis] < 0 ? &low : &high) += (own->shape[axis] - 1) * own->strides[axis];
  }
  own->size = (size_t)((high - low + 1) * item);
  own->memory = calloc(1, own->size);
  DLTensor tensor = {own->memory - low * item, kDLCPU, 0, order->ndim, order->code, order->bits, order->lanes,
      own->shape, own->strides, 0};
  walk(&tensor, 0, (unsigned char*)array->bytes, order->byte_count, 1);
  own->versioned.major = 1;
  own->versioned.minor = 3;
  own->versioned.flags = order->read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  own->versioned.tensor = own->legacy.tensor = tensor;
  own->versioned.manager_ctx = own->legacy.manager_ctx = own;
  own->versioned.deleter = delete_own_versioned;
  own->legacy.deleter = delete_own_legacy;
  return generation == DLSPEC_LEGACY ? (void*)&own->legacy : (void*)&own->versioned;
}

//: part sequence_followed uses sequence_own
// A struct whose description, elements and deleter are followed. due: calls of the deleter that are allowed so far.
typedef struct Followed {
  int is_known, generation, due, read_only, refused, has_deleter;
  volatile int calls;
  void* managed;
  DLTensor then;
  uint64_t flags;
  int64_t shape[MOST_AXES], strides[MOST_AXES];
  size_t byte_count, item;
  unsigned char shown[MOST_BYTES];
  void (*delete_versioned)(DLManagedTensorVersioned* self);
  void (*delete_legacy)(DLManagedTensor* self);
} Followed;
static Followed followed[MOST];

static DLTensor* tensor_of(const Followed* each) {
  return each->generation == DLSPEC_LEGACY ? &((DLManagedTensor*)each->managed)->tensor
      : &((DLManagedTensorVersioned*)each->managed)->tensor;
}
static uint64_t flags_of(const Followed* each) {
  return each->generation == DLSPEC_LEGACY ? 0 : ((DLManagedTensorVersioned*)each->managed)->flags;
}

// The deleters of all of them: they count, and the first call goes on.
static Followed* called(void* managed) {
  Followed* last = NULL;
  for (int i = 0; i < MOST; ++i) {
    Followed* const each = &followed[i];
    if (each->is_known && each->managed == managed && (last == NULL || each->calls == 0)) last = each;
  }
  if (last != NULL && last->calls++ > 0) return NULL;
  return last;
}
static void count_versioned(DLManagedTensorVersioned* self) {
  const Followed* const each = called(self);
  if (each != NULL) each->delete_versioned(self);
}
static void count_legacy(DLManagedTensor* self) {
  const Followed* const each = called(self);
  if (each != NULL) each->delete_legacy(self);
}

// Calls the deleter as a consumer does, once.
static void release_followed(Followed* each) {
  each->due = 1;
  if (each->calls > 0 || !each->has_deleter) {
    each->calls = 1;
  } else if (each->generation == DLSPEC_LEGACY) {
    count_legacy(each->managed);
  } else {
    count_versioned(each->managed);
  }
}

// 0 for a struct that is followed already, or whose elements are not in host memory.
static int follow(int number, void* managed, int generation) {
  Followed* const each = &followed[number];
  for (int i = 0; i < MOST; ++i) {
    if (followed[i].is_known && followed[i].managed == managed && followed[i].calls == 0) return 0;
  }
  memset(each, 0, sizeof *each);
  each->managed = managed;
  each->generation = generation;
  const DLTensor* const tensor = tensor_of(each);
  each->then = *tensor;
  each->item = (size_t)(tensor->bits * tensor->lanes / 8);
  each->byte_count = each->item;
  for (int32_t axis = 0; axis < tensor->ndim && axis < MOST_AXES; ++axis) {
    each->shape[axis] = tensor->shape[axis];
    if (tensor->strides != NULL) each->strides[axis] = tensor->strides[axis];
    each->byte_count *= (size_t)tensor->shape[axis];
  }
  if (tensor->device_type != kDLCPU || tensor->ndim > MOST_AXES || each->byte_count > MOST_BYTES) return 0;
  each->flags = flags_of(each);
  walk(tensor, 0, each->shown, each->byte_count, 0);
  if (generation == DLSPEC_LEGACY) {
    DLManagedTensor* const legacy = managed;
    each->delete_legacy = legacy->deleter;
    if (legacy->deleter != NULL) legacy->deleter = count_legacy;
    each->has_deleter = legacy->deleter != NULL;
  } else {
    DLManagedTensorVersioned* const versioned = managed;
    each->delete_versioned = versioned->deleter;
    if (versioned->deleter != NULL) versioned->deleter = count_versioned;
    each->has_deleter = versioned->deleter != NULL;
  }
  each->is_known = 1;
  return 1;
}

// Releases a struct that cannot be followed: one that is already is given back beside the export that is followed.
static void give_back(void* managed, int generation) {
  for (int i = 0; i < MOST; ++i) {
    const Followed* const each = &followed[i];
    if (!each->is_known || each->managed != managed || each->calls > 0) continue;
    if (each->delete_legacy != NULL) each->delete_legacy(managed);
    if (each->delete_versioned != NULL) each->delete_versioned(managed);
    return;
  }
  DLManagedTensor* const legacy = managed;
  DLManagedTensorVersioned* const versioned = managed;
  if (generation == DLSPEC_LEGACY && legacy->deleter != NULL) legacy->deleter(legacy);
  if (generation != DLSPEC_LEGACY && versioned->deleter != NULL) versioned->deleter(versioned);
}

static int is_described_otherwise(const Followed* each) {
  const DLTensor *const now = tensor_of(each), *const then = &each->then;
  if (now->data != then->data || now->byte_offset != then->byte_offset || now->ndim != then->ndim) return 1;
  if (now->code != then->code || now->bits != then->bits || now->lanes != then->lanes) return 1;
  if (now->device_type != then->device_type || flags_of(each) != each->flags) return 1;
  for (int32_t axis = 0; axis < now->ndim; ++axis) {
    if (now->shape[axis] != each->shape[axis]) return 1;
    if (now->strides != NULL && now->strides[axis] != each->strides[axis]) return 1;
  }
  return 0;
}

// Compares everything that is followed with what it must be.
static void compare(const char* step) {
  for (int i = 0; i < MOST; ++i) {
    const Followed* const each = &followed[i];
    const int is_loan = i >= FIRST_LOAN;
    unsigned char shown[MOST_BYTES];
    if (!each->is_known) continue;
    if (each->calls > each->due)
      verdict(1, "after \"%s\": the deleter of %s%d was called %d times, %d at most", step, is_loan ? "import " : "e",
          is_loan ? i - FIRST_LOAN : i, each->calls, each->due);
    if (each->calls > 0 || (each->due == 1 && !is_loan)) continue;
    if (!is_loan && is_described_otherwise(each)) verdict(1, "after \"%s\": e%d is described otherwise", step, i);
    if (is_loan && !each->read_only) continue;
    walk(&each->then, 0, shown, each->byte_count, 0);
    if (memcmp(shown, each->shown, each->byte_count) != 0)
      verdict(1, "after \"%s\": %s%d has other elements", step, is_loan ? "the memory of import " : "e",
          is_loan ? i - FIRST_LOAN : i);
  }
}

