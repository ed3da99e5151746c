#: keywords legacy generation="legacy"
#: keywords versioned generation="versioned"
#: keywords strides-null=1.0 strides=None, generation="versioned", version=(1, 0)
#: keywords strides-null=legacy strides=None, generation="legacy"
#: keywords data-null null_data=True
#: keywords data-nonnull null_data=False
#: keywords shape-null null_shape=True, strides=None
#: keywords minor=99 generation="versioned", version=(1, 99)
#: keywords null-deleter null_deleter=True
#: keywords major=2 generation="versioned", version=(2, 0)
#: keywords major=0 generation="versioned", version=(0, 0)
#: keywords unknown-dtype code=200
#: keywords unknown-device device=(99, 0)
#: keywords read-only generation="versioned"
#: keywords manager_ctx=null manager_ctx=0
#: keywords manager_ctx=odd manager_ctx=1
#: keywords manager_ctx=tagged manager_ctx=0x5A5A5A5A5A5A5001
#: keywords byte_offset=odd byte_offset=1
#: keywords byte_offset=far byte_offset=69632
#: keywords byte_offset=legacy byte_offset=69632, generation="legacy"
#: keywords misaligned misaligned=1
#: keywords bool-width bits=1
#: keywords padded flags=DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, generation="versioned"
#: keywords unknown-flags flags=1 << 40 | DLPACK_FLAG_BITMASK_READ_ONLY, version=(1, 99), generation="versioned"
#: keywords device=foreign device=(kDLHexagon, 0)
#: keywords device=extension device=(kDLExtDev, 0)
#: keywords rank=65 ndim=65
#: keywords rank=129 ndim=129

#: rule tensor.element-address tensor.byte-offset-honoured tensor.strides-zero-ok in versioned legacy uses imported
#: rule tensor.strides-negative-ok in versioned legacy uses imported
#: rule version.legacy-has-none in strides-null=legacy uses imported
#: rule tensor.strides-null-means-rowmajor tensor.byte-offset-unaligned tensor.data-alignment-not-assumed uses imported
#: rule dtype.lanes-unsupported-rejected tensor.strides-unit uses imported
found = spec.bytes if refusal else contents(array)
verdict(found != spec.bytes, f"elements {found.hex()}, where {spec.bytes.hex()} was offered")
#: rule tensor.strides-extent1-ignored tensor.strides-empty-ignored tensor.strides-null-tolerance uses imported
found = b"" if refusal else contents(array)
other = attempt(from_dlpack, Source(**{**FIELDS, "strides": row_major(list(spec.shape))}))[1]
verdict(
    found != spec.bytes and other is None,
    f"{refusal!r}; with compact strides it is taken" if refusal else f"elements {found.hex()}",
)
#: rule tensor.shape-null-scalar tensor.strides-null-scalar uses imported
found = b"" if refusal else contents(array)
verdict(
    found != spec.bytes, repr(refusal) if refusal else f"elements {found.hex()}, where {spec.bytes.hex()} was offered"
)
#: rule tensor.data-null-empty-accepted tensor.data-nonnull-empty-accepted version.minor-mismatch-usable uses imported
plain = attempt(from_dlpack, Source(generation=FIELDS.get("generation"), null_data=not FIELDS.get("null_data", True)))[
    1
]
verdict(refusal and plain is None, f"{refusal!r}" if refusal else "imported")
#: rule managed.ctx-opaque uses lethal imported
found = None if refusal else contents(array)
del array
balanced = source.settle()
verdict(refusal or found != spec.bytes or not balanced, f"{refusal!r}" if refusal else source.counted)
#: rule managed.deleter-null-skipped uses lethal imported
del array
gc.collect()
verdict(False, "no call through NULL")
#: rule managed.deleter-once in versioned legacy uses imported
early = len(source.offer.calls)
del array
balanced = source.settle() or bool(refusal)
verdict(not balanced, source.counted)
#: rule managed.error-releases in versioned legacy unknown-dtype unknown-device refusals fails-late uses offer
backwards, repeated = [-step for step in row_major(spec.shape)], [0 for _ in spec.shape]
refused = (
    {"code": 200},
    {"bits": 24},
    {"device": (99, 0)},
    {"device": (kDLHexagon, 0)},
    {"flags": DLPACK_FLAG_BITMASK_READ_ONLY},
    {"ndim": 65},
    {"strides": backwards},
    {"strides": repeated},
    {"byte_offset": 1},
    {"strides": None},
)
for fields, generation in itertools.product((FIELDS, *refused), ("legacy", "versioned")):
    source = Source(**{**fields, "generation": generation})
    array, refusal = taken(source)
    del array
    if refusal and source.exports and not source.settle():
        verdict(True, f"after {refusal!r}: {source.counted}")
