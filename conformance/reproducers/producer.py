#: keywords max_version=1.3 max_version=NEWEST
#: keywords max_version=none max_version=None
#: keywords max_version=0.0 max_version=(0, 0)
#: keywords max_version=0.8 max_version=(0, 8)
#: keywords max_version=1.0 max_version=(1, 0)
#: keywords max_version=1.99 max_version=(1, 99)
#: keywords max_version=2.0 max_version=(2, 0)
#: keywords max_version=100.3 max_version=(100, 3)
#: keywords copy=true copy=True, max_version=NEWEST
#: keywords copied copy=True, max_version=NEWEST
#: keywords copy=false copy=False, max_version=NEWEST
#: keywords stream=none stream=None
#: keywords stream=1 stream=1
#: keywords stream=-1 stream=-1
#: keywords stream=-2 stream=-2
#: keywords unknown-keyword dlspec_keyword=None
#: keywords dl_device=none dl_device=None
#: keywords dl_device=99 dl_device=(kDLROCM, 0)
#: keywords dl_device=malformed dl_device=7
#: keywords keywords=none stream=None, max_version=None, dl_device=None, copy=None

#: rule version.filled uses exported
verdict(versioned and version[0] == 0, f"version {version}")
#: rule version.major-published uses exported
verdict(version[0] > NEWEST[0], f"version {version}")
#: rule version.truthful-minor uses exported
held = [(DTYPE_CODES, tensor.code), (DEVICES, tensor.device_type), *((FLAGS, bit) for bit in FLAGS if flags & bit)]
since = max(table.get(value, (0, 1)) for table, value in held)
verdict(versioned and version < since, f"version {version}, what it holds is of {since}")
#: rule abi.device-type-32bit uses exported
verdict(not 0 <= tensor.device_type <= 255, f"device_type {tensor.device_type:#x}")
#: rule abi.shape-int64 uses export
capsule = export(make(spec), **KEYWORDS)
tensor = look(capsule).tensor
verdict(
    tensor.shape % 8 or tensor.strides % 8,
    f"the addresses of shape and strides modulo 8: {tensor.shape % 8}, {tensor.strides % 8}",
)
#: rule device.type-known uses exported
verdict(tensor.device_type not in DEVICES, f"device_type {tensor.device_type}")
#: rule device.id-zero-host uses exported
verdict(tensor.device_type in HOST_DEVICES and tensor.device_id > 0, f"device_id {tensor.device_id} of host memory")
#: rule device.id-nonnegative uses exported
verdict(tensor.device_id < 0, f"device_id {tensor.device_id}")
#: rule device.cpu-dereferenceable uses exported
verdict(0 < tensor.data + tensor.byte_offset < 4096, f"element 0 lies at address {tensor.data + tensor.byte_offset}")
#: rule dtype.code-known uses exported
verdict(tensor.code not in DTYPE_CODES, f"dtype code {tensor.code}")
#: rule dtype.bits-nonzero dtype.bits-overflow-refused uses exported
verdict(tensor.bits == 0, f"{tensor.bits} bits")
#: rule dtype.lanes-positive uses exported
verdict(tensor.lanes == 0, f"{tensor.lanes} lanes")
#: rule dtype.float-is-ieee uses exported
verdict(
    tensor.code == kDLFloat and tensor.bits not in (16, 32, 64, 128, 160, 192, 224),
    f"code {tensor.code} with {tensor.bits} bits",
)
#: rule dtype.bfloat-width dtype.complex-total-bits dtype.bool-bits-8 dtype.fp8-bits-8 dtype.fp6-bits-6 uses exported
#: rule dtype.fp4-bits-4 uses exported
verdict(tensor.code == DTYPE[0] and tensor.bits != DTYPE[1], f"code {tensor.code} with {tensor.bits} bits")
#: rule dtype.opaque-refused uses exported
verdict(tensor.code == kDLOpaqueHandle, f"dtype code {tensor.code}")
#: rule dtype.truthful dtype.subbyte-int dtype.fp8-variants-distinct dtype.complex32-is-fp16-pair uses exported
verdict(dtype != DTYPE, f"(code, bits, lanes) = {dtype}, where {DTYPE} was requested")
#: rule dtype.lanes-not-folded uses exported
verdict(tensor.lanes > 1 and shape[-1:] == [spec.shape[-1] * tensor.lanes], f"{tensor.lanes} lanes and shape {shape}")
#: rule tensor.ndim-nonnegative uses exported
verdict(tensor.ndim < 0, f"ndim {tensor.ndim}")
#: rule tensor.ndim0-is-scalar uses exported
verdict(tensor.ndim == 0 and not tensor.data, f"ndim {tensor.ndim}, data {tensor.data:#x}")
#: rule tensor.shape-nonnull uses exported
verdict(tensor.ndim > 0 and not tensor.shape, f"ndim {tensor.ndim}, shape {'not ' * bool(tensor.shape)}NULL")
#: rule tensor.shape-truthful uses exported
verdict(shape != list(spec.shape), f"shape {shape}, where {list(spec.shape)} was requested")
#: rule tensor.extent-nonnegative uses exported
verdict(any(extent < 0 for extent in shape), f"shape {shape}")
#: rule tensor.numel-no-overflow uses exported
count = 1
for extent in shape:
    count *= extent
