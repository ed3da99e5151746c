"""Writes an adapter for `dlspec init`: tries what libraries commonly call things, and keeps what works.

  init_worker.py MODULE FILE NATIVE

Each candidate is a line of the adapter. It is taken when the array that comes out shows the ordered dtype, shape,
strides and elements, read by dlspec's extension and not by the library. What nothing fits is a refusal in the adapter,
marked `init:`. Why nothing can be written goes to descriptor 3, as a sentence.

The probe is a process of its own, which says in a file what it is about to try: what ends it is not tried again.
"""

import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from dlspec_worker.facts import dlpack
from dlspec_worker.facts.idioms import (
    CLASS_IMPORTER,
    CLASS_MAKER,
    DTYPES,
    IMPORTERS,
    LAYOUTS,
    LOCKS,
    MAKERS,
    READERS,
    STRIDERS,
    VIEW,
)
from dlspec_worker.subject import adapter_text

CHANNEL = 3
MOST_DEATHS = 10


class Unknown(Exception):
    """Nothing can be written, and why."""


def order(dtype="float32", strides=None, offset=0, readonly=False):
    """Twelve elements that no two layouts show alike."""
    sizes = {"bool": 1, "int8": 1, "uint8": 1, "float16": 2, "complex64": 8, "complex128": 16}
    size = sizes.get(dtype) or int("".join(filter(str.isdigit, dtype))) // 8
    data = bytes(int(i % 2) if dtype == "bool" else (i % size == 0) * (i // size + 1) for i in range(12 * size))
    return SimpleNamespace(
        dtype=dtype, shape=(3, 4), strides=strides, offset=offset, readonly=readonly, device=(1, 0), bytes=data
    )


class Source:
    """An array of dlspec's, as a consumer meets it."""

    def __init__(self, native):
        self.tensor = native.tensor(order().bytes, "float32", (3, 4))

    def __dlpack__(self, **keywords):
        return self.tensor.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


class Probe:
    def __init__(self, name, native, trying, lethal):
        self.name, self.native = name, native
        self.trying, self.lethal = trying, lethal
        self.names = {}
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
        with open(self.trying, "w", encoding="utf-8") as file:
            file.write(key)
        return key not in self.lethal

    def run(self, line, **names):
        return eval(line.format(m=self.name), dict(self.names, **names))

    def export(self, array):
        try:
            return array.__dlpack__(max_version=(1, 3))
        except TypeError:
            return array.__dlpack__()

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

    def strided(self, line, found, spec):
        if not self.may_try(line, spec):
            return False
        names = dict(self.names, spec=spec, values=self.values(spec))
        exec("if True:\n" + VIEW, names)
        try:
            array = eval(self.line_of(line, found.maker), names)
            return self.shows(array, spec) and self.reads(array, found.reader, spec)
        except Exception:
            return False

    def reads(self, array, reader, spec):
        return reader is None or self.run(reader, array=array) == spec.bytes

    def first(self, candidates, works):
        tried = (each for each in candidates if self.may_try(each) and attempt(works, each))
        return next((each.format(m=self.name) for each in tried), None)


def attempt(works, candidate):
    try:
        return works(candidate)
    except Exception:
        return False


def locked(probe, maker, line):
    spec = order(readonly=True)
    array = probe.run(maker, values=probe.values(spec), spec=spec)
    exec(line, {"array": array})
    return probe.shows(array, spec)


def findings(probe):
    """What works, by name; None where nothing does."""
    found = SimpleNamespace(strider=None, layouts=(), lock=None, reader=None, claims=True)
    found.maker = probe.first((*MAKERS, *probe.class_makers()), lambda each: probe.made(each, order()) is not None)
    found.dtypes = [name for name in DTYPES if found.maker and probe.made(found.maker, order(name)) is not None]
    if found.maker:
        array = probe.made(found.maker, order())
        found.claims = hasattr(array, "__array_namespace__")
        found.reader = probe.first(READERS, lambda each: probe.reads(array, each, order()))
        found.lock = probe.first(LOCKS, lambda each: locked(probe, found.maker, each))
        for line in STRIDERS if "numpy" in probe.names else ():
            fits = [
                name
                for name, (strides, offset) in LAYOUTS.items()
                if probe.strided(line, found, order(strides=strides, offset=offset))
            ]
            if len(fits) > len(found.layouts):
                found.strider, found.layouts = probe.line_of(line, found.maker), fits
    importers = (*IMPORTERS, *(CLASS_IMPORTER.format(kind=name) for name in probe.kinds()))
    found.importer = probe.first(importers, lambda each: imports(probe, each, found.reader))
    return found


def imports(probe, line, reader):
    array = probe.run(line, source=Source(probe.native), kwargs={})
    return array is not None and probe.reads(array, reader, order())


def version_of(name):
    if isinstance(getattr(sys.modules[name], "__version__", None), str):
        return f"{name}.__version__"
    try:
        return repr(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return '"unknown"  # init: which version is it?'


def load_native(path):
    loader = importlib.machinery.ExtensionFileLoader("dlspec._native", path)
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_file_location("dlspec._native", path, loader=loader)
    )
    loader.exec_module(module)
    return module


def report(found, file, text):
    rows = (
        ("makes arrays by", found.maker),
        ("dtypes", " ".join(found.dtypes)),
        ("strides by", found.strider and f"{found.strider} ({', '.join(found.layouts)})"),
        ("read-only by", found.lock),
        ("imports by", found.importer),
        ("elements by", found.reader),
    )
    lines = [f"  {name:<16} {value or 'not found out: see init: in the file'}" for name, value in rows]
    print("\n".join([*lines, f"wrote {file}, {len(text.splitlines())} lines"]))


def write_adapter(name, file, native, trying, *lethal):
    try:
        sys.path.insert(0, os.getcwd())
        probe = Probe(name, load_native(native), trying, lethal)
        found = findings(probe)
        if not found.maker and not found.importer:
            raise Unknown(
                f"{name} neither makes an array nor imports one in any way that is known; see docs/adapters.md"
            )
        text = adapter_text.text_of(found, name, version_of(name.split(".")[0]))
        with open(file, "x", encoding="utf-8") as adapter:
            adapter.write(text)
    except (Unknown, OSError) as error:
        os.write(CHANNEL, str(error).replace("\n", " ").encode("utf-8", "replace") + b"\n")
        return 1
    report(found, file, text)
    return 0


def main(*arguments):
    """Probes until one lives; then as that one ended."""
    lethal = []
    with tempfile.TemporaryDirectory() as folder:
        trying = os.path.join(folder, "trying")
        while True:
            call = [sys.executable, os.path.abspath(__file__), *arguments, trying, *lethal]
            status = subprocess.run(call, pass_fds=(CHANNEL,), check=False).returncode
            if status >= 0 or not os.path.exists(trying) or len(lethal) >= MOST_DEATHS:
                break
            with open(trying, encoding="utf-8") as file:
                lethal.append(file.read())
            print(f"{signal.Signals(-status).name} ended the probe: {lethal[-1]} is not tried again", flush=True)
    if status < 0:
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit((main if len(sys.argv) == 4 else write_adapter)(*sys.argv[1:]))
