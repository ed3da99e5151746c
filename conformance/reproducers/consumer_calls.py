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
    def __dlpack__(self, **keywords):
        return own.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return own.__dlpack_device__()


own = make(spec)
direct, through = taken(own)[1], taken(Forwarder())[1]
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
