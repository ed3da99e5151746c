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
