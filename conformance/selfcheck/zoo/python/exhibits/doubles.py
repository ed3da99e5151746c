"""The test doubles of the zoo: a clean producer and a clean consumer, and what their faulty descendants need.

A test double keeps every rule, but for the fault that it is given by name or that a derived class puts into one member.
"""

from exhibits.double_consumer import AnyImport, Consumer, Import, Importing, Library
from exhibits.double_fixtures import KEPT, Taken, faulty_code, keep, make_offer, native, row_major, set_deleter
from exhibits.double_producer import Array, Device, Producer, Refused

__all__ = [
    "KEPT",
    "AnyImport",
    "Array",
    "Consumer",
    "Device",
    "Import",
    "Importing",
    "Library",
    "Producer",
    "Refused",
    "Taken",
    "faulty_code",
    "keep",
    "make_offer",
    "native",
    "row_major",
    "set_deleter",
]
