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


#: part export uses structs
def export(array, **keywords):
    """Exports the array; without keywords where the library does not take them."""
    method = getattr(array, "__dlpack__", None) or (lambda: to_dlpack(array))
    try:
        return method(**keywords)
    except (TypeError, NotImplementedError):
        return method()


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


#: part offer uses structs
class Offer:
    """A tensor of this script, and the calls of its deleter."""

    def __init__(
        self,
        spec,
        generation=None,
        version=NEWEST,
        flags=None,
        null_data=None,
        null_shape=False,
        null_deleter=False,
        manager_ctx=0x1000,
        misaligned=0,
        **fields,
    ):
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
        tensor = DLTensor(
            self.data,
            *fields.get("device", (kDLCPU, 0)),
            fields.get("ndim", len(shape)),
            fields.get("code", code),
            fields.get("bits", bits),
            lanes,
            0 if null_shape else ctypes.addressof(self.shape),
            0 if strides is None else ctypes.addressof(self.strides),
            byte_offset,
        )
        flags = (DLPACK_FLAG_BITMASK_READ_ONLY if spec.readonly else 0) if flags is None else flags
        self.structs = {
            "legacy": DLManagedTensor(tensor, manager_ctx, deleter),
            "versioned": DLManagedTensorVersioned(*version, manager_ctx, deleter, flags, tensor),
        }
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
        capsule = new_capsule(ctypes.addressof(struct), self.names[-1], ctypes.cast(destroy_capsule, ctypes.c_void_p))
        self.capsules.append(capsule)
        return capsule


@ctypes.PYFUNCTYPE(None, ctypes.c_uint64)
def destroy_capsule(capsule):
    """The destructor of a capsule: releases a tensor that was not consumed."""
    name = name_at(capsule)
    if name and not name.startswith(b"used_"):
        address = pointer_at(capsule, name)
        kind = DLManagedTensorVersioned if name.endswith(b"_versioned") else DLManagedTensor
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
    """What the library imports: an object with the two methods of DLPack, which exports an offer."""

    device = None

    def __init__(self, name=None, **fields):
        self.offer = Offer(spec, **fields)
        self.name, self.asked = name, []
        self.device = fields.get("device", (kDLCPU, 0))

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
    def exports(self):
        return len(self.offer.capsules)

    def settle(self):
        """Drops this script's references to the capsules, and collects garbage."""
        self.offer.capsules, count = [], self.exports
        for _ in range(5):
            gc.collect()
        self.counted = f"{count} exports, {len(self.offer.calls)} deleter calls"
        return len(self.offer.calls) == count


def taken(source, **keywords):
    """(what the library makes of a source, None), or (None, why it is refused)."""
    return attempt(from_dlpack, source, **keywords)


#: part imported uses offer
source = Source(**FIELDS)
array, refusal = taken(source)
print("refused:" if refusal else "imported:", refusal or type(array).__name__)
