"""PyAV 18 and later: planes of gray video frames in host memory, two axes of bytes."""

import av


def version():
    return av.__version__


def make(spec):
    if spec.dtype != "uint8":
        raise NotImplementedError("gray planes of PyAV have bytes")
    if len(spec.shape) != 2 or 0 in spec.shape:
        raise NotImplementedError("planes of PyAV have two axes that are not empty")
    if spec.strides is not None or spec.readonly:
        raise NotImplementedError("PyAV chooses the strides of its planes, which are writable")
    plane = av.VideoFrame(spec.shape[1], spec.shape[0], "gray8").planes[0]
    write(plane, spec.bytes)
    return plane


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("VideoFrame.from_dlpack has no device and no copy")
    return av.VideoFrame.from_dlpack(source, format="gray8").planes[0]


def contents(plane):
    memory = memoryview(plane)
    return b"".join(bytes(memory[start : start + plane.width]) for start in starts(plane))


def write(plane, data):
    memory = memoryview(plane)
    for row, start in enumerate(starts(plane)):
        memory[start : start + plane.width] = data[row * plane.width : (row + 1) * plane.width]


def starts(plane):
    return [row * plane.line_size for row in range(plane.height)]


standard = "dlpack"
