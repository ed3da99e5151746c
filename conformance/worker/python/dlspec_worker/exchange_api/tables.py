"""The exchange table of a type: how it is published, and the bytes of its struct."""

import struct

from dlspec_worker.facts import dlpack
from dlspec_worker.observing import memory
from dlspec_worker.trial.attempts import attempt

NAME = "__dlpack_c_exchange_api__"
OLD_NAME = "__c_dlpack_exchange_api__"  # of DLPack 1.2
CAPSULE = "dlpack_exchange_api"
FUNCTIONS = (
    "managed_tensor_allocator",
    "managed_tensor_from_py_object_no_sync",
    "managed_tensor_to_py_object_no_sync",
    "dltensor_from_py_object_no_sync",
    "current_work_stream",
)
ALLOCATE, EXPORT, IMPORT, BORROW, STREAM = FUNCTIONS
NONNULL = {  # the rule that is violated where it is NULL
    ALLOCATE: "exchange.fn-allocator-nonnull",
    EXPORT: "exchange.fn-from-nonnull",
    IMPORT: "exchange.fn-to-nonnull",
    STREAM: "exchange.fn-stream-nonnull",
}
LONGEST_CHAIN = 16
_HEADER = struct.Struct("=IIQ")
_TABLE = struct.Struct("=IIQ5Q")
SIZE = _TABLE.size
_ABSENT = object()


class Table:
    """A DLPackExchangeAPI as its bytes say."""

    def __init__(self, address, raw):
        self.address = address
        self.raw = raw
        major, minor, self.previous, *functions = _TABLE.unpack(raw)
        self.version = (major, minor)
        self.functions = dict(zip(FUNCTIONS, functions))


def read(address):
    """The table at an address; None where no table can be read."""
    raw = None if address % 8 else memory.peek(address, _TABLE.size)
    return None if raw is None else Table(address, raw)


def chain(table):
    """[(version, address)] of the older tables that prev_api leads to, and why the walk ended early or None."""
    found, address = [], table.previous
    while address:
        if address == table.address or any(address == each for _, each in found):
            return found, "leads back to a table that was passed already"
        if len(found) == LONGEST_CHAIN:
            return found, f"has more than {LONGEST_CHAIN} tables"
        raw = None if address % 8 else memory.peek(address, _HEADER.size)
        if raw is None:
            return found, "leads to memory that cannot be read"
        major, minor, following = _HEADER.unpack(raw)
        found.append(((major, minor), address))
        address = following
    return found, None


def usable(table):
    """The table itself, or an older one of the major version that this dlspec knows; None where there is none."""
    if table is None or table.version[0] in (0, dlpack.NEWEST[0]):
        return table
    for version, address in chain(table)[0]:
        if version[0] == dlpack.NEWEST[0]:
            return read(address)
    return None


class Published:
    """What a type, or only its instance, has under one of the two names."""

    def __init__(self, native, array, name):
        self.name = name
        self.value = getattr(type(array), name, _ABSENT)
        self.is_on_type = self.value is not _ABSENT and not _is_descriptor(self.value)
        if not self.is_on_type:
            value, misfit = attempt(getattr, array, name, _ABSENT)
            self.value = _ABSENT if misfit else value  # an attribute that raises anything is none
        self.exists = self.value is not _ABSENT
        self.is_integer = isinstance(self.value, int) and not isinstance(self.value, bool)
        self.capsule = native.api_capsule(self.value) if self.exists else None

    @property
    def address(self):
        """The address of the table; None where the value leads to none."""
        if self.capsule is not None:
            return self.capsule[1]
        return self.value if self.is_integer and 0 < self.value < 1 << 63 else None


def _is_descriptor(value):
    """True for a property and the like: what instances get in its place is not on the type."""
    return hasattr(type(value), "__get__")


def published(native, array):
    """What is published under the name of 1.3, else under that of 1.2; None where neither exists."""
    for name in (NAME, OLD_NAME):
        found = Published(native, array, name)
        if found.exists:
            return found
    return None


def table_of(native, array):
    """The table that a consumer of today would use for an object, or None."""
    found = published(native, array)
    address = found.address if found else None
    return usable(read(address)) if address else None
