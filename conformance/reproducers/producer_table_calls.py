#: part export in table-borrow uses table
wrapped = python["PyCapsule_New"]
wrapped.restype, wrapped.argtypes = ctypes.py_object, [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_void_p]
structs_of_this_script = []


def export(array, **keywords):
    """A capsule with a struct of this script around the tensor that the exchange table lends."""
    status, error, tensor = call_borrow(array)
    if error or status:
        raise error or RuntimeError(f"status {status}")
    structs_of_this_script.append(DLManagedTensorVersioned(*NEWEST, 0, 0, 0, tensor))
    return wrapped(ctypes.addressof(structs_of_this_script[-1]), b"dltensor_versioned", None)


#: rule exchange.alloc-seterror-iff uses asked
failed = error is not None or status != 0
right = len(set_error_calls) == failed and all(context == CONTEXT for context, _, _ in set_error_calls)
verdict(not right, f"status {status}, calls of SetError {set_error_calls}, where the context is {CONTEXT:#x}")
#: rule exchange.alloc-prototype-fields uses lethal allocator
array = make(spec)
_, _, plain = call_allocator(array)
_, _, other = call_allocator(array, strides=8, byte_offset=1 << 40 | 8)
offsets = [DLManagedTensorVersioned.from_address(each).tensor.byte_offset if each else None for each in (plain, other)]
verdict(plain and offsets[0] != offsets[1], f"byte_offset of two tensors whose prototypes differ there: {offsets}")
#: rule exchange.alloc-result in table-allocator uses asked
if not given:
    verdict(False, f"status {status}, exception {error!r}")
made = DLManagedTensorVersioned.from_address(given)
shape, dtype = numbers(made.tensor.shape, made.tensor.ndim), (made.tensor.code, made.tensor.bits, made.tensor.lanes)
flags, strides = made.flags, made.tensor.strides
right = shape == list(spec.shape) and dtype == DTYPE and not flags & DLPACK_FLAG_BITMASK_READ_ONLY
verdict(not right or (spec.shape and not strides), f"shape {shape}, dtype {dtype}, flags {flags}, strides {strides:#x}")
#: rule exchange.alloc-result uses asked
tensor = given and DLManagedTensorVersioned.from_address(given).tensor
found = tensor and (tuple(numbers(tensor.shape, tensor.ndim)), tensor.device_type, tensor.code)
as_asked = found and "shape" not in KEYWORDS and (found[1] == 99 or found[2] == 200)
verdict(bool(tensor) and not as_asked, f"a tensor: {found}" if tensor else "none")

#: rule exchange.from-owning in table-export uses asked
verdict(status == 0 and not given, f"status {status}, tensor {given:#x}")


#: rule exchange.from-owning uses lethal table
def drop(address):
    if address:
        release_at(address)


array = make(spec)
(_, _, first), (_, _, second) = call_export(array), call_export(array)
if not first or first == second:
    verdict(bool(first), f"two exports at {first:#x} and {second:#x}")
drop(first)
found = elements_at(second)
drop(second)
before = sys.getrefcount(array)
for _ in range(64):
    drop(call_export(array)[2])
gc.collect()
left = sys.getrefcount(array) - before
_, _, alone = call_export(array)
del array
gc.collect()
crowd = [make(types.SimpleNamespace(**{**vars(spec), "bytes": spec.bytes[::-1]})) for _ in range(16)]
later = elements_at(alone)
verdict(
    spec.bytes not in (found, later) or found != later or abs(left) >= 32,
    f"elements {found.hex()}, and {later.hex()} when the array has gone; 64 exports left {left} references",
)
#: rule exchange.flags-still-apply uses table
array = make(spec)
_, _, address = call_export(array)
if not address:
    verdict(False, "no export")
own, struct = look(array.__dlpack__(max_version=NEWEST)), DLManagedTensorVersioned.from_address(address)
same = first_element(struct.tensor) == first_element(own.tensor)
lost = own.flags & ~struct.flags if same else 0
verdict(lost or (spec.readonly and same and not struct.flags & 1), f"flags {struct.flags}, of __dlpack__ {own.flags}")
#: rule exchange.agrees-with-dunder in table-refusal uses table
for kind in ("dtype", "byte-order", "record-field", "sparse", "distributed"):
    array, misfit = attempt(odd, kind, spec)
    if misfit or not isinstance(attempt(lambda made=array: made.__dlpack__(max_version=NEWEST))[1], BufferError):
        continue
    status, error, address = call_export(array)
    if address and not error and elements_at(address) != spec.bytes:
        verdict(True, f"an array that __dlpack__ refuses is exported by the table: {elements_at(address).hex()}")
