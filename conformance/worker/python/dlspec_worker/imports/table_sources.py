"""What consumers of the exchange table are offered: objects whose types publish tables that record every call."""

import collections
import ctypes
import mmap

from dlspec_worker.exchange_api import tables
from dlspec_worker.facts import elements
from dlspec_worker.imports.source import Source

_BORROW_PLACE = 40  # of dltensor_from_py_object_no_sync in the table


# `attached`: the caller held the interpreter's lock; `is_own`: the object is of the type that publishes the table.
Call = collections.namedtuple("Call", "name attached is_own has_set_error", defaults=(True, True))


class Recorder:
    """Answers for the functions of one table, and records their calls."""

    def __init__(self, native, fails=False):
        self.native = native
        self.fails = fails  # its exports and loans
        self.kind = None  # the type that publishes the table
        self.calls = []

    def allocate(self, dtype, shape, device, has_set_error, attached):
        self.calls.append(Call(tables.ALLOCATE, bool(attached), has_set_error=bool(has_set_error)))
        if dtype != (2, 32, 1) or device != (1, 0):
            raise BufferError("float32 in host memory is all that is allocated here")
        strides = elements.row_major(shape)
        size = 4
        for extent in shape:
            size *= extent
        return self.native.Offer("float32", shape, strides=strides, contents=bytes(size), null_data=not size).capsule()

    def export(self, source, attached):
        self.calls.append(Call(tables.EXPORT, bool(attached), type(source) is self.kind))
        if self.fails:
            raise BufferError("this tensor is not exported by the table")
        return source.export()

    def import_(self, capsule, attached):
        self.calls.append(Call(tables.IMPORT, bool(attached)))
        raise BufferError("nothing is imported here")

    def borrow(self, source, attached):
        self.calls.append(Call(tables.BORROW, bool(attached), type(source) is self.kind))
        if self.fails:
            raise BufferError("this tensor is not lent by the table")
        return source.lend()

    def stream(self, device_type, device_id, attached):
        self.calls.append(Call(tables.STREAM, bool(attached)))


class TableSource(Source):
    """An exporter with both ways; that of its table gives versioned tensors without being asked."""

    def __init__(self, trial, **changes):
        super().__init__(trial, **changes)
        self._lent = []

    def export(self):
        return self._hand_over(self._offer("versioned"))

    def lend(self):
        """A capsule that stays here, whose DLTensor is lent."""
        self._lent.append(self._offer("versioned").capsule())
        return self._lent[-1]

    def end_loan(self):
        """What was lent goes, as when control is back at its owner."""
        self._lent.clear()


_kinds = {}  # tables live as long as the process, and so do their types


_VERSIONS = {"major-2": (2, 0), "older-major": (3, 0), "minor-99": (1, 99)}


def read_only(address):
    """The address of a copy of a table in a page that nobody may write to."""
    page = mmap.mmap(-1, mmap.PAGESIZE)
    page.write(ctypes.string_at(address, tables.SIZE))
    place = ctypes.addressof(ctypes.c_char.from_buffer(page))
    protect = ctypes.CDLL(None, use_errno=True)["mprotect"]
    protect.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int]
    if protect(place, mmap.PAGESIZE, mmap.PROT_READ) != 0:
        raise OSError(ctypes.get_errno(), "no page can be protected")
    _pages.append(page)
    return place


_pages = []  # with them the tables


def _make(native, name):
    """(type of the sources, recorders of its table and of the older ones)."""
    recorders = [Recorder(native, name == "fails")]
    previous = 0
    for each in ((2, 0),) if name == "older-major" else ():
        recorders.append(Recorder(native))
        previous = read_only(native.api_table(recorders[-1], each, previous))
    address = native.api_table(recorders[0], _VERSIONS.get(name, (1, 3)), previous)
    if name == "no-dltensor":
        ctypes.c_uint64.from_address(address + _BORROW_PLACE).value = 0
    address = read_only(address)
    capsule = native.api_publish(address)
    published = {"instance": {}, "older-name": {tables.OLD_NAME: address}}.get(name, {tables.NAME: capsule})
    kind = type("Source_" + name.replace("-", "_"), (TableSource,), published)
    if name == "subclass":
        kind = type("Derived", (kind,), {})
    for recorder in recorders:
        recorder.kind = kind
    return kind, recorders, capsule


def source_of(trial, name, **changes):
    """(source, recorders): a new source of the kind with this name, whose recorders have recorded nothing."""
    if name not in _kinds:
        _kinds[name] = _make(trial.native, name)
    kind, recorders, capsule = _kinds[name]
    for recorder in recorders:
        recorder.calls.clear()
    source = kind(trial, **changes)
    if name == "instance":
        setattr(source, tables.NAME, capsule)
    return source, recorders
