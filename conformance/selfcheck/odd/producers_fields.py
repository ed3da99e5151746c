"""Producers whose structs, versions, devices or objects are unusual: one row each, a freedom that the texts leave."""

import enum
import threading
import warnings

import structs
from producers import Adapter, Array

HUGE = 1 << 62


class Device(enum.IntEnum):
    CPU = 1


class MuteDevice(enum.IntEnum):
    """A device that cannot be shown."""

    CPU = 1

    def __repr__(self):
        raise RuntimeError


class Of2021(Array):
    """As the array API was in 2021: a stream, and nothing else."""

    def __dlpack__(self, *, stream=None):
        if stream is not None:
            raise ValueError("host memory has no streams")
        return self.export()


class Strange(Array):
    """An object that answers hardly anything but the two methods."""

    __slots__ = ("odd", "readonly", "shape", "code", "bits", "strides", "memory")
    __hash__ = None

    def __bool__(self):
        raise ValueError("the truth of an array is ambiguous")

    def __eq__(self, other):
        raise TypeError("not comparable")

    def __len__(self):
        raise TypeError("no length")

    def __repr__(self):
        return "\ud800\0"


class Dynamic:
    """Its methods are found by __getattr__, as those of a proxy are."""

    def __init__(self, order, odd):
        self.array = Array(order, odd)

    def __getattr__(self, name):
        if name == "array":
            raise AttributeError(name)
        return getattr(self.array, name)


