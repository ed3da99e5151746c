#: part frame
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
    """Exit status 77 where the library is missing, 2 where the library or this script fails in another way."""
    sys.stdout.flush()
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(77 if issubclass(kind, ImportError) else 2)


def verdict(is_there, observed):
    """Ends the process at once: what the fault leaves behind may not survive an orderly end."""
    print("observed:", observed)
    print("allowed: ", ALLOWED)
    print("The fault is there." if is_there else "The fault is not there.")
    sys.stdout.flush()
    os._exit(1 if is_there else 0)


def attempt(function, *arguments, **keywords):
    """(what the function returns, None), or (None, what it raises)."""
    try:
        return function(*arguments, **keywords), None
    except Exception as error:
        return None, error.with_traceback(None)


sys.excepthook = not_tried

#: part lethal
# The fault ends or hangs the process: the rest of this script runs in a child.
if sys.argv[1:] != ["lethal"]:
    try:
        status = subprocess.run([sys.executable, __file__, "lethal"], timeout=60).returncode
    except subprocess.TimeoutExpired:
        status = None
    if status not in (0, 1, 2, 77):
        verdict(True, "no end within 60 s" if status is None else f"the process ended with status {status}")
    os._exit(status)


#: part structs
# Python's functions for capsules, and what stands in the structs of dlpack.h.
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
    kind = DLManagedTensorVersioned if name and name.endswith(b"_versioned") else DLManagedTensor
    managed = kind.from_address(capsule_pointer(capsule, name))
    managed.capsule = capsule  # lives as long as its struct is read
    return managed


def row_major(shape):
    steps = list(itertools.accumulate(reversed(shape[1:]), lambda a, b: a * b, initial=1))
    return steps[::-1] if shape else []


def packed(shape, strides, bits, read):
    """The elements at these strides in C order, packed; read(bit) is the element that starts there, as an int."""
    found = 0
    for n, index in enumerate(itertools.product(*map(range, shape))):
        found |= read(bits * sum(i * stride for i, stride in zip(index, strides))) << bits * n
    elements = n + 1 if 0 not in shape else 0
    return found.to_bytes((elements * bits + 7) // 8, "little")


#: part reading uses structs
def elements(tensor, padded=False):
    """The elements in C order, as bytes. `padded`: an element narrower than a byte occupies a whole one."""
    shape = numbers(tensor.shape, tensor.ndim)
    strides = numbers(tensor.strides, tensor.ndim) or row_major(shape)
    first, bits = tensor.data + tensor.byte_offset, tensor.bits * tensor.lanes
    if bits % 8 == 0:
        places = (
            sum(i * stride for i, stride in zip(index, strides)) for index in itertools.product(*map(range, shape))
        )
        return b"".join(ctypes.string_at(first + bits // 8 * place, bits // 8) for place in places)

    def read(bit):
        byte, shift = (bit // bits, 0) if padded else divmod(bit, 8)
        return ctypes.c_uint8.from_address(first + byte).value >> shift & (1 << bits) - 1

    return packed(shape, strides, bits, read)


def first_element(tensor):
    return tensor.data + tensor.byte_offset


def consume(capsule):
    """Imports the tensor as a consumer does: renames the capsule, which no longer releases it. Its struct."""
    managed = look(capsule)
    rename_capsule(capsule, USED[capsule_name(capsule)])
    return managed


def release(managed):
    """Calls the deleter, as the consumer of the tensor does."""
    if managed.deleter:
        ctypes.PYFUNCTYPE(None, ctypes.c_uint64)(managed.deleter)(ctypes.addressof(managed))


def counting(managed):
    """Replaces the deleter by one that records its calls before it calls the old one; the list of the calls."""
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


#: part export uses reading
def export(array, **keywords):
    """Exports the array; without keywords where the library does not take them."""
    method = getattr(array, "__dlpack__", None) or (lambda: to_dlpack(array))
    try:
        return method(**keywords)
    except (TypeError, NotImplementedError):
        return method()


#: part exported uses export
array = make(spec)
capsule, refusal = attempt(export, array, **KEYWORDS)
if refusal:
    verdict(False, f"{refusal!r}")
managed = look(capsule)
del capsule
tensor = managed.tensor
versioned = isinstance(managed, DLManagedTensorVersioned)
version = (managed.major, managed.minor) if versioned else (0, 0)
flags = managed.flags if versioned else 0
dtype = (tensor.code, tensor.bits, tensor.lanes)
shape, strides = numbers(tensor.shape, tensor.ndim), numbers(tensor.strides, tensor.ndim)
width = tensor.bits * tensor.lanes
for field in ("data", "device_type", "device_id", "ndim", "code", "bits", "lanes", "byte_offset"):
    print(f"{field:12}", hex(getattr(tensor, field)) if field == "data" else getattr(tensor, field))
print("shape       ", shape, "strides", strides if tensor.strides else "NULL", "version", version, "flags", flags)
