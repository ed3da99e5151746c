"""Test doubles that export dlspec's own tensors."""

from dlspec import _native

CPU = (1, 0)
NUMPY_DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


def offer(dtype="float32", shape=(3, 4), strides=(4, 1), contents=None, **keywords):
    """An Offer of 1, 2, 3, ... as bytes."""
    if contents is None:
        contents = numbered(dtype, shape)
    return _native.Offer(dtype, shape, strides, contents=contents, **keywords)


def numbered(dtype, shape):
    """Contents whose neighbouring bytes differ."""
    count = 1
    for extent in shape:
        count *= extent
    bits = count * bits_of(dtype)
    data = bytearray((i * 7 + 1) % 251 for i in range((bits + 7) // 8))
    if bits % 8:
        data[-1] &= (1 << bits % 8) - 1
    return bytes(data)


def bits_of(dtype):
    probe = _native.Offer(dtype, (0,), (1,), null_data=True).capsule()
    code, bits, lanes = _native.look(probe)["dtype"]
    return bits * lanes


class Source:
    """Exports the capsules of an offer by today's protocol; records the keywords of every call."""

    def __init__(self, offered, name=None, device=CPU):
        self.offer = offered
        self.name = name
        self.device = device
        self.calls = []

    def __dlpack__(self, **keywords):
        self.calls.append(keywords)
        return self.offer.capsule(name=self.name)

    def __dlpack_device__(self):
        return self.device


class OldSource(Source):
    """Accepts no keyword but stream, like exporters before 2023."""

    def __dlpack__(self, stream=None):
        self.calls.append({})
        return self.offer.capsule()
