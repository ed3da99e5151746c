"""Writes an adapter for `dlspec init`: tries what libraries commonly call things, and keeps what works.

  init_worker.py MODULE FILE NATIVE

Each candidate is a line of the adapter. It is taken when the array that comes out shows the ordered dtype, shape,
strides and elements, read by dlspec's extension and not by the library. What nothing fits is a refusal in the adapter,
marked `init:`. Why nothing can be written goes to descriptor 3, as a sentence.

The probe is a process of its own, which says in a file what it is about to try: what ends it is not tried again.
"""

import importlib.machinery
import importlib.metadata
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from dlspec_worker.facts import elements
from dlspec_worker.facts.idioms import (
    CLASS_IMPORTER,
    DTYPES,
    IMPORTERS,
    LAYOUTS,
    LOCKS,
    MAKERS,
    MOST_AXES,
    READERS,
    STRIDERS,
    SWITCHES,
    UNPACK,
    WRITERS,
)
from dlspec_worker.subject import adapter_text
from dlspec_worker.subject.probe import Probe, Source, Unknown, attempt, order

CHANNEL = 3
CONTRACT = "https://github.com/dlspec/dlspec/blob/main/conformance/docs/adapters.md"
MOST_DEATHS = 10


def locked(probe, maker, line):
    spec = order(readonly=True)
    array = probe.run(maker, values=probe.values(spec), spec=spec)
    exec(line, {"array": array})
    return probe.shows(array, spec)


def writes(probe, found, line):
    """Whether the line writes into arrays of every layout that is made, and into none that is read-only."""
    data = order().bytes[::-1]

    def written(array):
        exec(f"values = {UNPACK}\n{line}", dict(probe.names, array=array, data=data))
        return probe.native.contents(probe.export(array)) == data

    specs = [order(strides=strides, offset=offset) for strides, offset in map(LAYOUTS.get, found.layouts)]
    plain = probe.made(found.maker, order())
    if not all(map(written, [plain, *(probe.in_layout(found.strider, spec) for spec in specs)])):
        return False
    if found.lock:
        exec(found.lock, {"array": plain})
    return not found.lock or not attempt(written, plain)


def findings(probe):
    """What works, by name; None where nothing does."""
    found = SimpleNamespace(strider=None, layouts=(), lock=None, reader=None, writer=None, claims=True, narrowed=())
    found.empty = found.scalar = True
    found.rank = MOST_AXES
    found.maker = probe.first((*MAKERS, *probe.class_makers()), lambda each: probe.made(each, order()) is not None)
    found.dtypes = dtypes_made(probe, found.maker)
    found.switch = probe.first(SWITCHES, lambda each: gives_more(probe, found, each))
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
        if found.strider:
            found.empty = attempt(lambda each: probe.fits(each, found.reader, (2, 0, 3), (3, 3, 1)), found.strider)
            found.scalar = attempt(lambda each: probe.fits(each, found.reader, (), ()), found.strider)
        found.rank = largest_rank(probe, found)
        writers = (each.replace("{of_values}", found.maker) for each in WRITERS if "spec" not in found.maker)
        found.writer = probe.first(writers if "numpy" in probe.names else (), lambda each: writes(probe, found, each))
    found.exporter = probe.exporter and probe.exporter.format(m=probe.name)
    importers = (*IMPORTERS, *(CLASS_IMPORTER.format(kind=name) for name in probe.kinds()))
    found.importer = probe.first(importers, lambda each: imports(probe, each, found.reader))
    if found.importer:
        found.narrowed = [name for name in DTYPES if attempt(lambda each: narrows(probe, found.importer, each), name)]
    return found


def dtypes_made(probe, maker):
    return [name for name in DTYPES if maker and probe.made(maker, order(name)) is not None]


def largest_rank(probe, found):
    """The most axes of arrays that are made and read; MOST_AXES if those are."""

    def fits(rank):
        spec = order(shape=(1,) * (rank - 2) + (3, 4))
        array = probe.made(found.maker, spec)
        return array is not None and probe.reads(array, found.reader, spec)

    return next((rank - 1 for rank in range(3, MOST_AXES + 1) if not attempt(fits, rank)), MOST_AXES)


def gives_more(probe, found, line):
    """Whether more dtypes are made after this line; then it stays in force."""
    if not found.maker or len(found.dtypes) == len(DTYPES):
        return False
    probe.run(line)
    before, found.dtypes = found.dtypes, dtypes_made(probe, found.maker)
    return len(found.dtypes) > len(before)


def imports(probe, line, reader):
    array = probe.run(line, source=Source(probe.native), kwargs={})
    return array is not None and probe.reads(array, reader, order())


def narrows(probe, line, dtype):
    """Whether an import has smaller elements than the tensor that was offered."""
    if not probe.may_try(f"{line} of {dtype}"):
        return False
    array = probe.run(line, source=Source(probe.native, dtype), kwargs={})
    return probe.bits(array) < elements.bits_of(dtype)


def version_of(name):
    """What gives the version, in the adapter."""
    package = name.split(".")[0]
    for each in (package, name):
        if isinstance(getattr(sys.modules[each], "__version__", None), str):
            return f"{each}.__version__"
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return '"unknown"  # init: which version is it?'
    return f'importlib.metadata.version("{package}")'


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
        ("dtypes", " ".join(found.dtypes) + (f" by {found.switch}" if found.switch else "")),
        ("strides by", found.strider and f"{found.strider} ({', '.join(found.layouts)})"),
        ("read-only by", found.lock),
        ("exports by", found.exporter or "__dlpack__"),
        ("imports by", found.importer),
        ("elements by", found.reader),
        ("writes by", found.writer),
    )
    lines = [f"  {name:<16} {value or 'not found out: see init: in the file'}" for name, value in rows]
    print("\n".join([*lines, f"wrote {file}, {len(text.splitlines())} lines"]))


def parts_to_try(name):
    """The module's public part that imports tensors, as advice; "" if it has none."""
    parts = sorted(each for each in sys.modules if each.startswith(f"{name}.") and "._" not in each)
    part = next((each for each in parts if hasattr(sys.modules[each], "from_dlpack")), None)
    return f"{part} has from_dlpack: try dlspec init {part}, or " if part else ""


def write_adapter(name, file, native, trying, *lethal):
    try:
        sys.path.insert(0, os.getcwd())
        probe = Probe(name, load_native(native), trying, lethal)
        found = findings(probe)
        if not found.maker and not found.importer:
            raise Unknown(
                f"{name} neither makes an array nor imports one in any way that is known; "
                f"{parts_to_try(name)}write the adapter by hand: {CONTRACT}"
            )
        text = adapter_text.text_of(found, name, version_of(name))
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
