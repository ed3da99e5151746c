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
#: rule python.from-dlpack-attributeerror uses offer
array, refusal = taken(object())
verdict(not isinstance(refusal, AttributeError), f"{refusal!r}" if refusal else "imported")
#: rule python.from-dlpack-kwargs uses offer
for keywords in ({"device": None}, {"copy": None}, {"device": None, "copy": None}):
    array, refusal = taken(Source(), **keywords)
    if refusal:
        verdict(True, f"{keywords}: {refusal!r}")
verdict(False, "imported")
#: rule python.from-dlpack-device-honoured uses offer
array, refusal = taken(Source(), device="dlspec-nowhere")
verdict(refusal is None, f"{refusal!r}" if refusal else "imported from a device that does not exist")


#: rule python.from-dlpack-propagates uses offer
class Raised(Exception):
    pass


class Failing(Source):
    called = False

    def __dlpack__(self, **keywords):
        self.called = True
        raise Raised("from __dlpack__")


class Lost(Source):
    called = False

    def __dlpack_device__(self):
        self.called = True
        raise Raised("from __dlpack_device__")


class Unshared(Failing):
    def __dlpack__(self, **keywords):
        self.called = True
        raise BufferError("from __dlpack__")


for failing in (Failing(), Lost(), Unshared()):
    array, refusal = taken(failing)
    wanted = BufferError if isinstance(failing, Unshared) else Raised
    if not isinstance(refusal, wanted) and (failing.called or refusal):
        verdict(
            True,
            f"{refusal!r} in place of what the source raised" if refusal else "imported, although the source raised",
        )
verdict(False, f"{refusal!r}")


#: rule python.from-dlpack-any-object uses offer
class Forwarder:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


own = make(spec)
direct, through = taken(own)[1], taken(Forwarder(own))[1]
verdict(direct is None and through, f"the library's own array is taken, an object that forwards to it: {through!r}")
#: rule python.from-dlpack-keepalive uses imported
before = None if refusal else contents(array)
offer = source.offer
offer.capsules, source = [], None
gc.collect()
ctypes.memset(offer.first, 0x55, len(spec.bytes) if offer.calls else 0)  # released: the memory may be reused
after = None if refusal else contents(array)
verdict(after != before, f"after the source has gone elements {after.hex() if after else None}")
#: rule python.consumer-max-version-truthful uses offer
source = Source()
taken(source)
sent = [asked.get("max_version") for asked in source.asked]
wrong = [
    each for each in sent if each is not None and not (isinstance(each, tuple) and len(each) == 2 and each[0] == 1)
]
verdict(wrong, f"max_version was {sent}")
#: rule python.consumer-verifies-version uses offer
array, refusal = taken(Source(generation="legacy"))
found = spec.bytes if refusal else contents(array)
verdict(found != spec.bytes, f"a legacy capsule was answered: elements {found.hex()}")
#: rule python.copy-forwarded uses offer
source = Source()
array, refusal = taken(source, copy=True)
asked = any(each.get("copy") for each in source.asked)
before = None if refusal else contents(array)
ctypes.memset(source.offer.first, 0x55, len(spec.bytes))
shared = not refusal and contents(array) != before
verdict(shared and not asked, f"copy=True was sent to the source: {asked}; the result shares its memory: {shared}")
#: rule python.dl-device-format stream.cpu-none uses offer
source = Source()
taken(source)
taken(source, device="cpu")
devices, streams = (
    [asked[name] for asked in source.asked if asked.get(name) is not None] for name in ("dl_device", "stream")
)
malformed = [each for each in devices if not (isinstance(each, tuple) and len(each) == 2)]
verdict(
    malformed if RULE.startswith("python") else streams, f"dl_device was {devices}, stream {streams}, for host memory"
)


#: rule stream.cuda-zero-never-sent stream.rocm-values stream.int-type in source=cuda source=rocm uses lethal offer
#: rule stream.range in source=cuda source=rocm uses lethal offer
class Elsewhere(Source):
    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        raise BufferError("this tensor stays where it is")


source = Elsewhere()
source.device = (kDLCUDA if VARIANT == "source=cuda" else kDLROCM, 0)
taken(source)
sent = [asked["stream"] for asked in source.asked if asked.get("stream") is not None]
ambiguous = (0,) if VARIANT == "source=cuda" else (1, 2)
wrong = [each for each in sent if not isinstance(each, int) or each < -1 or each in ambiguous]
verdict(wrong, f"stream was {sent}")
#: rule stream.range in keywords-sent uses offer
source = Source()
taken(source)
taken(source, device="cpu")
sent = [asked["stream"] for asked in source.asked if asked.get("stream") is not None]
verdict([each for each in sent if each < -1], f"stream was {sent}, for host memory")


#: rule python.from-dlpack-copy-false-error uses offer
class Copying(Source):
    def __dlpack__(self, *, copy=None, **keywords):
        self.asked.append(copy)
        if copy is False:
            raise BufferError("this tensor cannot be shared")
        return self.offer.capsule("versioned" if keywords.get("max_version") else "legacy")


copying, sharing = Copying(), Source()
array, refusal = taken(copying, copy=False)
if not isinstance(refusal, BufferError):
    verdict(True, f"copy=False of a source that must copy, which was asked for copy={copying.asked}: {refusal!r}")
array, refusal = taken(sharing, copy=False)
before = None if refusal else contents(array)
ctypes.memset(sharing.offer.first, 0x55, len(spec.bytes))
copied = not refusal and contents(array) == before
verdict(copied, f"copy=False of a source that shares: {'a copy' if copied else repr(refusal)}")
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
