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
