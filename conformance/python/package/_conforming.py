"""What one array exports, under every request that a consumer may make: the assertion behind `assert_conforms`."""

import gc
import sys

from dlspec import _native
from dlspec._exchange import NEWEST_VERSION
from dlspec._inspection import inspect

_HOST = (1, 3)  # device types whose memory this process may read: kDLCPU, kDLCUDAHost
# The flag as dlspec's own copy has it: its value is written in one place, which Python does not read.
_COPY = _native.tensor(b"\0", "uint8", (1,)).__dlpack__(max_version=NEWEST_VERSION, copy=True)
_IS_COPIED = _native.look(_COPY)["flags"]
_CYCLES = 200


def deviations(x):
    """[(rule, what was seen)] of the rules that `x` breaks; [] for an array that keeps them."""
    found = []
    device = _device_of(x, found)
    plain = x.__dlpack__()
    _judge_struct(plain, "__dlpack__()", device, found)
    if _native.look(plain)["generation"] != "legacy":
        found.append(("python.max-version-none-legacy", "__dlpack__() gives a versioned capsule"))
    newest = _export(x, max_version=NEWEST_VERSION)
    if newest is not None:
        _judge_struct(newest, f"max_version={NEWEST_VERSION}", device, found)
        _judge_keywords(x, newest, device, found)
        _compare_contents(plain, newest, "max_version", "managed.exports-independent", found)
    _judge_lifetime(x, {} if newest is None else {"max_version": NEWEST_VERSION}, found)
    return sorted(set(found))


def assert_conforms(x):
    """AssertionError, with a line for each rule that `x` breaks as an exporter."""
    found = deviations(x)
    if found:
        lines = "\n".join(f"  {rule}: {seen}" for rule, seen in found)
        raise AssertionError(
            f"{type(x).__name__} does not conform to DLPack:\n{lines}\n`dlspec rules ID` explains a rule"
        )


def _device_of(x, found):
    device = x.__dlpack_device__()
    if not isinstance(device, tuple) or len(device) != 2:
        found.append(("python.device-tuple", f"__dlpack_device__() gives {device!r}"))
        return None
    if not isinstance(device[1], int):
        found.append(("python.device-tuple-int", f"the number of the device is of type {type(device[1]).__name__}"))
    return int(device[0]), int(device[1])


def _export(x, **keywords):
    """A capsule; None where the exporter knows no such keyword or refuses."""
    try:
        return x.__dlpack__(**keywords)
    except (TypeError, BufferError):
        return None


def _judge_struct(capsule, request, device, found):
    for finding in inspect(capsule).findings:
        if finding.status == "fail":
            found.append((finding.rule, f"{request}: {finding.observed}"))
    shown = tuple(_native.look(capsule)["device"])
    if device is not None and shown != device:
        seen = f"{request}: the capsule is on {shown}, and __dlpack_device__() gives {device}"
        found.append(("python.device-tuple-matches-capsule", seen))


def _judge_keywords(x, newest, device, found):
    try:
        x.__dlpack__(dlspec_unknown_keyword=None)
        found.append(("python.unknown-kwarg-typeerror", "a keyword that no standard has is taken"))
    except TypeError:
        pass
    copied = _export(x, max_version=NEWEST_VERSION, copy=True)
    if copied is not None:
        look, before = _native.look(copied), _native.look(newest)
        if not (look["flags"] or 0) & _IS_COPIED and look["generation"] == "versioned":
            found.append(("flags.is-copied-set", "copy=True: the flag is not set"))
        if look["data"] and look["data"] == before["data"] and 0 not in (look["shape"] or ()):
            found.append(("python.copy-true", "copy=True: the memory is the array's own"))
        _compare_contents(newest, copied, "copy=True", "python.copy-true", found)
    shared = _export(x, max_version=NEWEST_VERSION, copy=False)
    if shared is not None and (_native.look(shared)["flags"] or 0) & _IS_COPIED:
        found.append(("python.copy-false", "copy=False: the export says that it is a copy"))
    if device is not None and _export(x, max_version=NEWEST_VERSION, dl_device=device) is None:
        found.append(("python.dl-device-own", f"dl_device={device}, its own device, is refused"))


def _compare_contents(one, other, request, rule, found):
    """Both are of the same array, which nobody wrote to in between."""
    if all(_native.look(each)["device"][0] in _HOST for each in (one, other)):
        if _native.contents(one) != _native.contents(other):
            found.append((rule, f"{request}: the export shows other elements than the one without it"))


def _judge_lifetime(x, keywords, found):
    capsule = x.__dlpack__(**keywords)
    watch = _native.watch(capsule)
    del capsule
    gc.collect()
    if watch.calls != 1:
        seen = f"a capsule that nobody consumed: the deleter was called {watch.calls} times"
        found.append(("capsule.destructor-present" if watch.calls == 0 else "managed.deleter-once", seen))
    for consumed in (True, False):
        before = sys.getrefcount(x)
        _native.cycle(x.__dlpack__, keywords, _CYCLES, _CYCLES, consumed=consumed)
        gc.collect()
        if sys.getrefcount(x) - before >= _CYCLES:
            what = "consumed and released" if consumed else "dropped"
            found.append(("managed.owner-balanced", f"each export that was {what} keeps a reference to the array"))