verdict(False, "each refused tensor was released once")
#: rule managed.not-early uses imported
early, before = len(source.offer.calls), None if refusal else contents(array)
ctypes.memset(source.offer.first, 0x55, len(spec.bytes))
shares = not refusal and contents(array) != before
verdict(
    early and shares,
    f"{early} deleter calls while the array lives, which {'shares' if shares else 'does not share'} the memory",
)
#: rule managed.deleter-original-pointer uses imported
del array
source.settle()
right = {ctypes.addressof(struct) for struct in source.offer.structs.values()}
verdict(
    set(source.offer.calls) - right,
    f"{source.counted}, with {'another' if set(source.offer.calls) - right else 'the'} struct's address",
)
#: rule capsule.renamed-legacy capsule.renamed-versioned uses imported
names = [capsule_name(capsule) for capsule in source.offer.capsules]
wanted = [USED[name.value] for name in source.offer.names]
verdict(not refusal and names != wanted, f"after the import the capsule is named {names}")
#: rule capsule.name-checked uses offer
for name in (b"dlspec_tensor", b"dltensor_version", b"dl"):
    source = Source(name=name)
    array, refusal = taken(source)
    if refusal is None or source.offer.calls:
        verdict(True, f"a capsule named {name} was {'imported' if refusal is None else 'released'}")
verdict(False, f"{refusal!r}")
#: rule capsule.single-consumption in used-capsule uses offer
for name, generation in ((b"used_dltensor", "legacy"), (b"used_dltensor_versioned", "versioned")):
    source = Source(name=name, generation=generation)
    array, refusal = taken(source)
    if refusal is None or source.offer.calls:
        verdict(True, f"a capsule named {name} was {'imported' if refusal is None else 'released'}")
verdict(False, f"{refusal!r}")


#: rule capsule.single-consumption in capsule-twice uses imported
class Again(Source):
    def __dlpack__(self, **keywords):
        return source.offer.capsules[0]


again, second = taken(Again())
verdict(not refusal and second is None, "the same capsule was imported twice" if second is None else f"{second!r}")
#: rule version.major-mismatch-release uses imported
taken_all_the_same = refusal is None
verdict(
    taken_all_the_same or not source.settle(),
    f"a tensor of version {FIELDS['version']} was imported" if refusal is None else source.counted,
)
#: rule version.major-checked-first uses imported
hollow = taken(Source(**FIELDS, code=200, null_shape=True, null_data=True))[1]
verdict(refusal and str(hollow) != str(refusal), f"{refusal!r}; with other fields {hollow!r}")
#: rule version.unknown-values-rejected dtype.bool-other-bits-rejected uses lethal imported
shown = None if refusal else attempt(contents, array)[0]
verdict(shown is not None, "imported, and its elements are shown" if shown is not None else f"{refusal!r}")
#: rule device.unsupported-buffererror device.extdev-private uses lethal imported
verdict(not isinstance(refusal, BufferError), f"{refusal!r}" if refusal else "imported")
#: rule tensor.ndim-cap-refused in rank=65 rank=129 uses lethal imported
verdict(refusal is None, f"{refusal!r}" if refusal else "imported")
#: rule flags.read-only-not-written uses imported
shown = None if refusal else contents(array)
held = ctypes.string_at(source.offer.first, len(spec.bytes))
verdict(not refusal and held != spec.bytes, f"the memory holds {held.hex()}, where {spec.bytes.hex()} was offered")
#: rule flags.read-only-respected uses imported
other = spec.bytes[4:] + spec.bytes[:4]
written = (
    not refusal
    and attempt(write, array, other)[1] is None
    and ctypes.string_at(source.offer.first, len(other)) == other
)
unflagged = attempt(from_dlpack, Source(generation="versioned", flags=0))[1] if refusal else None
verdict(written or (refusal and unflagged is None), f"{refusal!r}" if refusal else f"written: {written}")
#: rule dtype.no-silent-reinterpret dtype.fp8-variants-distinct uses imported
exported, unknown = (None, refusal) if refusal else attempt(lambda: array.__dlpack__())
if unknown:
    verdict(False, f"{unknown!r}")
