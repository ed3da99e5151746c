"""A library that nobody has written an adapter for, as `dlspec init` tries it."""

import importlib
import math
import sys
from types import SimpleNamespace

from dlspec_worker.facts import dlpack, elements
from dlspec_worker.facts.idioms import CLASS_MAKER, EXPORTERS, VIEW

SHAPE = (3, 4)


class Unknown(Exception):
    """Nothing can be written, and why."""


def order(dtype="float32", strides=None, offset=0, readonly=False, shape=SHAPE):
    """Elements that no two layouts show alike; twelve of them unless another shape is asked for."""
    size = elements.bits_of(dtype) // 8
    whole = range(math.prod(shape) * size)
    data = bytes(int(i % 2) if dtype == "bool" else (i % size == 0) * (i // size + 1) for i in whole)
    return SimpleNamespace(
        dtype=dtype, shape=shape, strides=strides, offset=offset, readonly=readonly, device=(1, 0), bytes=data
    )


def attempt(works, candidate):
    try:
        return works(candidate)
    except Exception:
        return False


class Source:
    """An array of dlspec's, as a consumer meets it."""

    def __init__(self, native, dtype="float32"):
        self.tensor = native.tensor(order(dtype).bytes, dtype, SHAPE)

    def __dlpack__(self, **keywords):
        return self.tensor.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


class Probe:
    def __init__(self, name, native, trying, lethal):
        self.name, self.native = name, native
        self.trying, self.lethal = trying, lethal
        self.names = {}
        self.exporter = None  # for arrays that have no __dlpack__
        for each in (name, "numpy", f"{name}.numpy", f"{name}.utils.dlpack", f"{name}.dlpack"):
            try:
                importlib.import_module(each)
                self.names[each.split(".")[0]] = sys.modules[each.split(".")[0]]
            except Exception as error:
                if each == name:
                    raise Unknown(
                        f"{name} does not import in {sys.executable}: {type(error).__name__}: {error}"
                    ) from None

    def may_try(self, line, spec=None):
        """Whether it did not end a probe before. The next death is put down to it."""
        key = line.replace("{m}", self.name)
        if spec:
            key += f" of {spec.dtype}" + (f" with strides {spec.strides}" if spec.strides else "")
            key += ", read-only" if spec.readonly else ""
            key += f", shape {spec.shape}" if spec.shape != SHAPE else ""
        with open(self.trying, "w", encoding="utf-8") as file:
            file.write(key)
        return key not in self.lethal

    def run(self, line, **names):
        return eval(line.format(m=self.name), dict(self.names, **names))

    def export(self, array):
        if not hasattr(array, "__dlpack__"):
            return self.export_by_function(array)
        try:
            return array.__dlpack__(max_version=(1, 3))
        except TypeError:
            return array.__dlpack__()

    def export_by_function(self, array):
        """The capsule of the first function that gives one; it is the adapter's from then on."""
        for line in (self.exporter,) if self.exporter else EXPORTERS:
            if self.may_try(line) and attempt(lambda each: self.native.look(self.run(each, array=array)), line):
                self.exporter = line
                return self.run(line, array=array)
        raise TypeError("no __dlpack__")

    def shows(self, array, spec):
        """Whether the export is what was ordered. The library's own reader is not asked."""
        capsule = self.export(array)
        seen = self.native.look(capsule)
        strides = tuple(seen["strides"]) if spec.strides else None
        locked = not spec.readonly or (seen["flags"] or 0) & dlpack.READ_ONLY
        return (
            (seen["dtype_name"], tuple(seen["shape"]), strides) == (spec.dtype, spec.shape, spec.strides)
            and self.native.contents(capsule) == spec.bytes
            and bool(locked)
        )

    def bits(self, array):
        """The bits of an element, as the array exports it."""
        code_bits_lanes = self.native.look(self.export(array))["dtype"]
        return code_bits_lanes[1] * code_bits_lanes[2]

    def values(self, spec):
        numpy = self.names.get("numpy")
        return None if numpy is None else numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)

    def made(self, maker, spec):
        if not self.may_try(maker, spec):
            return None
        try:
            array = self.run(maker, values=self.values(spec), spec=spec)
            return array if self.shows(array, spec) else None
        except Exception:
            return None

    def kinds(self):
        """The module's classes that import tensors, by name."""
        found = vars(sys.modules[self.name]).items()
        return {name: kind for name, kind in found if isinstance(kind, type) and hasattr(kind, "from_dlpack")}

    def class_makers(self):
        for name, kind in self.kinds().items():
            for method in dir(kind):
                if "from_numpy" in method:
                    yield CLASS_MAKER.format(kind=name, method=method)

    def line_of(self, strider, maker):
        view = maker.replace("values.copy()", "view").replace("values", "view")
        return strider.format(m=self.name, of_memory=maker.replace("values", "memory"), of_view=view)

    def in_layout(self, line, spec):
        names = dict(self.names, spec=spec, values=self.values(spec))
        exec("if True:\n" + VIEW, names)
        return eval(line, names)

    def strided(self, line, found, spec):
        if not self.may_try(line, spec):
            return False
        try:
            array = self.in_layout(self.line_of(line, found.maker), spec)
            return self.shows(array, spec) and self.reads(array, found.reader, spec)
        except Exception:
            return False

    def fits(self, strider, reader, shape, strides):
        """Whether the adapter's line makes an array of this shape, too, at an offset, and the reader reads it."""
        spec = order(strides=strides, offset=1, shape=shape)
        return self.may_try(strider, spec) and self.reads(self.in_layout(strider, spec), reader, spec)

    def reads(self, array, reader, spec):
        return reader is None or self.run(reader, array=array) == spec.bytes

    def first(self, candidates, works):
        tried = (each for each in candidates if self.may_try(each) and attempt(works, each))
        return next((each.format(m=self.name) for each in tried), None)
