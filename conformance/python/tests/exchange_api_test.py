"""The C exchange API: calls of a table's functions, tables that ask Python, and the table of dlspec's own tensor."""

import ctypes
import gc
import struct
import unittest

import dlspec
from dlspec import _native
from sources import offer

NAME = "__dlpack_c_exchange_api__"
FLOAT32 = (2, 32, 1)
HOST = (1, 0)


def functions(table):
    """(version, previous, the five functions) of a table."""
    major, minor, previous, *five = struct.unpack("=IIQ5Q", ctypes.string_at(table, 56))
    return (major, minor), previous, five


class Answers:
    """A handler that records what it is asked."""

    def __init__(self, error=None):
        self.error = error
        self.asked = []

    def _answer(self, name, *arguments):
        self.asked.append((name, *arguments))
        if self.error:
            raise self.error
        return offer().capsule()

    def allocate(self, dtype, shape, device, has_set_error, attached):
        return self._answer("allocate", dtype, shape, device, has_set_error, attached)

    def export(self, source, attached):
        return self._answer("export", source, attached)

    def import_(self, capsule, attached):
        self._answer("import", attached)
        return dlspec.from_dlpack(Held(capsule))

    def borrow(self, source, attached):
        self.lent = self._answer("borrow", source, attached)
        return self.lent

    def stream(self, device_type, device_id, attached):
        self._answer("stream", device_type, device_id, attached)
        return 5