verdict(False, "refused by both")
#: rule exchange.agrees-with-dunder uses export
array = make(spec)
one, another, third = (look(export(array)), *(look(array.__dlpack__(max_version=NEWEST)) for _ in range(2)))
places = [first_element(each.tensor) for each in (one, another, third)]


def told(managed):
    tensor = managed.tensor
    shape = numbers(tensor.shape, tensor.ndim)
    strides = numbers(tensor.strides, tensor.ndim) or row_major(shape)
    moving = [stride for extent, stride in zip(shape, strides) if extent > 1 and 0 not in shape]
    return shape, moving, (tensor.code, tensor.bits, tensor.lanes), (tensor.device_type, tensor.device_id)


moved = 0 not in spec.shape and places[1] == places[2] != places[0]
verdict(
    told(one) != told(another) or moved,
    f"table: {told(one)}, __dlpack__: {told(another)}; {'another' if moved else 'the same'} address",
)
#: rule exchange.dltensor-filled uses table
array = make(spec)
(status, error, one), (_, _, other) = (call_borrow(array, fill) for fill in (0xAA, 0x55))
left = [
    name
    for name, kind in DLTensor._fields_
    for field in (getattr(DLTensor, name),)
    if all(
        bytes(tensor)[field.offset : field.offset + field.size] == bytes([fill]) * field.size
        for tensor, fill in ((one, 0xAA), (other, 0x55))
    )
]
verdict(status == 0 and left, f"left as they were: {left}")
#: rule exchange.dltensor-no-temp-alloc uses table
array = make(spec)
longer = types.SimpleNamespace(**vars(spec))
longer.shape, longer.strides, longer.offset = tuple(extent + 1 for extent in spec.shape), None, 0
count = DTYPE[1] // 8
for extent in longer.shape:
    count *= extent
longer.bytes = bytes(count)
_, _, lent = call_borrow(array)
before = numbers(lent.shape, lent.ndim)
other, misfit = attempt(make, longer)
if misfit is None:
    call_borrow(other)
after, places = numbers(lent.shape, lent.ndim), {call_borrow(array)[2].shape for _ in range(100)}
verdict(
    after != before or len(places) > 50,
    f"the shape that was lent, {before}, is {after} when another array has lent its own; "
    f"shapes of 100 loans of one array lie at {len(places)} addresses",
)

#: rule exchange.to-steals uses lethal offered
offered = Offer(spec, generation="versioned")
status, error, array = call_import(any_array(), offered)
if array is None:
    verdict(False, f"status {status}, exception {error!r}")
early = len(offered.calls)
ctypes.memset(offered.first, 0x55, len(spec.bytes) if early else 0)  # released: the memory may be reused
shown = attempt(contents, array)[0]
del array
gc.collect()
verdict(
    len(offered.calls) != 1 or (early and shown != spec.bytes),
    f"{len(offered.calls)} deleter calls, {early} of them while the object lived, which shows {shown and shown.hex()}",
)
#: rule exchange.to-failure-ownership uses offered
offered = Offer(spec, generation="versioned", **KEYWORDS)
status, error, array = call_import(any_array(), offered)
verdict(len(offered.calls) > 1, f"after a failure {len(offered.calls)} deleter calls")
#: rule exchange.to-new-reference uses offered
own, offered = any_array(), Offer(spec, generation="versioned")
status, error, array = call_import(own, offered)
kind = type(array)
alike = isinstance(array, type(own)) or published(array) == published(own)
del array
gc.collect()
verdict(
    status == 0 and (not alike or not offered.calls),
    f"an object of type {kind.__name__}, {len(offered.calls)} deleter calls when it has gone",
)
#: rule tensor.element-address in table-import uses offered
offered = Offer(spec, generation="versioned")
status, error, array = call_import(any_array(), offered)
found = spec.bytes if array is None else contents(array)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was offered")
#: rule died in table-export table-borrow uses lethal table
array = make(spec)
call_export(array) if VARIANT == "table-export" else call_borrow(array)
verdict(False, "the process lives")
#: rule died in table-import table-import=unknown-dtype table-import=unknown-device uses lethal asked
#: rule died in table-import=major-2 table-stream table-stream=unknown-device table-allocator uses lethal asked
#: rule died in table-allocator=huge uses lethal asked
#: rule died in table-allocator=negative table-allocator=overflow table-allocator=unknown-device uses lethal asked
#: rule died in table-allocator=unknown-dtype table-allocator=rank uses lethal asked
del given
gc.collect()
verdict(False, f"status {status}, exception {error!r}")
