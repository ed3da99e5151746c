"""Where the elements of odd producers lie: kinds of structs.Memory."""

import array
import copy
import ctypes
import mmap
import os

import structs

PAGE = mmap.PAGESIZE
C = ctypes.CDLL(None, use_errno=True)
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
C.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
C.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def address_in(buffer):
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))


class Arena(structs.Memory):
    """A piece of a block that many arrays share; the next array begins where this one ends."""

    block, used = None, 0

    def allocate(self, length, shift):
        length = -(-length // 16) * 16
        if Arena.block is None or Arena.used + length > len(Arena.block):
            Arena.block, Arena.used = ctypes.create_string_buffer(max(length, 1 << 16)), 0
        self.block, begin = Arena.block, Arena.used
        Arena.used += length
        return ctypes.addressof(self.block) + begin


class Mapped(structs.Memory):
    """Pages of its own."""

    def allocate(self, length, shift):
        self.block = mmap.mmap(-1, length)
        self.held = ctypes.c_char.from_buffer(self.block)
        return ctypes.addressof(self.held)


class InFile(structs.Memory):
    """Pages of a file."""

    def allocate(self, length, shift):
        file = os.memfd_create("elements")
        try:
            os.ftruncate(file, length)
            self.block = mmap.mmap(file, length)
        finally:
            os.close(file)
        self.held = ctypes.c_char.from_buffer(self.block)
        return ctypes.addressof(self.held)


class Mirrored(structs.Memory):
    """Pages of a file, which can be mapped at several addresses."""

    def allocate(self, length, shift):
        self.length, self.file = length, os.fdopen(os.memfd_create("elements"), "r+b")
        os.ftruncate(self.file.fileno(), length)
        return self.map()

    def map(self):
        self.block = mmap.mmap(self.file.fileno(), self.length)
        self.held = ctypes.c_char.from_buffer(self.block)
        return ctypes.addressof(self.held)

    def mirror(self):
        """The same memory at another address."""
        other = copy.copy(self)
        step = other.map() - self.begin
        other.begin, other.first = self.begin + step, self.first + step
        other.places = [place + step for place in self.places]
        return other


class InBytes(structs.Memory):
    """A bytes object, filled before anybody sees it."""

    def allocate(self, length, shift):
        self.block = bytes(bytearray(length + 16))  # of its own: no interned one
        start = ctypes.cast(ctypes.c_char_p(self.block), ctypes.c_void_p).value
        return -(-start // 16) * 16


class InArray(structs.Memory):
    """The standard library's array, which cannot change its size as long as its buffer is used."""

    def allocate(self, length, shift):
        self.block = array.array("d", bytes(-(-length // 8) * 8))
        self.held = ctypes.c_char.from_buffer(self.block)
        return ctypes.addressof(self.held)


class Guarded(structs.Memory):
    """Ends at, or begins behind, a page that cannot be read; goes back to the system when nobody holds it."""

    ends = True

    def allocate(self, length, shift):
        pages = -(-length // PAGE) * PAGE
        self.extent = pages + 2 * PAGE
        self.mapping = C.mmap(None, self.extent, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | 0x20, -1, 0)
        if self.mapping in (None, ctypes.c_void_p(-1).value):
            raise MemoryError
        for guard in (self.mapping, self.mapping + PAGE + pages):
            C.mprotect(guard, PAGE, 0)
        return self.mapping + PAGE + (pages - length if self.ends else 0)

    def __del__(self, unmap=C.munmap):
        if getattr(self, "mapping", None):
            unmap(self.mapping, self.extent)


class BehindGuard(Guarded):
    ends = False


class Wiped(structs.Memory):
    """Overwritten when nobody holds it any longer."""

    def __del__(self, fill=ctypes.memset):
        for place in getattr(self, "places", ()):
            fill(place, 0xDD, self.size)


class InPlace(structs.Memory):
    """Bytes that an object has of its own, handed over by `lend`."""

    def __init__(self, lend, *order):
        self.lend = lend
        super().__init__(*order)

    def allocate(self, length, shift):
        self.held = ctypes.c_char.from_buffer(self.lend(length))
        return ctypes.addressof(self.held)


class OneBlock(structs.Memory):
    """Room in front of the elements, for whatever describes them."""

    ROOM = 2048

    def allocate(self, length, shift):
        self.front = super().allocate(self.ROOM + length, shift)
        return self.front + self.ROOM
