"""Exchange tables read from memory: chains of older tables, and where a type publishes its table."""

import ctypes
import struct
import unittest

import testing  # noqa: F401
from dlspec_worker.channel import loading
from dlspec_worker.exchange_api import detached, tables
from dlspec_worker.imports import table_sources
from dlspec_worker.subject.library import Library

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
            "raises": type("Kind", (), {"__getattr__": lambda self, name: {}[name]}),
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
                "raises": (False, False, None),
            },
        )

    def test_the_newer_name_comes_first(self):
        kind = type("Kind", (), {tables.OLD_NAME: table()})
        self.assertEqual(tables.published(NATIVE, kind()).name, tables.OLD_NAME)
        kind = type("Kind", (kind,), {tables.NAME: NATIVE.api_publish(table())})
        self.assertEqual(tables.published(NATIVE, kind()).name, tables.NAME)


@unittest.skipUnless(NATIVE, "needs the extension")
class Calls(unittest.TestCase):
    """What a consumer calls of a table is told, in order."""

    def told(self, fault):
        from dlspec_worker import main
        from exhibits import doubles, exchange_consumers

        library = Library(exchange_consumers.TableConsumer(fault), "/nowhere/consumer.py")
        return main.judge(testing.make_case("consumer", "table"), library, doubles.native).get("table_calls")

    def test_functions_in_order(self):
        self.assertEqual(self.told(""), [tables.EXPORT])
        self.assertEqual(self.told("allocates"), [tables.ALLOCATE, tables.EXPORT])
        self.assertEqual(self.told("copies a loan"), [tables.BORROW])

    def test_nobody_is_told_of_who_calls_none(self):
        from dlspec_worker import main
        from exhibits import doubles

        library = Library(doubles.Consumer(), "/nowhere/consumer.py")
        self.assertNotIn("table_calls", main.judge(testing.make_case("consumer", "table"), library, doubles.native))


@unittest.skipUnless(NATIVE, "needs the extension")
class OfferedTables(unittest.TestCase):
    def test_nobody_can_write_to_one(self):
        place = table_sources.read_only(NATIVE.api_table(None))
        self.assertEqual(tables.read(place).version, (1, 3))
        end = detached.end_of(lambda: ctypes.memset(place, 0, 1))
        self.assertEqual(end, "it died of SIGSEGV")


class Detached(unittest.TestCase):
    def test_ends(self):
        self.assertEqual(detached.end_of(lambda: True), "")
        self.assertEqual(detached.end_of(lambda: False), "it failed")
        self.assertEqual(detached.end_of(lambda: 1 // 0), "it raised")
        self.assertEqual(detached.end_of(lambda: ctypes.string_at(8)), "it died of SIGSEGV")


if __name__ == "__main__":
    unittest.main()
