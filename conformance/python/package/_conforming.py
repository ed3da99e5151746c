"""What one array exports, under every request that a consumer may make: the assertion behind `assert_conforms`."""

import gc
import sys
import time
import typing
import warnings

from dlspec import _native
from dlspec._exchange import NEWEST_VERSION
from dlspec._inspection import inspect

_HOST = (1, 3)  # device types whose memory this process may read: kDLCPU, kDLCUDAHost
# The flag as dlspec's own copy has it: its value is written in one place, which Python does not read.
_COPY = _native.tensor(b"\0", "uint8", (1,)).__dlpack__(max_version=NEWEST_VERSION, copy=True)
_IS_COPIED = _native.look(_COPY)["flags"]
_CYCLES = 200
_PATIENCE = 2.0  # seconds that a late release is waited for


class NotRecommended(UserWarning):
    """An array is exported as no consumer may object to, but as some do not expect: `dlspec run` warns of it, too."""


class Deviation(typing.NamedTuple):
    rule: str
    seen: str
    warns: bool = False  # no failure


def deviations(x):
    """A Deviation for each rule that `x` breaks; [] for an array that keeps them."""
    found = []
    device = _device_of(x, found)
    plain, newest = _export(x), _export(x, max_version=NEWEST_VERSION)
    if plain is None and newest is None:
        x.__dlpack__()  # raises the exporter's own reason
    if plain is not None:
        _judge_struct(plain, "__dlpack__()", device, found)
        if _native.look(plain)["generation"] != "legacy":
            rule = "python.max-version-none-legacy"
            found.append(Deviation(rule, "__dlpack__() gives a versioned capsule", warns=True))
    if newest is not None:
        _judge_struct(newest, f"max_version={NEWEST_VERSION}", device, found)
        _judge_keywords(x, newest, device, found)
    if plain is not None and newest is not None:
        _compare_contents(plain, newest, "max_version", "managed.exports-independent", found)
    _judge_lifetime(x, {} if newest is None else {"max_version": NEWEST_VERSION}, found)
    return sorted(set(found))


def assert_conforms(x):
    """AssertionError, with a line for each rule that `x` breaks as an exporter. What is no failure warns."""
    found = deviations(x)
    for each in found:
        if each.warns:
            text = f"{type(x).__name__}: {each.rule}: {each.seen}; `dlspec rules {each.rule}` explains it"
            warnings.warn(text, NotRecommended, stacklevel=2)
    lines = "\n".join(f"  {each.rule}: {each.seen}" for each in found if not each.warns)
    if lines:
        raise AssertionError(
            f"{type(x).__name__} does not conform to DLPack:\n{lines}\n`dlspec rules ID` explains a rule"
        )


def _device_of(x, found):
    device = x.__dlpack_device__()
    if not isinstance(device, tuple) or len(device) != 2:
        found.append(Deviation("python.device-tuple", f"__dlpack_device__() gives {device!r}"))
        return None
    if not isinstance(device[1], int):
        seen = f"the number of the device is of type {type(device[1]).__name__}"
        found.append(Deviation("python.device-tuple-int", seen))
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
            found.append(Deviation(finding.rule, f"{request}: {finding.observed}"))
    shown = tuple(_native.look(capsule)["device"])
    if device is not None and shown != device:
        seen = f"{request}: the capsule is on {shown}, and __dlpack_device__() gives {device}"
        found.append(Deviation("python.device-tuple-matches-capsule", seen))


def _judge_keywords(x, newest, device, found):
    copied = _export(x, max_version=NEWEST_VERSION, copy=True)
    if copied is not None:
        look, before = _native.look(copied), _native.look(newest)
        if not (look["flags"] or 0) & _IS_COPIED and look["generation"] == "versioned":
            found.append(Deviation("flags.is-copied-set", "copy=True: the flag is not set"))
        if look["data"] and look["data"] == before["data"] and 0 not in (look["shape"] or ()):
            found.append(Deviation("python.copy-true", "copy=True: the memory is the array's own"))
        _compare_contents(newest, copied, "copy=True", "python.copy-true", found)
    shared = _export(x, max_version=NEWEST_VERSION, copy=False)
    if shared is not None and (_native.look(shared)["flags"] or 0) & _IS_COPIED:
        found.append(Deviation("python.copy-false", "copy=False: the export says that it is a copy"))
    if device is not None and _refuses(x, max_version=NEWEST_VERSION, dl_device=device):
        found.append(Deviation("python.dl-device-own", f"dl_device={device}, its own device, is refused"))
    if _export(x, dlspec_unknown_keyword=None) is not None:
        # Nobody has to ask again without the keywords where those of the standard have their effect.
        harmless = copied is None or not any(each.rule.startswith(("python.copy", "flags.is-copied")) for each in found)
        seen = "a keyword that no standard has is taken"
        found.append(Deviation("python.unknown-kwarg-typeerror", seen, warns=harmless))


def _refuses(x, **keywords):
    """True for a BufferError. An exporter of an older edition does not know the keyword, and raises TypeError."""
    try:
        x.__dlpack__(**keywords)
    except BufferError:
        return True
    except TypeError:
        pass
    return False


def _compare_contents(one, other, request, rule, found):
    """Both are of the same array, which nobody wrote to in between."""
    if all(_native.look(each)["device"][0] in _HOST for each in (one, other)):
        if _native.contents(one) != _native.contents(other):
            seen = f"{request}: the export shows other elements than the one without it"
            found.append(Deviation(rule, seen))


def _judge_lifetime(x, keywords, found):
    capsule = x.__dlpack__(**keywords)
    if _native.look(capsule)["null_deleter"]:
        return  # its memory is nobody's to release
    watch = _native.watch(capsule)
    del capsule
    if not _comes_true(lambda: watch.calls == 1):
        seen = f"a capsule that nobody consumed: the deleter was called {watch.calls} times"
        found.append(Deviation("capsule.destructor-present" if watch.calls == 0 else "managed.deleter-once", seen))
    for consumed in (True, False):
        before = sys.getrefcount(x)
        _native.cycle(x.__dlpack__, keywords, _CYCLES, _CYCLES, consumed=consumed)
        if not _comes_true(lambda before=before: sys.getrefcount(x) - before < _CYCLES):
            what = "consumed and released" if consumed else "dropped"
            found.append(
                Deviation("managed.owner-balanced", f"each export that was {what} keeps a reference to the array")
            )


def _comes_true(holds):
    """Whether it holds after a garbage collection, or within the time that a late release is waited for."""
    deadline = time.monotonic() + _PATIENCE
    gc.collect()
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
        gc.collect()
    return holds()
