// Pieces of programs that carry out a sequence: a heading is one line; the lines below it are copied as they are.
// clang-format off
//: part sequence uses sequence_followed
#include <pthread.h>
#include <time.h>

static int loans;
static size_t made_arrays;

static void make(int array, const Order* order, int own) {
  Array* const made = &arrays[array];
  made->lives = 1;
  made->own = own;
  made->order = order;
  made->imported = NULL;
  memcpy(made->bytes, order->bytes, order->byte_count);
  turn(made->bytes, order->byte_count, order->bits / 8, made_arrays++);
}

// A new struct of the array's elements, or NULL.
static void* struct_of(const Array* array, int generation) {
  const Order* const order = array->order;
  const DlspecSpec spec = {order->code, order->bits, order->lanes, order->ndim, order->shape, order->strides,
      order->offset, order->read_only, kDLCPU, 0, array->bytes, order->byte_count};
  const char* reason = NULL;
  void* exported = NULL;
  if (array->own) return own_struct(array, generation);
  return plugin->make != NULL && plugin->make(&spec, generation, &exported, &reason) == 0 ? exported : NULL;
}

// A struct for the plug-in: the number of its loan, or 0.
static int lend(const Array* array) {
  void* const exported = struct_of(array, DLSPEC_VERSIONED);
  const int number = FIRST_LOAN + ++loans;
  if (exported == NULL) return 0;
  if (!follow(number, exported, DLSPEC_VERSIONED)) {
    give_back(exported, DLSPEC_VERSIONED);
    return 0;
  }
  followed[number].due = 1;
  followed[number].read_only = array->own && array->order->read_only;
  return number;
}

static void* taken_in(int loan) {
  const char* reason = NULL;
  void* imported = NULL;
  if (plugin->import_tensor(followed[loan].managed, DLSPEC_VERSIONED, &imported, &reason) == 0) return imported;
  followed[loan].refused = 1;
  return NULL;
}

static int is_shown(const Array* array, void* imported) {
  unsigned char shown[MOST_BYTES];
  if (plugin->contents == NULL || plugin->contents(imported, shown, array->order->byte_count) != 0) return 1;
  return memcmp(shown, array->bytes, array->order->byte_count) == 0;
}

// Whether this program's own tensor of the layout is imported rightly by itself.
static int imports_rightly(const Array* array) {
  Array alone = *array;
  alone.own = 1;
  const int loan = lend(&alone);
  void* const imported = loan ? taken_in(loan) : NULL;
  const int right = imported != NULL && is_shown(&alone, imported);
  if (imported != NULL) plugin->release(imported);
  return right;
}

static void drop_array(const char* step, int array) {
  if (arrays[array].lives && arrays[array].imported != NULL) plugin->release(arrays[array].imported);
  arrays[array].lives = 0;
  compare(step);
}

static void* release_on_thread(void* each) {
  release_followed(each);
  return NULL;
}

static void release_export(const char* step, int number, int on_thread) {
  Followed* const each = &followed[number];
  pthread_t thread;
  if (!each->is_known || each->due == 1) return;
  if (on_thread && pthread_create(&thread, NULL, release_on_thread, each) == 0) {
    pthread_join(thread, NULL);
  } else {
    release_followed(each);
  }
  compare(step);
}

// Gives everything up, and waits a second for what the plug-in has not released.
static void finish(void) {
  for (int i = 0; i < MOST; ++i) {
    const Array* const each = &arrays[i];
    if (each->lives && each->imported != NULL && !is_shown(each, each->imported) && imports_rightly(each))
      verdict(1, "a%d, an import, shows other elements than at first", i);
  }
  for (int i = 0; i < FIRST_LOAN; ++i) release_export("the end", i, 0);
  for (int i = 0; i < MOST; ++i) drop_array("the end", i);
  for (int i = FIRST_LOAN; i < MOST; ++i) {
    const struct timespec pause = {0, 1000000};
    const Followed* const each = &followed[i];
    if (!each->is_known || !each->has_deleter) continue;
    for (int waited = 0; each->calls == 0 && waited < 1000; ++waited) nanosleep(&pause, NULL);
    if (each->calls == 0)
      verdict(1, "an import was %s, and its tensor is not released", each->refused ? "refused" : "given up");
  }
  verdict(0, "every step left everything else as it was");
}

//: part sequence_export uses sequence
static void export_array(const char* step, int number, int array, int generation) {
  if (!arrays[array].lives || arrays[array].imported != NULL) return;
  void* const exported = struct_of(&arrays[array], generation);
  if (exported != NULL && follow(number, exported, generation)) {
    Followed* const made = &followed[number];
    if (made->byte_count == arrays[array].order->byte_count) memcpy(made->shown, arrays[array].bytes, made->byte_count);
  } else if (exported != NULL) {
    give_back(exported, generation);
  }
  compare(step);
}

//: part sequence_import uses sequence
static void import_array(const char* step, int number, int array) {
  const int loan = arrays[array].lives && plugin->import_tensor != NULL ? lend(&arrays[array]) : 0;
  void* const imported = loan ? taken_in(loan) : NULL;
  if (imported != NULL) {
    arrays[number] = arrays[array];
    arrays[number].imported = imported;
    if (!is_shown(&arrays[number], imported) && imports_rightly(&arrays[number]))
      verdict(1, "after \"%s\": the import shows other elements", step);
  }
  compare(step);
}

//: part sequence_refuse uses sequence
static void refuse(const char* step, int array) {
  const int loan = arrays[array].lives && plugin->import_tensor != NULL ? lend(&arrays[array]) : 0;
  if (loan) {
    tensor_of(&followed[loan])->code = 200;
    void* const imported = taken_in(loan);
    if (imported != NULL) plugin->release(imported);
  }
  compare(step);
}

//: part sequence_write uses sequence
static void write_export(const char* step, int number) {
  Followed* const each = &followed[number];
  if (!each->is_known || each->due == 1 || each->generation == DLSPEC_LEGACY) return;
  if (each->flags & DLPACK_FLAG_BITMASK_READ_ONLY) return;
  turn(each->shown, each->byte_count, each->item, 1);
  walk(&each->then, 0, each->shown, each->byte_count, 1);
  compare(step);
}

