"""nanobind: a tensor whose major version is 2 is cast to nb::ndarray.

Builds a small extension, with the compiler `c++`. Exit status 1: the fault is there.
"""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile

import nanobind

SOURCE = """
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace nb = nanobind;
struct Tensor { void* data; int32_t device[2], ndim; uint8_t code, bits; uint16_t lanes; int64_t *shape, *strides; uint64_t byte_offset; };
struct Managed { uint32_t major, minor; void* ctx; void (*deleter)(Managed*); uint64_t flags; Tensor tensor; };
static float values[3] = {0, 1, 2};
static int64_t shape[] = {3}, strides[] = {1};
static Tensor tensor{values, {1, 0}, 1, 2, 32, 1, shape, strides, 0};
static Managed managed{2, 0, nullptr, [](Managed*) {}, 0, tensor};
NB_MODULE(probe, module) {
  module.def("capsule", [] { return nb::steal(PyCapsule_New(&managed, "dltensor_versioned", nullptr)); });
  module.def("take", [](nb::ndarray<> array) { return array.ndim(); });
}
"""


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
capsule = probe.capsule()


class Array:
    def __dlpack__(self, **keywords):
        return capsule

    def __dlpack_device__(self):
        return (1, 0)


try:
    print("imported, of rank", probe.take(Array()))
except TypeError as error:
    print("refused:", str(error).splitlines()[0])
    sys.exit(0)
sys.exit(1)
