"""Exchange tables read from memory: chains of older tables, and where a type publishes its table."""

import ctypes
import struct
import unittest

import testing  # noqa: F401
from dlspec_worker.channel import loading
from dlspec_worker.exchange_api import detached, tables

NATIVE = loading.load_native(testing.NATIVE) if testing.NATIVE else None


def table(version=(1, 3), previous=0):
    """A table in memory that stays."""
    raw = ctypes.create_string_buffer(struct.pack("=IIQ5Q", *version, previous, 1, 2, 3, 0, 5), 56)
    KEPT.append(raw)
    return ctypes.addressof(raw)


KEPT = []


class Reading(unittest.TestCase):
    def test_members(self):
        found = tables.read(table((1, 2), 64))
        self.assertEqual((found.version, found.previous), ((1, 2), 64))
        self.assertEqual(list(found.functions.values()), [1, 2, 3, 0, 5])

    def test_nothing_is_read_where_nothing_is(self):
        for address in (0, 8, 4, table() + 4, 1 << 62):
            self.assertIsNone(tables.read(address), address)

    def test_a_chain_ends_at_null(self):
        oldest = table((1, 2))
        self.assertEqual(tables.chain(tables.read(table((2, 0), oldest))), ([((1, 2), oldest)], None))

    def test_chains_that_lead_nowhere(self):
        circle = table((1, 2))
        struct.pack_into("=Q", KEPT[-1], 8, circle)
        for previous, words in ((8, "cannot be read"), (circle, "leads back"), (circle + 4, "cannot be read")):
            self.assertIn(words, tables.chain(tables.read(table(previous=previous)))[1])
        long = 0
        for _ in range(tables.LONGEST_CHAIN + 2):
            long = table((1, 2), long)
        self.assertIn("more than 16", tables.chain(tables.read(long))[1])

    def test_the_table_of_the_known_major_is_used(self):
        known = table((1, 3))
        self.assertEqual(tables.usable(tables.read(known)).address, known)
        self.assertEqual(tables.usable(tables.read(table((2, 0), known))).address, known)
        self.assertIsNone(tables.usable(tables.read(table((2, 0)))))
        self.assertIsNone(tables.usable(None))


@unittest.skipUnless(NATIVE, "needs the extension")
class Publishing(unittest.TestCase):
    def test_capsule_integer_and_property(self):
        place = table()
        capsule = NATIVE.api_publish(place)
        kinds = {
            "capsule": type("Kind", (), {tables.NAME: capsule}),
            "integer": type("Kind", (), {tables.NAME: place}),
            "property": type("Kind", (), {tables.NAME: property(lambda self: capsule)}),
            "none": type("Kind", (), {}),
        }
        found = {name: tables.Published(NATIVE, kind(), tables.NAME) for name, kind in kinds.items()}
        shown = {name: (each.exists, each.is_on_type, each.address) for name, each in found.items()}
        self.assertEqual(
            shown,
            {
                "capsule": (True, True, place),
                "integer": (True, True, place),
                "property": (True, False, place),
                "none": (False, False, None),
            },
        )

    def test_the_newer_name_comes_first(self):
        kind = type("Kind", (), {tables.OLD_NAME: table()})
        self.assertEqual(tables.published(NATIVE, kind()).name, tables.OLD_NAME)
        kind = type("Kind", (kind,), {tables.NAME: NATIVE.api_publish(table())})
        self.assertEqual(tables.published(NATIVE, kind()).name, tables.NAME)


class Detached(unittest.TestCase):
    def test_ends(self):
        self.assertEqual(detached.end_of(lambda: True), "")
        self.assertEqual(detached.end_of(lambda: False), "it failed")
        self.assertEqual(detached.end_of(lambda: 1 // 0), "it raised")
        self.assertEqual(detached.end_of(lambda: ctypes.string_at(8)), "it died of SIGSEGV")


if __name__ == "__main__":
    unittest.main()
