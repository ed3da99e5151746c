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
