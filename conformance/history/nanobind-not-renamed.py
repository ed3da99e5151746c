# nanobind 3.1.0, consumer: capsule.renamed-versioned
#   A consumed capsule is renamed "used_dltensor_versioned"
#   observed  the capsule keeps its name and was consumed a second time
#   allowed   "used_dltensor_versioned"
#   source    Python specification, Implementation; array API 2023.12, __dlpack__
#   case      consumer/bool/c/versioned of dlspec
# Exit status: 1 the fault is there, 0 it is not there, 77 the library is missing, 2 it could not be tried.
import ctypes
import enum
import gc
import itertools
import os
import subprocess
import sys
import traceback
import types


def not_tried(kind, error, trace):
    """Neither shown nor gone: 77 when the library is not there, 2 when it or this script fails otherwise."""
    sys.stdout.flush()
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(77 if issubclass(kind, ImportError) else 2)


def verdict(broken, observed):
    """At once, because what a fault leaves behind may not survive the end of the process."""
    print("observed:", observed)
    print("allowed: ", ALLOWED)
    print("The fault is there." if broken else "The fault is not there.")
    sys.stdout.flush()
    os._exit(1 if broken else 0)


def attempt(function, *arguments, **keywords):
    """(result, None), or (None, what was raised)."""
    try:
        return function(*arguments, **keywords), None
    except Exception as error:
        return None, error.with_traceback(None)


sys.excepthook = not_tried


RULE = "capsule.renamed-versioned"
ALLOWED = "\"used_dltensor_versioned\""
VARIANT = "versioned"
FIELDS = dict(generation="versioned")
DTYPE = (6, 8, 1)  # code, bits and lanes of bool

# The array that is ordered or offered: strides in elements, bytes in C order.
spec = types.SimpleNamespace(
    dtype="bool", shape=(3, 4), strides=None, offset=0, readonly=False, device=(1, 0),
    bytes=bytes.fromhex("010000000100010101000000"))

# How the library makes, exports and imports arrays: its public functions.
"""nanobind 1.9 and later: a small extension of dlspec's own, built once for each environment, returns and takes
`nb::ndarray`. Since 3.0 what it returns is an object, before that a capsule."""

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
"""Shared by adapters whose libraries view memory through strides: the memory that an order speaks of."""

import itertools


def of(spec):
    """Just enough bytes, in which the ordered strides and offset find the elements; what lies between is 0."""
    indices = itertools.product(*map(range, spec.shape))
    places = [spec.offset + sum(i * stride for i, stride in zip(index, spec.strides)) for index in indices]
    size = len(spec.bytes) // max(1, len(places))
    memory = bytearray(size * (max(places, default=-1) + 1))
    for n, place in enumerate(places):
        memory[place * size : (place + 1) * size] = spec.bytes[n * size : (n + 1) * size]
    return memory


ordered_memory = types.SimpleNamespace(of=of)

CODES = {"bool": 6, "int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5}
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128"
HEADERS = pathlib.Path(nanobind.include_dir())
OBJECTS = "array_api" in (HEADERS / "nanobind" / "ndarray.h").read_text()
SOURCE = '''#include <nanobind/nanobind.h>
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
Array make(nb::bytes memory, std::vector<size_t> shape, std::vector<int64_t> strides, size_t first, int code, int bits, bool guarded) {
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
    gather(array, axis + 1, from + static_cast<int64_t>(i) * array.stride(axis) * static_cast<int64_t>(array.itemsize()), to);
  }
}

// An `nb::ndarray` without constraints takes any dtype; who reads it looks at what it is.
nb::bytes contents(const Array& array) {
  const auto dtype = array.array.dtype();
  const bool known = dtype.code <= 2 || (dtype.code >= 4 && dtype.code <= 6);
  const bool whole = dtype.bits >= 8 && (dtype.bits & (dtype.bits - 1)) == 0 && dtype.lanes == 1;
  if (!known || !whole || array.array.device_type() != 1) throw nb::type_error("the probe reads whole bytes of known dtypes in host memory");
  std::string found;
  gather(array.array, 0, static_cast<const char*>(array.array.data()), found);
  return nb::bytes(found.data(), found.size());
}

NB_MODULE(nanobind_probe, module) {
  nb::class_<Array>(module, "Array").def("shown", &Array::shown).def("contents", &contents);
  module.def("make", [](nb::bytes memory, nb::tuple shape, nb::tuple strides, size_t first, int code, int bits, bool guarded) {
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
'''


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
    whole = "".join(f'#include "{part}"\n' for part in parts) + SOURCE  # one file is built faster than fifteen
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


# The structs of dlpack.h, and what Python's API has for capsules.
class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_uint64), ("strides", ctypes.c_uint64), ("byte_offset", ctypes.c_uint64)]


