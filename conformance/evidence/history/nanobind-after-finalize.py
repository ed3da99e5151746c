"""nanobind: a deleter that is called after the end of the interpreter ends the process by a signal.

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
static float values[3] = {0, 1, 2};
NB_MODULE(probe, module) {
  module.def("make", [] {
    size_t shape[] = {3};
    return nb::ndarray<float>(values, 1, shape, nb::capsule(values, [](void*) noexcept {}));
  });
}
"""
CHILD = """
import ctypes, probe
capsule = probe.make()
python = ctypes.PyDLL(None)
python.PyCapsule_GetName.restype, python.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
name = python.PyCapsule_GetName(capsule)
managed = python.PyCapsule_GetPointer(capsule, name)
used = b"used_" + name
python.PyCapsule_SetName(capsule, used)
deleter = ctypes.c_void_p.from_address(managed + (16 if name.endswith(b"_versioned") else 56))
# As a consumer in C does that keeps the tensor until the process ends.
ctypes.CDLL(None).__cxa_atexit(deleter, ctypes.c_void_p(managed), None)
print("leaving", flush=True)
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
    done = subprocess.run([sys.executable, "-c", CHILD], cwd=folder, capture_output=True, text=True, check=False)
print(done.stdout + done.stderr, end="")
if "leaving" not in done.stdout:
    sys.exit(2)
print("the process ended with", done.returncode)
sys.exit(done.returncode != 0)
