// Pieces of programs: a heading is one line; the lines below it are copied into the program as they are.
// clang-format off
//: keywords table-import=unknown-dtype tensor.code = 200;
//: keywords table-import=unknown-device tensor.device_type = 99;
//: keywords table-import=major-2 major = 2; minor = 0;
//: keywords table-allocator=rank prototype.ndim = 200; for (int i = 0; i < 200; ++i) extents[i] = 1;
//: keywords table-allocator=huge prototype.ndim = 2; extents[0] = (int64_t)1 << 40; extents[1] = (int64_t)1 << 20;
//: keywords table-allocator=negative prototype.ndim = 2; extents[0] = -3; extents[1] = 4;
//: keywords table-allocator=overflow prototype.ndim = 2; extents[0] = extents[1] = (int64_t)1 << 32;
//: keywords table-allocator=unknown-device prototype.device_type = 99;
//: keywords table-allocator=unknown-dtype prototype.code = 200;

//: part table uses plugin
// The plug-in's exchange table, or an older one of major version 1.
static const DLPackExchangeAPI* table_of(void) {
  const DLPackExchangeAPI* table = plugin->exchange_api;
  for (int i = 0; table != NULL && table->major != NEWEST_MAJOR; ++i) table = i < 16 ? table->prev_api : NULL;
  if (table == NULL) verdict(0, "there is no exchange table of major version %d", NEWEST_MAJOR);
  return table;
}

//: part object uses table offer
// An object of the library, which its table makes of the tensor that this program offers; NULL where it refuses.
static void* object(int altered, int* status) {
  void* made = NULL;
  *status = table_of()->managed_tensor_to_py_object_no_sync(offered(DLSPEC_VERSIONED, altered), &made);
  return *status == 0 ? made : NULL;
}

//: part own_object uses object
static void* own_object(void) {
  int status = 0;
  void* const made = object(0, &status);
  if (made == NULL) verdict(0, "managed_tensor_to_py_object_no_sync returned %d", status);
  return made;
}

//: part export in table-export uses export_struct own_object
static int64_t shape[] = SHAPE, strides[] = STRIDES;

// What the table exports of an array of the library.
static int made(int generation, Export* made) {
  memset(made, 0, sizeof *made);
  void* const array = own_object();
  const int status = table_of()->managed_tensor_from_py_object_no_sync(array, &made->versioned);
  plugin->release(array);
  printf("managed_tensor_from_py_object_no_sync returned %d, generation %d\n", status, generation);
  if (status != 0 || made->versioned == NULL) return 0;
  made->tensor = &made->versioned->tensor;
  made->flags = made->versioned->flags;
  made->major = made->versioned->major;
  made->minor = made->versioned->minor;
  return shape[0] >= 0 || strides[0] != 0;
}

//: part export in table-borrow uses export_struct own_object
static int64_t shape[] = SHAPE, strides[] = STRIDES;

// The tensor that the table lends of an array of the library.
static int made(int generation, Export* made) {
  static DLTensor lent;
  memset(made, 0, sizeof *made);
  const int status = table_of()->dltensor_from_py_object_no_sync(own_object(), &lent);
  printf("dltensor_from_py_object_no_sync returned %d, generation %d\n", status, generation);
  made->tensor = &lent;
  made->major = NEWEST_MAJOR;
  made->minor = NEWEST_MINOR;
  return status == 0 && (shape[0] >= 0 || strides[0] != 0);
}

//: part allocator uses table
static int reports, reports_with_others, context;
static void set_error(void* given, const char* kind, const char* message) {
  ++reports;
  reports_with_others += given != &context;
  printf("SetError(%s, %s)\n", kind, message);
}

