"""The consumer's half of the Python protocol: how a capsule is requested."""

from dlspec import _native

NEWEST_VERSION = (1, 3)


def from_dlpack(x, *, device=None, copy=None):
    """A Tensor over the memory that `x` exports, or over a copy of it.

    x: any object with the methods __dlpack__ and __dlpack_device__.
    device: where the result has to lie: a pair as from __dlpack_device__, or a name such as "cpu" or "cuda:1".
    copy: True for memory of its own, False for shared memory or an error, None for shared memory where possible.

    BufferError when x, or dlspec, cannot do that. Errors of x reach the caller unchanged.
    """
    wanted = _device_pair(device)
    found = _native.import_capsule(_export(x, wanted, copy))
    if wanted is not None and found.device != wanted:
        raise BufferError(f"the exporter gave a tensor on {found.device} where {wanted} was asked for")
    return found


def newest_export(x):
    """An unconsumed capsule of the newest generation that `x` exports."""
    return _export(x, None, None)


def _device_pair(device):
    if device is None:
        return None
    if isinstance(device, str):
        return _native.device_of_text(device)
    kind, index = device
    return int(kind), int(index)


def _export(x, device, copy):
    x.__dlpack_device__  # without it an object does not implement DLPack
    keywords = {"max_version": NEWEST_VERSION}
    if device is not None:
        keywords["dl_device"] = device
    if copy is not None:
        keywords["copy"] = bool(copy)
    try:
        return x.__dlpack__(**keywords)
    except TypeError as error:
        return _export_of_old(x, device, copy, error)


def _export_of_old(x, device, copy, error):
    """An export by an exporter of 2021, if the request can be met without the newer keywords."""
    if copy is False:
        raise BufferError("the exporter does not take the keyword copy, so nobody knows whether it copies") from error
    if device is not None and tuple(map(int, x.__dlpack_device__())) != device:
        raise BufferError("the exporter does not take the keyword dl_device, and lies elsewhere") from error
    capsule = x.__dlpack__()
    if not copy:
        return capsule
    return _native.import_capsule(capsule).__dlpack__(max_version=NEWEST_VERSION, copy=True)