class Callables(Array):
    """Its methods are attributes of the instance."""

    def __init__(self, order, odd):
        super().__init__(order, odd)
        exporting = threading.RLock()

        def export(stream=None, max_version=None, dl_device=None, copy=None):
            with exporting:
                return Array.__dlpack__(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

        self.own = lambda **keywords: export(**keywords)

    @property
    def __dlpack__(self):
        return self.own


class Crowded(Array):
    """Every export holds the array several times, and a cycle besides."""

    def exported(self, address, managed):
        cycle = [self, {"array": self, "memory": self.memory}]
        cycle.append(cycle)
        structs.HELD[address] += (cycle, [self] * 5)


class OneAtATime(Array):
    """Refuses a second export while one is alive, as the buffers of some objects do."""

    def capsule(self, memory, version, flags):
        if any(held[3] is self for held in list(structs.HELD.values())):
            raise BufferError("an export of this array is alive")
        return super().capsule(memory, version, flags)


class OneStruct(Array):
    """All exports of one kind share a struct, which counts them."""

    def capsule(self, memory, version, flags):
        if memory is not self.memory:
            return super().capsule(memory, version, flags)
        address, held = self.__dict__.setdefault("structs", {}).get(version, (0, None))
        if held is None or structs.HELD.get(address) is not held:  # another one may have its address since
            made = super().capsule(memory, version, flags)
            address = structs.address_of(made)
            self.structs[version] = address, structs.HELD[address]
            return made
        structs.SHARED[address] = structs.SHARED.get(address, 0) + 1
        return structs.capsule_of(structs.HELD[address][0])


class Deprecated(Array):
    """Warns in each call."""

    def __dlpack__(self, **keywords):
        warnings.warn("this method is old", DeprecationWarning, stacklevel=2)
        return super().__dlpack__(**keywords)


POOL = []  # memory of arrays that are gone, for the next ones


class Pooled(Array):
    """Its memory goes to the next array of its size, at once."""

    def memory_of(self, data, before=0, strides=None):
        for place, old in enumerate(POOL):
            if (len(old.places), old.size) == (len(data) // max(1, self.bits // 8), self.bits // 8):
                taken = POOL.pop(place)
                if self.strides == structs.row_major(self.shape) and not before:
                    taken.write(data)
                    taken.strides = self.strides
                    return taken
        return super().memory_of(data, before, strides)

    def __del__(self, compact=structs.row_major):
        if self.strides == compact(self.shape) and hasattr(self, "memory") and len(POOL) < 64:
            POOL.append(self.memory)


def padded(shape):
    """Three elements between rows, and between all that is larger."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step = step * extent + 3
    return tuple(strides)


def spread(count):
    return lambda shape: tuple(count * step for step in structs.row_major(shape))


def column_major(shape):
    return structs.row_major(shape[::-1])[::-1]


def backwards(shape):
    return tuple(-step for step in structs.row_major(shape))


def far_rows(shape):
    """The last stride like the header of a block of the heap, a multiple of 16 and one more; the rest compact."""
    if len(shape) != 2:
        return structs.row_major(shape)
    return (shape[1], 16 * shape[1] * shape[0] + 1)


# What is odd, and the adapter. The strides are those of arrays for which nobody ordered any.
ROWS = {
    "an ordinary array": Adapter(),
    "rows are padded": Adapter(strides=padded),
    "every second element": Adapter(strides=spread(2)),
    "every fourth element": Adapter(strides=spread(4)),
    "every eighth element": Adapter(strides=spread(8)),
    "every sixteenth element": Adapter(strides=spread(16)),
    "strides like a header of the heap": Adapter(strides=far_rows),
    "column-major": Adapter(strides=column_major),
    "all axes reversed": Adapter(strides=backwards),
    "all axes reversed, the offset in byte_offset": Adapter(strides=backwards, byte_offset="all"),
    "huge strides of axes of one element": Adapter(unused_stride=HUGE),
    "negative strides of axes of one element": Adapter(unused_stride=-HUGE),
    "zero strides of axes of one element": Adapter(unused_stride=0),
    "strides of axes of one element like 32-bit ones": Adapter(unused_stride=1 << 32 | 1),
    "NULL strides in legacy structs": Adapter(null_strides=True, version=(1, 3)),
    "NULL strides in version 1.0": Adapter(null_strides=True, version=(1, 0)),
    "NULL strides in version 1.1": Adapter(null_strides=True, version=(1, 1)),
    "NULL shape and strides of scalars": Adapter(null_scalars=True),
    "shape and strides in one list": Adapter(one_list=True),
    "data in front of the elements": Adapter(byte_offset=192, before=192),
    "data far in front of the elements": Adapter(byte_offset="all", before=1 << 16),
    "data behind no boundary": Adapter(shift=1),
    "data at odd multiples of its size": Adapter(shift=24),
    "version 1.0": Adapter(version=(1, 0)),
    "version 1.1": Adapter(version=(1, 1)),
    "version 1.2": Adapter(version=(1, 2)),
    "the version that was asked for": Adapter(no_newer_than_asked=True),
    "no legacy capsules": Adapter(versioned_only=True),
    "read-only arrays alone": Adapter(immutable=True),
    "each export is a copy": Adapter(always_copies=True),
    "copies are refused": Adapter(no_copies=True),
    "2021, nothing but a stream": Adapter(Of2021),
    "2021, and never claimed the array API": Adapter(Of2021, standard="dlpack"),
    "the device as an IntEnum": Adapter(device=(Device.CPU, 0)),
    "a device that cannot be shown": Adapter(device=(MuteDevice.CPU, 0), no_copies=True),
    "a stream is a TypeError": Adapter(stream_error=TypeError),
    "a stream is a BufferError": Adapter(stream_error=BufferError),
    "manager_ctx is no pointer": Adapter(context=0x5A5A_5A5A_5A5A_5A5B),
    "exports with many references": Adapter(Crowded),
    "memory that needs no release": Adapter(deleter=None, destructor=None),
    "a destructor that needs no deleter": Adapter(destructor=structs.free_unconsumed),
    "releases that wait for the next export": Adapter(deleter=structs.free_later),
    "one export at a time": Adapter(OneAtATime),
    "one struct for all exports": Adapter(OneStruct, deleter=structs.free_shared),
    "a warning in each call": Adapter(Deprecated),
    "memory of a pool": Adapter(Pooled),
    "a minor version that is newer": Adapter(version=(1, 9)),
    "objects that answer nothing": Adapter(Strange),
    "methods by __getattr__": Adapter(Dynamic),
    "methods of the instance": Adapter(Callables),
    "bytes of two axes alone": Adapter(dtypes=("uint8",), ranks=(2,), compact=True),
    "scalars alone": Adapter(ranks=(0,)),
    "one axis alone, padded": Adapter(ranks=(1,), strides=spread(3), compact=True),
}