// What the allocator makes of the prototype of the case; `poisoned`: with other strides and byte_offset.
static DLManagedTensorVersioned* allocated(int poisoned, int* status) {
  static int64_t extents[256] = SHAPE;
  DLTensor prototype = {NULL, kDLCPU, 0, NDIM, CODE, BITS, LANES, extents, NULL, 0};
  DLManagedTensorVersioned* made = NULL;
  ALTER
  if (poisoned) {
    prototype.strides = (int64_t*)8;
    prototype.byte_offset = (uint64_t)1 << 40 | 8;
  }
  reports = reports_with_others = 0;
  *status = table_of()->managed_tensor_allocator(&prototype, &made, &context, set_error);
  return *status == 0 ? made : NULL;
}

//: part asked in table-import table-import=unknown-dtype table-import=unknown-device table-import=major-2 uses object
static int asked(void) {
  int status = 0;
  void* const made = object(1, &status);
  if (made != NULL) plugin->release(made);
  return status;
}
//: part asked in table-export table-borrow uses export
static int asked(void) {
  Export found;
  return made(DLSPEC_VERSIONED, &found) ? 0 : -1;
}
//: part asked in table-stream table-stream=unknown-device uses table
static int asked(void) {
  void* stream = NULL;
  return table_of()->current_work_stream(VARIANT[12] == '=' ? 99 : kDLCPU, 0, &stream);
}
//: part asked uses allocator
static int asked(void) {
  int status = 0;
  (void)allocated(0, &status);
  return status;
}