struct = look(exported)
found = struct.tensor.code, struct.tensor.bits, struct.tensor.lanes
verdict(found != DTYPE, f"the import says (code, bits, lanes) = {found}, where {DTYPE} was offered")
#: rule dtype.array-api-set uses imported
own = attempt(make, spec)[1]
verdict(refusal and own is None, f"{refusal!r}, though the library has such arrays" if refusal else "imported")
#: rule tensor.metadata-not-mutated uses offer
for fields in ({}, {"generation": "legacy"}, {"strides": None, "version": (1, 0)}):
    source = Source(**fields)
    array, refusal = taken(source)
    shown = None if refusal else attempt(contents, array), attempt(lambda made=array: made.__dlpack__())
    offer = source.offer
    now = bytes(offer.structs["legacy"]) + bytes(offer.structs["versioned"]) + bytes(offer.shape)
    del array, shown
    if now != offer.before:
        verdict(True, "the struct was written to")
verdict(False, "the struct is as it was")
#: rule tensor.zero-copy uses imported
before = None if refusal else contents(array)
ctypes.memset(source.offer.first, 0x55, len(spec.bytes))
copied = not refusal and contents(array) == before
verdict(copied, "a copy" if copied else "shared memory")


#: rule python.consumer-typeerror-retry uses offer
class OfThePast(Source):
    def __dlpack__(self, *, stream=None):
        return self.offer.capsule("legacy")


array, refusal = taken(OfThePast())
verdict(refusal, f"{refusal!r}" if refusal else "imported")
#: rule managed.legacy-deprecated uses offer
source = Source(generation="versioned")
array, refusal = taken(source)
verdict(refusal, f"asked by {source.asked}: {refusal!r}" if refusal else "a versioned capsule was imported")
#: rule flags.read-only-propagated uses imported
exported, unknown = (None, refusal) if refusal else attempt(lambda: array.__dlpack__(max_version=NEWEST))
if unknown:
    verdict(False, f"{unknown!r}")
struct = look(exported)
flags = struct.flags if isinstance(struct, DLManagedTensorVersioned) else 0
shared = struct.tensor.data + struct.tensor.byte_offset == source.offer.first
verdict(shared and not flags & DLPACK_FLAG_BITMASK_READ_ONLY, f"READ_ONLY memory is exported with flags {flags}")
#: rule managed.keep-all-in-slice uses imported
view, unknown = (None, refusal) if refusal else attempt(lambda: array[1:])
if unknown:
    verdict(False, f"{unknown!r}")
del array
offer = source.offer
offer.capsules = []
gc.collect()
before = attempt(contents, view)[0]
ctypes.memset(offer.first, 0x55, len(spec.bytes) if offer.calls else 0)
verdict(
    attempt(contents, view)[0] != before,
    f"{len(offer.calls)} deleter calls while array[1:] lives, which reads the memory",
)
#: rule capsule.consumed-immediately uses imported
early = [capsule_name(capsule) for capsule in source.offer.capsules]
shown = None if refusal else attempt(contents, array)
late = [capsule_name(capsule) for capsule in source.offer.capsules]
verdict(not refusal and early != late, f"the capsule is named {early}, after the array was read {late}")
#: rule capsule.no-release-by-consumer-capsule uses imported
source.offer.capsules = []
gc.collect()
verdict(source.offer.calls, f"{len(source.offer.calls)} deleter calls when the capsule went, while the array lives")
#: rule tensor.byte-offset-roundtrip dtype.roundtrip uses imported
exported, unknown = (None, refusal) if refusal else attempt(lambda: array.__dlpack__())
if unknown:
    verdict(False, f"{unknown!r}")
struct = look(exported)
found = struct.tensor.data + struct.tensor.byte_offset
verdict(
    found != source.offer.first and ctypes.string_at(found, 4) != spec.bytes[:4],
    f"element 0 at {found - source.offer.first:+} bytes",
)

#: rule died uses lethal imported
shown = None if refusal else attempt(contents, array)
del array
gc.collect()
verdict(False, "the process lives")
