"""nanobind 1.9 and later: a small extension of dlspec's own, built once for each environment, returns and takes
`nb::ndarray`. It returns an object since 3.0, and a capsule before."""

import hashlib
import importlib.machinery
import importlib.util
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import nanobind
import ordered_memory

CODES = {"bool": 6, "int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5}
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128"
HEADERS = pathlib.Path(nanobind.include_dir())
OBJECTS = "array_api" in (HEADERS / "nanobind" / "ndarray.h").read_text()
SOURCE = """#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace nb = nanobind;

#ifdef PROBE_OBJECTS
using Shown = nb::ndarray<nb::array_api>;  // an object with the two methods
using Guarded = nb::ndarray<nb::array_api, nb::ro>;
#else
using Shown = nb::ndarray<>;  // a capsule
using Guarded = nb::ndarray<nb::ro>;
#endif

struct Array {
  nb::object shown() const { return guarded ? nb::cast(Guarded(array)) : nb::cast(Shown(array)); }
  nb::ndarray<nb::ro> array;
  bool guarded;
};

// Elements that lie as ordered in memory that the array owns.
Array make(nb::bytes memory, std::vector<size_t> shape, std::vector<int64_t> strides, size_t first, int code, int bits,
           bool guarded) {
  auto* held = new char[memory.size() + 1];
  std::memcpy(held, memory.c_str(), memory.size());
  nb::capsule owner(held, [](void* pointer) noexcept { delete[] static_cast<char*>(pointer); });
  nb::dlpack::dtype dtype;
  dtype.code = static_cast<uint8_t>(code);
  dtype.bits = static_cast<uint8_t>(bits);
  dtype.lanes = 1;
  return {nb::ndarray<nb::ro>(held + first, shape.size(), shape.data(), owner, strides.data(), dtype, 1, 0), guarded};
}

void gather(const nb::ndarray<nb::ro>& array, size_t axis, const char* from, std::string& to) {
  if (axis == array.ndim()) {
    to.append(from, array.itemsize());
    return;
  }
  for (size_t i = 0; i < array.shape(axis); ++i) {
    const int64_t step = array.stride(axis) * static_cast<int64_t>(array.itemsize());
    gather(array, axis + 1, from + static_cast<int64_t>(i) * step, to);
  }
}

// An `nb::ndarray` without constraints takes any dtype; who reads it looks at what it is.
nb::bytes contents(const Array& array) {
  const auto dtype = array.array.dtype();
  const bool known = dtype.code <= 2 || (dtype.code >= 4 && dtype.code <= 6);
  const bool whole = dtype.bits >= 8 && (dtype.bits & (dtype.bits - 1)) == 0 && dtype.lanes == 1;
  if (!known || !whole || array.array.device_type() != 1)
    throw nb::type_error("the probe reads whole bytes of known dtypes in host memory");
  std::string found;
  gather(array.array, 0, static_cast<const char*>(array.array.data()), found);
  return nb::bytes(found.data(), found.size());
}

NB_MODULE(nanobind_probe, module) {
  nb::class_<Array>(module, "Array").def("shown", &Array::shown).def("contents", &contents);
  module.def("make", [](nb::bytes memory, nb::tuple shape, nb::tuple strides, size_t first, int code, int bits,
                        bool guarded) {
    std::vector<size_t> extents;
    std::vector<int64_t> steps;
    for (size_t i = 0; i < nb::len(shape); ++i) {
      extents.push_back(nb::cast<size_t>(shape[i]));
      steps.push_back(nb::cast<int64_t>(strides[i]));
    }
    return make(memory, extents, steps, first, code, bits, guarded);
  });
  module.def("take", [](nb::ndarray<nb::ro> given) { return Array{given, true}; });
}
"""


def built():
    """The extension, beside the environment's packages; in dlspec's cache where that cannot be written."""
    key = hashlib.sha256((nanobind.__version__ + sys.version + SOURCE).encode()).hexdigest()[:16]
    place = pathlib.Path(sysconfig.get_path("purelib"))
    if not os.access(place, os.W_OK):
        place = pathlib.Path(os.environ.get("DLSPEC_CACHE") or pathlib.Path.home() / ".cache" / "dlspec")
        place.mkdir(parents=True, exist_ok=True)
    made = place / f"nanobind_probe_{key}.so"
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if made.exists():
        return made
    if compiler is None:
        raise NotImplementedError("nanobind's probe needs a C++ compiler to be built")
    folders = [HEADERS, HEADERS.parent / "ext" / "robin_map" / "include", sysconfig.get_path("include")]
    combined = HEADERS.parent / "src" / "nb_combined.cpp"  # all of nanobind; before 2.0 there is no such file
    parts = [combined] if combined.exists() else sorted(combined.parent.glob("*.cpp"))
    command = [compiler, "-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-strict-aliasing"]
    command += ["-DNDEBUG", *(["-DPROBE_OBJECTS"] if OBJECTS else [])]
    fresh = made.with_suffix(f".{os.getpid()}")
    whole = "".join(f'#include "{part}"\n' for part in parts) + SOURCE  # one file compiles faster than fifteen
    command += [*(f"-I{folder}" for folder in folders), "-x", "c++", "-", "-o", str(fresh)]
    done = subprocess.run(command, input=whole, text=True, check=False, capture_output=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        raise NotImplementedError(f"nanobind's probe cannot be built: {' '.join(errors[:1])}")
    os.replace(fresh, made)
    return made


loader = importlib.machinery.ExtensionFileLoader("nanobind_probe", str(built()))
found = importlib.util.spec_from_file_location("nanobind_probe", loader.path, loader=loader)
probe = importlib.util.module_from_spec(found)
loader.exec_module(probe)


def version():
    return nanobind.__version__


def make(spec):
    if spec.dtype not in NAMES.split():
        raise NotImplementedError(f"the probe has no {spec.dtype}")
    kind = spec.dtype.rstrip("0123456789")
    size = int(spec.dtype[len(kind) :] or 8) // 8
    strides, first, memory = spec.strides, spec.offset * size, spec.bytes
    if strides is None:
        steps = itertools.accumulate(reversed(spec.shape[1:]), lambda a, b: a * b, initial=1)
        strides = tuple(steps)[::-1] if spec.shape else ()
    else:
        memory = bytes(ordered_memory.of(spec))
    array = probe.make(memory, spec.shape, strides, first, CODES[kind], size * 8, spec.readonly)
    return array.shown() if OBJECTS else array


if not OBJECTS:

    def to_dlpack(array):
        return array.shown()


def contents(array):
    if isinstance(array, probe.Array):
        return array.contents()
    try:
        return memoryview(array).tobytes("C")
    except BufferError as reason:
        raise NotImplementedError(str(reason)) from None


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("a cast to nb::ndarray has no device and no copy")
    return probe.take(source)


standard = "dlpack"