//: part heap
#include <malloc.h>
static size_t heap(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

//: part ignore
static void ignore(void* context, const char* kind, const char* message) { (void)context, (void)kind, (void)message; }

//: rule exchange.header-version uses plugin
  const DLPackExchangeAPI* const table = plugin->exchange_api;
  if (table == NULL) verdict(0, "there is no exchange table");
  verdict(table->major < 1 || (table->major == 1 && table->minor < 2), "the header says %u.%u", table->major,
      table->minor);
//: rule exchange.prev-null-or-older uses plugin
  const DLPackExchangeAPI* newer = plugin->exchange_api;
  int is_older = 1, count = 0;
  for (; newer != NULL && newer->prev_api != NULL && is_older && count < 16; ++count) {
    const DLPackExchangeAPI* const older = newer->prev_api;
    is_older = older->major < newer->major || (older->major == newer->major && older->minor < newer->minor);
    newer = older;
  }
  verdict(!is_older || count == 16, "after %d steps prev_api leads to a table that is %solder", count,
      is_older ? "" : "not ");
//: rule exchange.fn-allocator-nonnull uses table
  verdict(table_of()->managed_tensor_allocator == NULL, "managed_tensor_allocator is looked at");
//: rule exchange.fn-from-nonnull uses table
  verdict(table_of()->managed_tensor_from_py_object_no_sync == NULL,
      "managed_tensor_from_py_object_no_sync is looked at");
//: rule exchange.fn-to-nonnull uses table
  verdict(table_of()->managed_tensor_to_py_object_no_sync == NULL, "managed_tensor_to_py_object_no_sync is looked at");
//: rule exchange.fn-stream-nonnull uses table
  verdict(table_of()->current_work_stream == NULL, "current_work_stream is looked at");
//: rule exchange.process-lifetime uses own_object
  const DLPackExchangeAPI before = *table_of();
  void* const array = own_object();
  for (int i = 0; i < 3; ++i) {
    DLManagedTensorVersioned* made = NULL;
    if (table_of()->managed_tensor_from_py_object_no_sync(array, &made) == 0 && made->deleter) made->deleter(made);
  }
  verdict(memcmp(&before, table_of(), sizeof before) != 0, "after three exports the header says %u.%u",
      table_of()->major, table_of()->minor);
//: rule exchange.return-int uses asked
  const int status = asked();
  verdict(status != 0 && status != -1, "the function returned %d", status);
//: rule exchange.no-cpp-exceptions uses asked
  verdict(0, "the function returned %d", asked());  // an exception ends a program in C
//: rule exchange.alloc-seterror-iff uses allocator
  int status = 0;
  (void)allocated(0, &status);
  verdict(reports != (status != 0) || reports_with_others,
      "the allocator returned %d, and called SetError %d times, %d of them with another context", status, reports,
      reports_with_others);
//: rule exchange.alloc-prototype-fields uses allocator
  int status = 0;
  DLManagedTensorVersioned* const plain = allocated(0, &status);
  DLManagedTensorVersioned* const other = allocated(1, &status);
  if (plain == NULL) verdict(0, "the allocator returned %d", status);
  verdict(other == NULL || other->tensor.byte_offset != plain->tensor.byte_offset,
      "byte_offset of two tensors whose prototypes differ there: %llu, %llu",
      (unsigned long long)plain->tensor.byte_offset, (unsigned long long)(other ? other->tensor.byte_offset : 0));
//: rule exchange.alloc-result in table-allocator uses allocator
  static const int64_t shape[] = SHAPE;
  int status = 0;
  DLManagedTensorVersioned* const found = allocated(0, &status);
  if (status != 0) verdict(0, "the allocator returned %d", status);
  int right = found != NULL && found->tensor.ndim == NDIM && found->tensor.code == CODE && found->tensor.bits == BITS &&
      !(found->flags & DLPACK_FLAG_BITMASK_READ_ONLY) && (NDIM == 0 || found->tensor.strides != NULL);
  for (int axis = 0; right && axis < NDIM; ++axis) right = found->tensor.shape[axis] == shape[axis];
  verdict(!right, "%s tensor", found == NULL ? "no" : right ? "such a" : "another, or a read-only");
//: rule exchange.alloc-result uses allocator
  int status = 0;
  const DLManagedTensorVersioned* const found = allocated(0, &status);
  const int is_asked = found && (found->tensor.device_type == 99 || found->tensor.code == 200);
  verdict(found != NULL && !is_asked, "the allocator returned %d, and made %s", status, found ? "a tensor" : "nothing");
//: rule exchange.from-owning in table-export uses own_object
  DLManagedTensorVersioned* made = NULL;
  const int status = table_of()->managed_tensor_from_py_object_no_sync(own_object(), &made);
  verdict(status == 0 && made == NULL, "the function returned %d, and put out %s", status, made ? "a tensor" : "NULL");
//: rule exchange.from-owning uses own_object heap walk
  static unsigned char shown[BYTE_COUNT + 1];
  void* array = own_object();
  const DLPackExchangeAPI* const table = table_of();
  DLManagedTensorVersioned *first = NULL, *second = NULL;
  const int status = table->managed_tensor_from_py_object_no_sync(array, &first) ||
      table->managed_tensor_from_py_object_no_sync(array, &second);
  if (status != 0) verdict(0, "the function returned %d", status);
  if (first == second) verdict(1, "two exports are one struct");
  first->deleter(first);
  walk(&second->tensor, (second->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0, shown, BYTE_COUNT, 0);
  if (memcmp(shown, bytes, BYTE_COUNT) != 0) verdict(1, "after the release of one export another shows other elements");
  plugin->release(array);
  second->deleter(second);
  const int held = calls == 0;  // the array is gone, and what was exported of it
  array = own_object();
  size_t least = SIZE_MAX;
  for (int batch = -1; batch < 3; ++batch) {
    const size_t before = heap();
    for (int i = 0; i < 1000; ++i) {
      if (table->managed_tensor_from_py_object_no_sync(array, &first) == 0) first->deleter(first);
    }
    const size_t each = heap() > before ? (heap() - before) / 1000 : 0;
    if (batch >= 0 && each < least) least = each;
  }
  verdict(held || least >= 16, "the array is %sheld when all is released; each export left %zu bytes",
      held ? "" : "not ", least);
//: rule exchange.flags-still-apply uses export
  Export found;
  if (!made(DLSPEC_VERSIONED, &found)) exit(2);
  verdict(REQUESTED_READ_ONLY && !(found.flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED)),
      "flags %llx of a %s array", (unsigned long long)found.flags, REQUESTED_READ_ONLY ? "read-only" : "writable");
//: rule exchange.dltensor-filled uses own_object
  DLTensor first, second;
  void* const array = own_object();
  memset(&first, 0xAA, sizeof first);
  memset(&second, 0x55, sizeof second);
  if (table_of()->dltensor_from_py_object_no_sync(array, &first) != 0 ||
      table_of()->dltensor_from_py_object_no_sync(array, &second) != 0) verdict(0, "nothing is lent");
  const unsigned char *const one = (const unsigned char*)&first, *const other = (const unsigned char*)&second;
  int left = 0;
  for (size_t i = 0; i < sizeof first; ++i) left += one[i] == 0xAA && other[i] == 0x55;
  verdict(left >= 4, "%d bytes are as the caller's stack had them", left);
//: rule exchange.dltensor-no-temp-alloc uses own_object heap ignore
  DLTensor first, second;
  void* const array = own_object();
  if (table_of()->dltensor_from_py_object_no_sync(array, &first) != 0 || NDIM == 0) verdict(0, "nothing is lent");
  const int64_t extent = first.shape[0];
  size_t least = SIZE_MAX;
  for (int batch = -1; batch < 3; ++batch) {
    const size_t before = heap();
    for (int i = 0; i < 1000; ++i) (void)table_of()->dltensor_from_py_object_no_sync(array, &second);
    const size_t each = heap() > before ? (heap() - before) / 1000 : 0;
    if (batch >= 0 && each < least) least = each;
  }
  static int64_t longer[256] = SHAPE;
  ++longer[0];
  DLTensor prototype = {NULL, kDLCPU, 0, NDIM, CODE, BITS, LANES, longer, NULL, 0};
  DLManagedTensorVersioned* other = NULL;
  void* other_object = NULL;
  if (table_of()->managed_tensor_allocator(&prototype, &other, NULL, ignore) == 0 &&
      table_of()->managed_tensor_to_py_object_no_sync(other, &other_object) == 0)
    (void)table_of()->dltensor_from_py_object_no_sync(other_object, &second);
  verdict(least >= 16 || first.shape[0] != extent,
      "each loan left %zu bytes; the extent that was lent, %lld, is %lld when another array has lent its own", least,
      (long long)extent, (long long)first.shape[0]);
//: rule exchange.to-steals uses object
  int status = 0;
  void* const made = object(0, &status);
  if (made == NULL) verdict(0, "the function returned %d", status);
  plugin->release(made);
  verdict(calls != 1, "%d deleter calls when the object has gone", calls);
//: rule exchange.to-failure-ownership uses object
  int status = 0;
  (void)object(1, &status);
  verdict(status != 0 && calls > 1, "the function returned %d, after %d deleter calls", status, calls);
//: rule tensor.element-address in table-import uses own_object walk
  static unsigned char shown[BYTE_COUNT + 1];
  DLManagedTensorVersioned* made = NULL;
  if (table_of()->managed_tensor_from_py_object_no_sync(own_object(), &made) != 0) verdict(0, "no export");
  walk(&made->tensor, (made->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0, shown, BYTE_COUNT, 0);
  verdict(memcmp(shown, bytes, BYTE_COUNT) != 0, "byte 0 is 0x%02x, where 0x%02x was offered", shown[0], bytes[0]);
//: rule died in table-export table-borrow table-import table-import=unknown-dtype uses asked
//: rule died in table-import=unknown-device table-import=major-2 table-stream uses asked
//: rule died in table-stream=unknown-device table-allocator uses asked
//: rule died in table-allocator=huge table-allocator=negative table-allocator=overflow table-allocator=rank uses asked
//: rule died in table-allocator=unknown-device table-allocator=unknown-dtype uses asked
  verdict(0, "the function returned %d", asked());