class Legacy(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", ctypes.c_uint64), ("deleter", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_ctx", ctypes.c_uint64), ("deleter", ctypes.c_uint64),
                ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


READ_ONLY, IS_COPIED, PADDED = 1, 2, 4
python = ctypes.PyDLL(None)  # not ctypes.pythonapi, whose types other libraries set
capsule_name = python["PyCapsule_GetName"]
capsule_name.restype, capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
capsule_pointer = python["PyCapsule_GetPointer"]
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_uint64, [ctypes.py_object, ctypes.c_char_p]
rename_capsule = python["PyCapsule_SetName"]
rename_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}  # a capsule keeps the address
Deleter = ctypes.CFUNCTYPE(None, ctypes.c_uint64)


def numbers(address, count):
    return list((ctypes.c_int64 * count).from_address(address)) if address and 0 < count <= 64 else []


def look(capsule):
    """The struct in a capsule."""
    name = capsule_name(capsule)
    kind = Versioned if name and name.endswith(b"_versioned") else Legacy
    managed = kind.from_address(capsule_pointer(capsule, name))
    managed.capsule = capsule  # lives as long as its struct is looked at
    return managed


def row_major(shape):
    steps = list(itertools.accumulate(reversed(shape[1:]), lambda a, b: a * b, initial=1))
    return steps[::-1] if shape else []