verdict(count * max(width, 8) // 8 > 2**63 - 1, f"{count} elements")
#: rule tensor.strides-no-overflow uses exported
ways = [(extent - 1) * stride * width // 8 for extent, stride in zip(shape, strides)]
low, high = (first_element(tensor) + sum(limit(0, way) for way in ways) for limit in (min, max))
verdict(low < 0 or high >= 2**64 or high - low >= 2**63, f"elements from address {low:#x} to {high:#x}")
#: rule tensor.strides-not-null uses exported
verdict(
    version >= (1, 2) and tensor.ndim > 0 and not tensor.strides,
    f"strides {strides if tensor.strides else 'NULL'} under version {version}",
)
#: rule tensor.strides-unit uses exported
right = list(spec.strides) if spec.strides else row_major(list(spec.shape))
verdict(strides == [step * width // 8 for step in right], f"strides {strides}, in elements {right}")
#: rule tensor.data-256-aligned uses exported
verdict(tensor.data % 256, f"data modulo 256 is {tensor.data % 256}")
#: rule tensor.data-null-when-empty uses exported
verdict(0 in shape and tensor.data, f"shape {shape}, data {tensor.data:#x}")
#: rule tensor.data-nonnull-nonempty uses exported
verdict(0 not in shape and not tensor.data, f"shape {shape}, data {tensor.data:#x}")
#: rule managed.deleter-null-meaning uses exported
verdict(not managed.deleter, f"deleter {managed.deleter:#x}")
#: rule flags.undefined-bits-zero uses exported
verdict(flags & ~KNOWN_FLAGS, f"flags {flags:#x}")
#: rule flags.read-only-set uses exported
verdict(
    spec.readonly and not flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED),
    f"flags {flags:#x} of a read-only array",
)
#: rule flags.read-only-truthful uses exported
verdict(not spec.readonly and flags & DLPACK_FLAG_BITMASK_READ_ONLY, f"flags {flags:#x} of an ordinary array")
#: rule flags.padded-only-subbyte uses exported
verdict(
    flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED and tensor.bits >= 8, f"flags {flags:#x} with {tensor.bits} bits"
)
#: rule flags.padded-set-when-padded uses exported
has_a_byte_each = bytes(ctypes.string_at(first_element(tensor), 2)) != spec.bytes[:2]
verdict(
    tensor.bits < 8 and has_a_byte_each and not flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
    f"flags {flags:#x}; each element occupies a byte",
)
#: rule flags.is-copied-set uses exported
shared = first_element(look(export(array, max_version=NEWEST)).tensor) == first_element(tensor)
verdict(
    not shared and not flags & DLPACK_FLAG_BITMASK_IS_COPIED,
    f"flags {flags:#x} of {'shared memory' if shared else 'a copy'}",
)
#: rule flags.is-copied-honest uses exported
shared = first_element(look(export(array, max_version=NEWEST)).tensor) == first_element(tensor)
verdict(
    shared and flags & DLPACK_FLAG_BITMASK_IS_COPIED, f"flags {flags:#x} of {'shared memory' if shared else 'a copy'}"
)

#: rule tensor.element-address dtype.complex-interleaved dtype.bool-bytes-0-1 tensor.row-major-dims uses exported
#: rule tensor.overlap-read-ok uses exported
found = elements(tensor)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was requested")
#: rule dtype.subbyte-bit-order dtype.subbyte-packed-default uses exported
found = elements(tensor, flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was requested")
#: rule dtype.native-endian in max_version=1.3 plain uses exported
found = elements(tensor)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was requested")
#: rule dtype.native-endian in byte-order uses export
#: rule tensor.strides-whole-elements uses export
#: rule device.single in sparse uses export
#: rule device.single in distributed uses export
capsule, refusal = attempt(export, odd(VARIANT, spec), max_version=NEWEST)
found = b"" if refusal else elements(look(capsule).tensor)
verdict(
    not refusal and found != spec.bytes, f"{refusal!r}" if refusal else f"elements {found.hex()} of {spec.bytes.hex()}"
)
#: rule dtype.unsupported-buffererror uses export
capsule, refusal = attempt(export, odd("dtype", spec), max_version=NEWEST)
verdict(refusal and not isinstance(refusal, BufferError), f"{refusal!r}")
#: rule dtype.array-api-set python.export-buffererror uses export
array = make(spec)
for keywords in ({"max_version": NEWEST}, {}):
    capsule, refusal = attempt(export, array, **keywords)
    if refusal and (RULE.startswith("dtype") or not isinstance(refusal, BufferError)):
        verdict(True, f"{refusal!r}")
verdict(False, "an export" if refusal is None else f"{refusal!r}")

#: rule capsule.name-legacy capsule.name-versioned uses exported
verdict(capsule_name(managed.capsule) not in USED, f"a capsule named {capsule_name(managed.capsule)}")
#: rule capsule.name-matches-struct uses export
capsule = export(make(spec), **KEYWORDS)
name = capsule_name(capsule)
major, minor = (ctypes.c_uint32 * 2).from_address(capsule_pointer(capsule, name))
says, holds = name == b"dltensor_versioned", major == NEWEST[0] and minor < 100
verdict(says != holds, f"a capsule named {name}, whose struct begins with {major}, {minor}")
#: rule capsule.fresh-per-call uses export
array = make(spec)
first, second = (export(array, max_version=NEWEST) for _ in range(2))
verdict(first is second, "the same capsule twice" if first is second else "two capsules")
#: rule capsule.destructor-noop-when-used uses lethal export
managed = consume(export(make(spec), max_version=NEWEST))
calls = counting(managed)
managed.capsule = None
gc.collect()
crowd = [make(spec) for _ in range(16)]
found = elements(managed.tensor)
verdict(
    calls or found != spec.bytes,
    f"when a consumed capsule went the deleter was called {len(calls)} times; elements {found.hex()}",
)
#: rule capsule.destructor-present in unconsumed uses export
managed = look(export(make(spec), max_version=NEWEST))
calls = counting(managed)
managed.capsule = None
gc.collect()
verdict(len(calls) != 1, f"a capsule that nobody consumed went, and the deleter was called {len(calls)} times")


#: rule capsule.destructor-keeps-exception uses lethal export
def used(capsule):
    consume(capsule).capsule = None
    return capsule


array = make(spec)
for taken in (used, lambda capsule: capsule):
    try:
        # The capsule dies on its way up, with the ZeroDivisionError in flight.
        (taken(export(array, max_version=NEWEST)), 1 // 0)
    except ZeroDivisionError:
        continue
    except SystemError as error:
        verdict(True, f"the exception was lost: {error}")
verdict(False, "the exception arrived")
#: rule capsule.names-static tensor.metadata-lifetime uses exported
before = capsule_name(managed.capsule), shape, strides
del array
gc.collect()
crowd = [bytes([n % 251]) * size for n in range(500) for size in (9, 19, 24, 32)] + [make(spec) for _ in range(16)]
after = capsule_name(managed.capsule), numbers(tensor.shape, tensor.ndim), numbers(tensor.strides, tensor.ndim)
verdict(after != before, f"after the array has gone {after} in place of {before}")


#: rule tensor.metadata-constant uses exported
def told():
    return bytes(tensor), numbers(tensor.shape, tensor.ndim), numbers(tensor.strides, tensor.ndim)


before = told()
for keywords in ({}, {"copy": True}, {"max_version": NEWEST}):
    attempt(export, array, **keywords)
attempt(setattr, array, "shape", tuple(reversed(spec.shape)))
verdict(told() != before, f"shape and strides {told()[1:]} in place of {before[1:]}")

#: rule managed.borrow uses exported
del array
gc.collect()
crowd = [make(types.SimpleNamespace(**{**vars(spec), "bytes": bytes(len(spec.bytes))})) for _ in range(64)]
found = elements(tensor)
verdict(found != spec.bytes, f"after the array has gone elements {found.hex()} in place of {spec.bytes.hex()}")
#: rule managed.exports-independent uses export
array = make(spec)
older, kept_one, younger = (look(export(array, max_version=NEWEST)) for _ in range(3))
for goes in (older, younger):
    goes.capsule = None
    gc.collect()
    found = elements(kept_one.tensor)
    if found != spec.bytes:
        verdict(True, f"after another export has gone elements {found.hex()} in place of {spec.bytes.hex()}")
verdict(False, f"elements {found.hex()}")
#: rule managed.owner-balanced uses export
array = make(spec)
for cycles in (8, 64):  # the first ones may fill caches
    before = sys.getrefcount(array)
    for _ in range(cycles):
        capsule = export(array, max_version=NEWEST)
        if VARIANT != "unconsumed":
            release(consume(capsule))
        del capsule
    gc.collect()
left = sys.getrefcount(array) - before
verdict(abs(left) >= cycles // 2, f"{cycles} exports and releases left {left} references to the array")
#: rule managed.deleter-any-thread uses lethal export
array = make(spec)
c = ctypes.CDLL(None)  # calls without holding the GIL
c.pthread_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
c.pthread_join.argtypes = [ctypes.c_uint64, ctypes.c_void_p]
for cycles in (8, 64):
    before = sys.getrefcount(array)
    for _ in range(cycles):
        managed, thread = consume(export(array, max_version=NEWEST)), ctypes.c_uint64()
        c.pthread_create(ctypes.byref(thread), None, managed.deleter, ctypes.addressof(managed))
        c.pthread_join(thread, None)
        managed.capsule = None
    gc.collect()
left = sys.getrefcount(array) - before
verdict(abs(left) >= cycles // 2, f"{cycles} releases on another thread left {left} references to the array")
#: rule managed.deleter-after-finalize uses lethal export
managed = consume(export(make(spec), max_version=NEWEST))
register = ctypes.CDLL(None)["__cxa_atexit"]  # called by exit(), after the interpreter is finalized
register.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p]
register(managed.deleter, ctypes.addressof(managed), None)
sys.exit(0)
#: rule flags.is-copied-exclusive uses export
array = make(spec)
first = look(export(array, max_version=NEWEST, copy=True))
ctypes.memset(first_element(first.tensor), 0x55, len(spec.bytes))
second = look(export(array, max_version=NEWEST, copy=True))
shared = first_element(first.tensor) == first_element(second.tensor)
told = elements(second.tensor) != spec.bytes
before, refusal = elements(second.tensor), attempt(write, array, spec.bytes[4:] + spec.bytes[:4])[1]
follows = elements(second.tensor) != before
verdict(
    shared or told or follows,
    f"one piece of memory: {shared}; a later copy shows writes to an earlier one: {told}; "
    f"a copy follows the source: {follows}",
)
#: rule flags.read-only-legacy-refused uses export
array = make(spec)
capsule, refusal = attempt(export, array)
shared = not refusal and first_element(look(capsule).tensor) == first_element(look(export(array)).tensor)
legacy = not refusal and isinstance(look(capsule), DLManagedTensor)
verdict(
    legacy and shared, f"{refusal!r}" if refusal else "the memory of a read-only array in a capsule that cannot say so"
)

#: rule python.methods-present uses export
array = make(spec)
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not callable(getattr(array, name, None))]
verdict(missing, f"missing: {missing}")
#: rule python.device-tuple uses export
answer = make(spec).__dlpack_device__()
kind = getattr(answer[0], "value", answer[0]) if isinstance(answer, tuple) and len(answer) == 2 else None
verdict(not isinstance(kind, int) or not isinstance(answer[1], int), f"__dlpack_device__() returned {answer!r}")
#: rule python.device-tuple-int uses export
kind = make(spec).__dlpack_device__()[0]
number = getattr(kind, "value", kind)
verdict(kind != number or hash(kind) != hash(number), f"the device type is {kind!r}, which does not equal {number}")
#: rule python.device-tuple-matches-capsule uses exported
said = tuple(int(getattr(part, "value", part)) for part in array.__dlpack_device__())
exported = tensor.device_type, tensor.device_id
verdict(said != exported, f"__dlpack_device__() says {said}, the capsule {exported}")
#: rule python.dl-device-own uses export
array = make(spec)
plain = first_element(look(export(array, max_version=NEWEST)).tensor)
capsule, refusal = attempt(array.__dlpack__, dl_device=array.__dlpack_device__(), max_version=NEWEST)
moved = not refusal and (look(capsule).tensor.device_type, look(capsule).tensor.device_id) != tuple(
    array.__dlpack_device__()
)
again = first_element(look(export(array, max_version=NEWEST)).tensor)
copied = not refusal and first_element(look(capsule).tensor) != plain == again
verdict(refusal or moved or copied, f"{refusal!r}" if refusal else f"moved: {moved}, copied: {copied}")
#: rule python.dl-device-unsupported uses export
array = make(spec)
for device in ((99, 0), (kDLROCM, 0)):
    capsule, refusal = attempt(array.__dlpack__, dl_device=device)
    if refusal is None or (device == (kDLROCM, 0) and not isinstance(refusal, BufferError)):
        verdict(True, f"dl_device={device}: {'an export' if refusal is None else repr(refusal)}")
verdict(False, f"{refusal!r}")
#: rule python.dl-device-honoured uses export
for device in ((kDLCUDAHost, 0), (kDLCPU, 7)):
    capsule, refusal = attempt(make(spec).__dlpack__, dl_device=device)
    found = refusal or (look(capsule).tensor.device_type, look(capsule).tensor.device_id)
    if not refusal and found != device:
        verdict(True, f"dl_device={device} gave a tensor on {found}")
verdict(False, f"{found!r}")
#: rule python.dl-device-none uses export
array = make(spec)
plain, asked = look(export(array)), look(array.__dlpack__(dl_device=None))
found = [(each.tensor.device_type, each.tensor.device_id) for each in (plain, asked)]
verdict(found[0] != found[1], f"on {found[0]}, with dl_device=None on {found[1]}")


#: rule python.dl-device-format uses export
class Device(enum.IntEnum):
    CPU = kDLCPU


capsule, refusal = attempt(make(spec).__dlpack__, dl_device=(Device.CPU, 0), max_version=NEWEST)
plain = attempt(make(spec).__dlpack__, dl_device=(kDLCPU, 0), max_version=NEWEST)[1]
verdict(refusal and plain is None, f"with an enum {refusal!r}, with numbers {plain!r}")
#: rule python.keyword-only uses export
capsule, refusal = attempt(make(spec).__dlpack__, None)
verdict(refusal is None, "accepted by position" if refusal is None else f"{refusal!r}")
#: rule python.kwargs-2023 uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(refusal, f"{refusal!r}" if refusal else "accepted")
#: rule python.unknown-kwarg-typeerror uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(not isinstance(refusal, TypeError), f"{refusal!r}" if refusal else "accepted")
#: rule python.other-errors uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(not refusal or isinstance(refusal, BufferError), f"{refusal!r}" if refusal else "accepted")
#: rule stream.cpu-none in stream=none uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(refusal, f"{refusal!r}" if refusal else "an export")
#: rule stream.cpu-none in stream=1 uses export
array = make(spec)
for stream in (1, 0, 2):
    for keywords in ({}, {"max_version": NEWEST}):
        capsule, refusal = attempt(array.__dlpack__, stream=stream, **keywords)
        if not refusal:
            verdict(True, f"an export of host memory for stream={stream}")
verdict(False, repr(refusal))
#: rule stream.cpu-none in stream=-1 uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(not refusal, f"{refusal!r}" if refusal else "an export of host memory")
#: rule stream.range uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(not refusal, f"{refusal!r}" if refusal else "an export of host memory")
#: rule python.max-version-none-legacy uses export
array = make(spec)
for keywords in ({}, {"max_version": None}):
    capsule, refusal = attempt(array.__dlpack__, **keywords)
    if refusal or capsule_name(capsule) != b"dltensor":
        verdict(
            not isinstance(refusal, TypeError),
            f"{keywords}: {refusal!r}" if refusal else f"{keywords}: {capsule_name(capsule)}",
        )
verdict(False, "a legacy capsule")
#: rule python.max-version-0-legacy-or-buffererror uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
wrong = not isinstance(refusal, BufferError) if refusal else capsule_name(capsule) != b"dltensor"
verdict(wrong, f"{refusal!r}" if refusal else f"a capsule named {capsule_name(capsule)}")
#: rule python.max-version-1-versioned python.max-version-higher-ok uses export
capsule, refusal = attempt(make(spec).__dlpack__, **KEYWORDS)
verdict(
    refusal or capsule_name(capsule) != b"dltensor_versioned",
    f"{refusal!r}" if refusal else f"a capsule named {capsule_name(capsule)}",
)
#: rule python.copy-true uses export
array = make(spec)
for keywords in ({"max_version": NEWEST}, {}):
    capsule, refusal = attempt(array.__dlpack__, copy=True, **keywords)
    if refusal:
        continue
    tensor, plain = look(capsule).tensor, look(export(array, **keywords))
    shared = first_element(plain.tensor) == first_element(tensor)
    if shared or elements(tensor) != spec.bytes:
        verdict(True, "memory of the array" if shared else f"a copy with elements {elements(tensor).hex()}")
verdict(False, f"{refusal!r}" if refusal else "a copy")
#: rule python.copy-true-mutable uses exported
verdict(flags & DLPACK_FLAG_BITMASK_READ_ONLY, f"flags {flags:#x} of a copy")
#: rule python.copy-false python.copy-false-error uses export
array = make(spec)
for keywords in ({"max_version": NEWEST}, {}):
    plain = first_element(look(export(array, **keywords)).tensor)
    capsule, refusal = attempt(array.__dlpack__, copy=False, **keywords)
    if refusal and not isinstance(refusal, BufferError):
        verdict(True, f"{refusal!r}")
    if not refusal and first_element(look(capsule).tensor) != plain:
        verdict(True, "a copy")
verdict(False, f"{refusal!r}" if refusal else "memory of the array")
#: rule python.copy-none uses export
array = make(spec)
first, second = (look(export(array, max_version=NEWEST)) for _ in range(2))
copied = first_element(first.tensor) != first_element(second.tensor)
shareable = attempt(array.__dlpack__, copy=False, max_version=NEWEST)[1] is None
verdict(copied and shareable, f"copied: {copied}; copy=False is possible: {shareable}")
#: rule python.no-effect-on-source uses export
array = make(spec)
capsules = [export(array, max_version=NEWEST) for _ in range(3)]
found = contents(array)
other = spec.bytes[4:] + spec.bytes[:4]
locked = attempt(write, array, other)[1] and attempt(write, make(spec), other)[1] is None
verdict(
    found != spec.bytes or locked,
    f"after the export the array holds {found.hex()}{', and cannot be written' if locked else ''}",
)

#: rule died uses lethal exported
found = elements(tensor)
release(consume(managed.capsule))
verdict(False, "the process lives")
