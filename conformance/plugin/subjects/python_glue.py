"""What python.cc calls: an adapter's functions in terms of capsules."""

import importlib.util
import os
import sys
import types


class Source:
    """What the library imports: one capsule, whatever is asked for."""

    def __init__(self, capsule):
        self._capsule = capsule

    def __dlpack__(self, **kwargs):
        if kwargs.get("copy"):
            raise BufferError("this tensor is not copied")
        capsule, self._capsule = self._capsule, None
        return capsule

    def __dlpack_device__(self):
        return 1, 0


class Glue:
    """The functions of the adapter at `path`."""

    def __init__(self, path):
        # Adapters share modules that stand beside them, and have the names of their libraries.
        sys.path.append(os.path.dirname(path))
        name = "adapter_" + os.path.basename(path).removesuffix(".py")
        spec = importlib.util.spec_from_file_location(name, path)
        self._adapter = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self._adapter)
        self.name = os.path.basename(path).removesuffix(".py") + " (in process)"
        self.version = str(self._adapter.version())

    def export(self, generation, dtype, shape, strides, offset, readonly, contents, device):
        """The capsule of an array that is made as ordered: a versioned one where `generation` is 1."""
        order = types.SimpleNamespace(
            dtype=dtype,
            shape=shape,
            strides=strides,
            offset=offset,
            readonly=bool(readonly),
            device=device,
            bytes=contents or b"",
        )
        if device[0] != 1:
            raise NotImplementedError("arrays in host memory alone")
        return self._adapter.make(order).__dlpack__(**({"max_version": (1, 3)} if generation else {}))

    def import_tensor(self, capsule):
        return self._adapter.from_dlpack(Source(capsule))

    def contents(self, array):
        return self._adapter.contents(array)