class Held:
    """An exporter of one capsule."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return HOST


class Asking(unittest.TestCase):
    """Tables whose functions ask a Python object."""

    def test_header_and_chain(self):
        older = _native.api_table(Answers(), (1, 2))
        version, previous, five = functions(_native.api_table(Answers(), (1, 3), older))
        self.assertEqual((version, previous), ((1, 3), older))
        self.assertEqual(len(set(five)), 5)
        self.assertNotIn(0, five)

    def test_two_tables_have_functions_of_their_own(self):
        first, second = (functions(_native.api_table(Answers()))[2] for _ in range(2))
        self.assertFalse(set(first) & set(second))

    def test_every_function_asks(self):
        answers = Answers()
        allocate, export, _, borrow, stream = functions(_native.api_table(answers))[2]
        facts = _native.api_allocate(allocate, FLOAT32, (3, 4), HOST, (0, 0, 0))
        self.assertEqual((facts["status"], facts["errors"], facts["altered"]), (0, [], False))
        self.assertEqual(_native.look(facts["capsule"])["generation"], "versioned")
        self.assertEqual(_native.look(_native.api_export(export, 7)["capsule"])["shape"], (3, 4))
        self.assertEqual(len(_native.api_borrow(borrow, 8, 0xAA)["raw"]), 48)
        self.assertEqual(_native.api_stream(stream, HOST, 9)["stream"], 5)
        wanted = [("allocate", FLOAT32, (3, 4), HOST, 1, 1), ("export", 7, 1), ("borrow", 8, 1), ("stream", 1, 0, 1)]
        self.assertEqual(answers.asked, wanted)

    def test_the_lock_is_seen(self):
        answers = Answers()
        allocate, *_, stream = functions(_native.api_table(answers))[2]
        _native.api_allocate(allocate, FLOAT32, (3,), HOST, (0, 0, 0), attached=False)
        _native.api_stream(stream, HOST, 9, attached=False)
        self.assertEqual([each[-1] for each in answers.asked], [0, 0])

    def test_failures_leave_an_exception_but_for_the_allocator(self):
        allocate, export, to, borrow, stream = functions(_native.api_table(Answers(BufferError("no"))))[2]
        capsule = offer().capsule()
        watch, (_, address) = _native.watch(capsule), _native.locate(capsule)
        watch.take()
        for facts in (
            _native.api_export(export, 7),
            _native.api_borrow(borrow, 8, 0),
            _native.api_import(to, address),
            _native.api_stream(stream, HOST, 9),
        ):
            self.assertEqual((facts["status"], repr(facts["error"]), facts["threw"]), (-1, "BufferError('no')", ""))
        self.assertEqual(watch.calls, 0)  # after a failure the tensor is the caller's
        watch.release()
        facts = _native.api_allocate(allocate, FLOAT32, (3,), HOST, (0, 0, 0))
        self.assertEqual((facts["status"], facts["error"]), (-1, None))
        self.assertEqual(facts["errors"], [("BufferError", "no", True)])

    def test_capsules_tell_name_pointer_and_destructor(self):
        table = _native.api_table(Answers())
        self.assertEqual(_native.api_capsule(_native.api_publish(table)), ("dlpack_exchange_api", table, False))
        self.assertEqual(_native.api_capsule(_native.api_publish(table, "x", True)), ("x", table, True))
        self.assertIsNone(_native.api_capsule(table))


class Model(unittest.TestCase):
    """The table of dlspec.Tensor."""

    def setUp(self):
        _, table, _ = _native.api_capsule(getattr(dlspec.Tensor, NAME))
        self.version, self.previous, five = functions(table)
        self.allocate, self.export, self.to, self.borrow, self.stream = five
        self.tensor = dlspec.tensor(bytes(range(48)), "float32", (3, 4))

    def test_header(self):
        self.assertEqual((self.version, self.previous), ((1, 3), 0))

    def test_an_export_outlives_its_tensor_and_is_the_same_as_by_dlpack(self):
        capsule = _native.api_export(self.export, self.tensor)["capsule"]
        self.assertEqual(
            _native.look(capsule)["data"], _native.look(self.tensor.__dlpack__(max_version=(1, 3)))["data"]
        )
        self.tensor = None
        gc.collect()
        self.assertEqual(_native.contents(capsule), bytes(range(48)))

    def test_read_only_goes_along(self):
        frozen = dlspec.tensor(bytes(4), "float32", (), readonly=True)
        self.assertEqual(_native.look(_native.api_export(self.export, frozen)["capsule"])["flags"], 1)

    def test_a_loan_is_filled_in_and_lies_in_the_tensor(self):
        raw = [_native.api_borrow(self.borrow, self.tensor, fill)["raw"] for fill in (0, 0xFF)]
        self.assertEqual(raw[0], raw[1])
        self.assertEqual(_native.look(_native.api_wrap(raw[0]))["strides"], (4, 1))

    def test_an_import_takes_the_tensor_over(self):
        source = offer()
        capsule = source.capsule()
        _, address = _native.locate(capsule)
        _native.watch(capsule).take()
        made = _native.api_import(self.to, address)["object"]
        self.assertIs(type(made), dlspec.Tensor)
        self.assertEqual(source.live_exports, 1)
        del made
        self.assertEqual((source.live_exports, source.deleter_calls), (0, 1))

    def test_what_cannot_be_imported_stays_the_callers(self):
        for changes in ({"version": (2, 0)}, {"code": 200}):
            source = offer(**changes)
            capsule = source.capsule()
            watch, (_, address) = _native.watch(capsule), _native.locate(capsule)
            watch.take()
            facts = _native.api_import(self.to, address)
            self.assertEqual((facts["status"], type(facts["error"])), (-1, BufferError))
            self.assertEqual(source.deleter_calls, 0)
            watch.release()

    def test_other_objects_are_refused(self):
        for facts in (_native.api_export(self.export, 7), _native.api_borrow(self.borrow, 7, 0)):
            self.assertEqual((facts["status"], type(facts["error"])), (-1, TypeError))

    def test_the_allocator_reads_four_members(self):
        page = _native.api_untouchable()
        facts = _native.api_allocate(self.allocate, FLOAT32, (3, 4), HOST, (page, page, 1 << 40))
        look = _native.look(facts["capsule"])
        self.assertEqual((look["shape"], look["strides"], look["byte_offset"]), ((3, 4), (4, 1), 0))

    def test_the_allocator_reports_what_it_cannot_make(self):
        for dtype, shape, device in (
            (FLOAT32, (1 << 40, 1 << 20), HOST),
            (FLOAT32, (-3,), HOST),
            (FLOAT32, (3,), (2, 0)),
            ((200, 32, 1), (3,), HOST),
        ):
            facts = _native.api_allocate(self.allocate, dtype, shape, device, (0, 0, 0))
            self.assertEqual((facts["status"], facts["capsule"], len(facts["errors"])), (-1, None, 1))

    def test_the_allocator_needs_no_lock(self):
        facts = _native.api_allocate(self.allocate, FLOAT32, (3, 4), HOST, (0, 0, 0), attached=False)
        self.assertEqual((facts["status"], facts["errors"]), (0, []))

    def test_the_host_has_no_stream(self):
        self.assertEqual(_native.api_stream(self.stream, HOST, 9)["stream"], 0)
        self.assertIsInstance(_native.api_stream(self.stream, (99, 0), 9)["error"], BufferError)


if __name__ == "__main__":
    unittest.main()
