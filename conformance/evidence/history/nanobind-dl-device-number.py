"""nanobind: a dl_device that is no tuple is answered with BufferError.

Builds a small extension, with the compiler `c++`. Exit status 1: the fault is there.
"""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile

import nanobind

header = pathlib.Path(nanobind.include_dir(), "nanobind", "ndarray.h").read_text()
framework = "nb::array_api, " if "array_api" in header else ""  # asks for an object, where nanobind has one
SOURCE = (
    """
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace nb = nanobind;
static float values[3] = {0, 1, 2};
NB_MODULE(probe, module) {
  module.def("make", [] {
    size_t shape[] = {3};
    return nb::ndarray<%sfloat>(values, 1, shape, nb::capsule(values, [](void*) noexcept {}));
  });
}
"""
    % framework
)


def built(folder):
    """The extension `probe`, with all of nanobind in it."""
    root = pathlib.Path(nanobind.include_dir()).parent
    parts = sorted(root.glob("src/nb_combined.cpp")) or sorted(root.glob("src/*.cpp"))
    paths = [root / "include", root / "ext" / "robin_map" / "include", sysconfig.get_path("include")]
    command = ["c++", "-std=c++17", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-strict-aliasing", "-DNDEBUG"]
    command += [*(f"-I{path}" for path in paths), "-x", "c++", "-", "-o", f"{folder}/probe.so"]
    text = "".join(f'#include "{part}"\n' for part in parts) + SOURCE
    if subprocess.run(command, input=text, text=True, check=False).returncode:
        sys.exit(2)


with tempfile.TemporaryDirectory() as folder:
    built(folder)
    sys.path.insert(0, folder)
    import probe
array = probe.make()
try:
    print("taken:", array.__dlpack__(dl_device=7))
except BufferError as error:
    print("BufferError:", error)
    sys.exit(1)
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
sys.exit(0)