def packed(shape, strides, bits, read):
    """The elements at these strides in C order; read(first_bit) is the element that begins there, as an int."""
    found = 0
    for n, index in enumerate(itertools.product(*map(range, shape))):
        found |= read(bits * sum(i * stride for i, stride in zip(index, strides))) << bits * n
    elements = n + 1 if 0 not in shape else 0
    return found.to_bytes((elements * bits + 7) // 8, "little")


class Offer:
    """A tensor of this script's own, and how often it was released."""

    def __init__(self, spec, generation=None, version=(1, 3), flags=None, null_data=None, null_shape=False, null_deleter=False,
                 manager_ctx=0x1000, misaligned=0, **fields):
        self.generation, self.calls, self.capsules, self.names = generation, [], [], []
        shape = list(fields.get("shape", spec.shape))
        strides = fields.get("strides", spec.strides)
        strides = row_major(shape) if strides is None and "strides" not in fields else strides
        code, bits, lanes = fields.get("dtype", DTYPE)
        width, contents = DTYPE[1] * DTYPE[2], spec.bytes
        steps = row_major(shape) if strides is None else strides
        lowest = sum(min(0, (extent - 1) * step) for extent, step in zip(shape, steps))
        before = 0 if lowest or 0 in shape else spec.offset * width // 8
        byte_offset = fields.get("byte_offset", before)
        self.memory = (ctypes.c_uint8 * 4096)(*[0xA0] * 4096)
        start = -ctypes.addressof(self.memory) % 256 + 1024 + misaligned
        self.first = ctypes.addressof(self.memory) + start + byte_offset
        for n, index in enumerate(itertools.product(*map(range, spec.shape))):
            bit = width * sum(i * step for i, step in zip(index, steps))
            self._store(bit, width, int.from_bytes(contents, "little") >> width * n & (1 << width) - 1)
        self.data = 0 if (0 in shape if null_data is None else null_data) else ctypes.addressof(self.memory) + start
        self.shape = (ctypes.c_int64 * 64)(*shape)
        self.strides = None if strides is None else (ctypes.c_int64 * 64)(*strides)
        self.deleter = Deleter(self.released)
        deleter = 0 if null_deleter else ctypes.cast(self.deleter, ctypes.c_void_p).value
        tensor = DLTensor(self.data, *fields.get("device", (1, 0)), fields.get("ndim", len(shape)), fields.get("code", code),
                          fields.get("bits", bits), lanes, 0 if null_shape else ctypes.addressof(self.shape),
                          0 if strides is None else ctypes.addressof(self.strides), byte_offset)
        flags = (READ_ONLY if spec.readonly else 0) if flags is None else flags
        self.structs = {"legacy": Legacy(tensor, manager_ctx, deleter), "versioned": Versioned(*version, manager_ctx, deleter, flags, tensor)}
        self.before = bytes(self.structs["legacy"]) + bytes(self.structs["versioned"]) + bytes(self.shape)
        kept.append(self)

    def _store(self, bit, width, value):
        for n in range(bit, bit + width):
            byte = ctypes.c_uint8.from_address(self.first + n // 8)
            byte.value = byte.value & ~(1 << n % 8) | (value >> n - bit & 1) << n % 8

    def released(self, address):
        self.calls.append(address)

    def capsule(self, generation, name=None):
        struct = self.structs[generation]
        name = name or (b"dltensor" if generation == "legacy" else b"dltensor_versioned")
        self.names.append(ctypes.create_string_buffer(name))
        capsule = new_capsule(ctypes.addressof(struct), self.names[-1], ctypes.cast(let_go, ctypes.c_void_p))
        self.capsules.append(capsule)
        return capsule


@ctypes.PYFUNCTYPE(None, ctypes.c_uint64)
def let_go(capsule):
    """The destructor of a capsule: releases what nobody took."""
    name = name_at(capsule)
    if name and not name.startswith(b"used_"):
        address = pointer_at(capsule, name)
        kind = Versioned if name.endswith(b"_versioned") else Legacy
        if kind.from_address(address).deleter:
            Deleter(kind.from_address(address).deleter)(address)


name_at = ctypes.PyDLL(None)["PyCapsule_GetName"]
name_at.restype, name_at.argtypes = ctypes.c_char_p, [ctypes.c_uint64]
pointer_at = ctypes.PyDLL(None)["PyCapsule_GetPointer"]
pointer_at.restype, pointer_at.argtypes = ctypes.c_uint64, [ctypes.c_uint64, ctypes.c_char_p]
new_capsule = python["PyCapsule_New"]
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_void_p]
kept = []


class Source:
    """What the library is given: an object with the two methods, which hands out capsules of an offer."""

    device = None

    def __init__(self, name=None, **fields):
        self.offer = Offer(spec, **fields)
        self.name, self.asked = name, []
        self.device = fields.get("device", (1, 0))

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        wanted = keywords.get("max_version")
        newest = "versioned" if wanted and wanted[0] >= 1 else "legacy"
        if self.offer.generation == "versioned" and newest == "legacy":
            raise BufferError("this tensor is only exported in a versioned capsule")
        return self.offer.capsule(self.offer.generation or newest, self.name)

    def __dlpack_device__(self):
        return self.device

    @property
    def handed_out(self):
        return len(self.offer.capsules)

    def settle(self):
        """Drops this script's references to the capsules, and gives the library time to release."""
        self.offer.capsules, count = [], self.handed_out
        for _ in range(5):
            gc.collect()
        self.counted = f"{count} handed out, {len(self.offer.calls)} deleter calls"
        return len(self.offer.calls) == count


def taken(source, **keywords):
    """What the library makes of a source; a refusal of a whole conforming tensor ends the script where it is no fault."""
    return attempt(from_dlpack, source, **keywords)


source = Source(**FIELDS)
array, refusal = taken(source)
print("refused:" if refusal else "imported:", refusal or type(array).__name__)

# The fault.
names = [capsule_name(capsule) for capsule in source.offer.capsules]
wanted = [USED[name.value] for name in source.offer.names]
verdict(not refusal and names != wanted, f"after the import the capsule is named {names}")
