"""A conforming adapter whose texts are not: halves of surrogate pairs, NUL, control characters, and no text at all."""

import honest

ODD = "\ud800 \udcff \0 \x1b[31m \u202e \U0001f600 " + "x" * 5000


class Mute(BufferError):
    """An exception that cannot be shown."""

    def __str__(self):
        raise RuntimeError(ODD)


class Version:
    def __str__(self):
        return "1.0" + ODD


def version():
    return Version()


def make(spec):
    if spec.shape == (7,):
        raise NotImplementedError(ODD)
    return honest.make(spec)


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError(ODD)
    kind = source.__dlpack_device__()[0]
    if kind != 1:
        raise Mute() if kind == 99 else BufferError(ODD.encode("utf-8", "surrogatepass"))
    return honest.from_dlpack(source)


contents = honest.contents
