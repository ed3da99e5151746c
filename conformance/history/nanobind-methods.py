# nanobind 2.9.2, producer: python.methods-present
#   Both methods are there
#   observed  the array has no method __dlpack__ and no __dlpack_device__
#   allowed   both __dlpack__ and __dlpack_device__
#   source    Python specification, Syntax; array API 2021.12, array object
#   case      producer/float32/c/device of dlspec
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


RULE = "python.methods-present"
ALLOWED = "both __dlpack__ and __dlpack_device__"
VARIANT = "device"
KEYWORDS = dict()
DTYPE = (2, 32, 1)  # code, bits and lanes of float32

# The array that is ordered or offered: strides in elements, bytes in C order.
spec = types.SimpleNamespace(
    dtype="float32", shape=(3, 4), strides=None, offset=0, readonly=False, device=(1, 0),
    bytes=bytes.fromhex("6c4f1f41cdd237be83f9823f723976bf7986fdbeb78082bf89d46b40b4061c4187cfd33ea49bb93e42e8c3bf5d61c7bf"))

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


def export(array, **keywords):
    """A capsule; without the keywords of today where the library does not know them."""
    method = getattr(array, "__dlpack__", None) or (lambda: to_dlpack(array))
    try:
        return method(**keywords)
    except (TypeError, NotImplementedError):
        return method()


def elements(tensor, padded=False):
    """What the struct leads to, in C order. `padded`: each element narrower than a byte has one of its own."""
    shape = numbers(tensor.shape, tensor.ndim)
    strides = numbers(tensor.strides, tensor.ndim) or row_major(shape)
    first, bits = tensor.data + tensor.byte_offset, tensor.bits * tensor.lanes
    if bits % 8 == 0:
        places = (sum(i * stride for i, stride in zip(index, strides)) for index in itertools.product(*map(range, shape)))
        return b"".join(ctypes.string_at(first + bits // 8 * place, bits // 8) for place in places)

    def read(bit):
        byte, shift = (bit // bits, 0) if padded else divmod(bit, 8)
        return ctypes.c_uint8.from_address(first + byte).value >> shift & (1 << bits) - 1

    return packed(shape, strides, bits, read)


def first_element(tensor):
    return tensor.data + tensor.byte_offset


def consume(capsule):
    """Takes the tensor as a consumer does: the capsule is renamed, and no longer releases. Its struct."""
    managed = look(capsule)
    rename_capsule(capsule, USED[capsule_name(capsule)])
    return managed


def release(managed):
    """Calls the deleter, as the consumer that took the tensor does."""
    if managed.deleter:
        ctypes.PYFUNCTYPE(None, ctypes.c_uint64)(managed.deleter)(ctypes.addressof(managed))


def counting(managed):
    """Puts a deleter before the struct's own that counts its calls; the list that holds them."""
    calls, own = [], managed.deleter

    @Deleter
    def counted(address):
        calls.append(address)
        if own:
            ctypes.CFUNCTYPE(None, ctypes.c_uint64)(own)(address)

    kept.append(counted)
    managed.deleter = ctypes.cast(counted, ctypes.c_void_p).value
    return calls


kept = []


# The fault.
array = make(spec)
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not callable(getattr(array, name, None))]
verdict(missing, f"missing: {missing}")
