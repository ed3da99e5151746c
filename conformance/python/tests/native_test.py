"""The extension's tools: looking at capsules, findings, offers and watches, the channel."""

import ctypes
import json
import os
import socket
import threading
import unittest

from dlspec import _native
from sources import offer


def plain_capsule(name):
    """A capsule of a C string, which is no tensor."""
    api = ctypes.pythonapi
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p]
    return api.PyCapsule_New(b"no tensor", name, None)


class Looking(unittest.TestCase):
    def test_versioned(self):
        facts = _native.look(offer(strides=(10, 2), byte_offset=8, flags=1, version=(1, 2)).capsule())
        data = facts.pop("data")
        self.assertEqual(data % 256, 0)
        self.assertEqual(facts.pop("manager_ctx"), facts.pop("struct"))
        self.assertGreater(facts.pop("deleter"), 0)
        self.assertEqual(
            facts,
            {
                "name": "dltensor_versioned",
                "generation": "versioned",
                "has_destructor": True,
                "compiled_destructor": True,
                "version": (1, 2),
                "flags": 1,
                "device": (1, 0),
                "ndim": 2,
                "dtype": (2, 32, 1),
                "dtype_name": "float32",
                "shape": (3, 4),
                "strides": (10, 2),
                "byte_offset": 8,
                "null_deleter": False,
                "text": "float32 (3,4):(10,2)+2 @cpu v1.2 ro",
            },
        )

    def test_legacy(self):
        facts = _native.look(offer(generation="legacy", strides=None, null_deleter=True).capsule())
        self.assertEqual((facts["generation"], facts["version"], facts["flags"]), ("legacy", None, None))
        self.assertEqual((facts["strides"], facts["null_deleter"]), (None, True))

    def test_only_the_prefix_of_a_foreign_major(self):
        facts = _native.look(offer(version=(2, 7)).capsule())
        self.assertEqual((facts["version"], facts["flags"], facts["null_deleter"]), ((2, 7), 0, False))
        self.assertEqual((facts["shape"], facts["ndim"], facts["data"], facts["text"]), (None,) * 4)

    def test_no_shape_that_cannot_be_read(self):
        for keywords in ({"ndim": -1}, {"ndim": 65}, {"null_shape": True}):
            self.assertIsNone(_native.look(offer(**keywords).capsule())["shape"])

    def test_where_a_struct_lies(self):
        for generation, size in (("versioned", 80), ("legacy", 64)):
            capsule = offer(generation=generation).capsule()
            spoken, address = _native.locate(capsule)
            self.assertEqual(spoken, generation)
            raw = ctypes.string_at(address, size)
            data = int.from_bytes(raw[32:40] if generation == "versioned" else raw[:8], "little")
            self.assertEqual(data, _native.look(capsule)["data"])
        self.assertIsNone(_native.locate(plain_capsule(b"used_dltensor")))
        with self.assertRaises(TypeError):
            _native.locate(42)

    def test_what_is_never_destroyed(self):
        held = offer()
        _native.keep_forever(held.capsule())
        self.assertEqual((held.destructor_calls, held.live_exports), (0, 1))

    def test_other_names(self):
        for name in (b"used_dltensor", b"used_dltensor_versioned", b"dltensors", None):
            facts = _native.look(plain_capsule(name))
            self.assertEqual(facts["name"], None if name is None else name.decode())
            self.assertEqual((facts["generation"], facts["shape"], facts["has_destructor"]), (None, None, False))

    def test_misuse(self):
        for function in (_native.look, _native.validate, _native.contents, _native.watch, _native.import_capsule):
            with self.assertRaises(TypeError):
                function(42)
        for function in (_native.validate, _native.contents, _native.watch):
            with self.assertRaises(ValueError):
                function(plain_capsule(b"used_dltensor"))


class Judging(unittest.TestCase):
    def rules(self, capsule, origin=None):
        return {found["rule"]: found["verdict"] for found in _native.validate(capsule, origin)}

    def test_a_good_struct_has_no_finding(self):
        self.assertEqual(_native.validate(offer().capsule()), [])

    def test_a_finding_says_everything(self):
        (found,) = _native.validate(offer(ndim=-1).capsule())
        self.assertEqual(
            (found["rule"], found["verdict"], found["observed"]), ("tensor.ndim-nonnegative", "fail", "ndim = -1")
        )
        facts = _native.rule("tensor.ndim-nonnegative")
        for part in ("level", "source", "requirement", "title"):
            self.assertEqual(found[part], facts[part])
            self.assertTrue(found[part])

    def test_what_is_known_of_the_origin(self):
        capsule = offer().capsule()
        start = _native.look(capsule)["data"]
        for origin, rule in [
            ({"dtype": "int32", "shape": (3, 4)}, "dtype.truthful"),
            ({"dtype": "float32", "shape": (3, 5)}, "tensor.shape-truthful"),
            ({"read_only": True}, "flags.read-only-set"),
            ({"copied": True}, "flags.is-copied-set"),
            ({"allocation": (start, start + 40)}, "tensor.in-allocation"),
        ]:
            self.assertEqual(list(self.rules(capsule, origin)), [rule])
        good = {
            "dtype": "float32",
            "shape": [3, 4],
            "strides": None,
            "read_only": None,
            "copied": False,
            "padded": False,
            "allocation": (start, start + 48),
        }
        self.assertEqual(self.rules(capsule, good), {})

    def test_misuse(self):
        capsule = offer().capsule()
        for origin in ({"shape": (3, 4)}, {"colour": 1}):
            with self.assertRaises(ValueError):
                _native.validate(capsule, origin)
        with self.assertRaises(TypeError):
            _native.validate(capsule, [1])
        with self.assertRaises(ValueError):
            _native.rule("tensor.no-such-rule")

    def test_outcomes(self):
        asked = ["tensor.ndim-nonnegative", "tensor.shape-nonnull", "python.copy-true"]
        judged = _native.judge(offer(ndim=-1).capsule(), asked)
        self.assertEqual(judged["outcomes"]["tensor.ndim-nonnegative"]["outcome"], "violated")
        self.assertNotIn("python.copy-true", judged["outcomes"])
        self.assertFalse(judged["readable"])
        judged = _native.judge(offer().capsule(), asked)
        self.assertEqual(judged["outcomes"], {rule: {"outcome": "pass"} for rule in asked[:2]})
        self.assertTrue(judged["readable"])


class Contents(unittest.TestCase):
    def test_through_every_layout(self):
        for keywords in (
            {},
            {"strides": (1, 3)},
            {"strides": (-4, -1), "byte_offset": 44},
            {"generation": "legacy"},
            {"dtype": "int4", "shape": (3,), "strides": (2,)},
        ):
            offered = offer(**keywords)
            capsule = offered.capsule()
            self.assertEqual(_native.contents(capsule), offered.contents())
            _native.overwrite(capsule, bytes(len(offered.contents())))
            self.assertEqual(offered.contents(), bytes(len(offered.contents())))
            self.assertTrue(offered.memory_intact())

    def test_refusals(self):
        unreadable = [{"ndim": -1}, {"null_shape": True}, {"null_data": True}, {"version": (2, 0)}, {"device": (2, 0)}]
        for keywords in unreadable:
            with self.assertRaises(BufferError):
                _native.contents(offer(**keywords).capsule())
        with self.assertRaises(BufferError):
            _native.overwrite(offer().capsule(), bytes(47))


class Offering(unittest.TestCase):
    def test_counts(self):
        offered = offer()
        first, second = offered.capsule(), offered.capsule()
        self.assertEqual((offered.exports, offered.live_exports), (2, 2))
        del first
        self.assertEqual((offered.destructor_calls, offered.released_capsules, offered.deleter_calls), (1, 1, 1))
        watch = _native.watch(second)
        watch.take()
        del second
        self.assertEqual((offered.destructor_calls, offered.released_capsules, offered.deleter_calls), (2, 1, 1))
        watch.release()
        self.assertEqual((offered.deleter_calls, offered.live_exports), (2, 0))

    def test_capsules_outlive_their_offer(self):
        offered = offer()
        capsule, contents = offered.capsule(), offered.contents()
        del offered
        self.assertEqual(_native.contents(capsule), contents)

    def test_any_name(self):
        self.assertEqual(_native.look(offer().capsule(name="numpy_dltensor"))["name"], "numpy_dltensor")

    def test_misuse(self):
        for arguments, keywords, error in [
            (("float32", (3,)), {"contents": b""}, ValueError),
            (("floaty", (3,)), {}, ValueError),
            (("float32", (3,)), {"contents": bytes(12), "code": 256}, ValueError),
            (("float32", (3,)), {"contents": bytes(12), "version": (-1, 0)}, ValueError),
            (("float32", (3,)), {"contents": bytes(12), "generation": "bare"}, ValueError),
            (("float32", (3,)), {"contents": bytes(12), "byte_offset": -1}, ValueError),
            (("float32", (3,)), {"contents": bytearray(12)}, TypeError),
            (("float32", "345"), {"contents": bytes(12)}, TypeError),
        ]:
            with self.subTest(**keywords), self.assertRaises(error):
                _native.Offer(*arguments, **keywords)

    def test_misuse_of_watches(self):
        capsule = offer().capsule()
        watch = _native.watch(capsule)
        with self.assertRaises(ValueError):
            _native.watch(capsule)
        self.assertTrue(_native.look(capsule)["has_destructor"])
        watch.take()
        with self.assertRaises(ValueError):
            watch.take()
        del capsule
        with self.assertRaises(ValueError):
            watch.take()


class Channel(unittest.TestCase):
    """One per process, so all in one test."""

    def test_lines(self):
        ours, theirs = socket.socketpair()
        number = theirs.detach()
        _native.channel_open(number)
        with self.assertRaises(OSError):
            os.fstat(number)
        with self.assertRaises(ValueError):
            _native.channel_open(number)
        ours.sendall(b'{"a": 1}\n\n{"b"')
        self.assertEqual(_native.receive(), '{"a": 1}')
        self.assertEqual(_native.receive(), "")
        timer = threading.Timer(0.05, ours.sendall, [b": 2}\n"])
        timer.start()
        self.assertEqual(json.loads(_native.receive()), {"b": 2}, "others may run meanwhile")
        timer.join()
        _native.send("ä" * 100000)
        self.assertEqual(self.read_line(ours), "ä" * 100000)
        self.check_forked_child(ours)
        ours.close()
        self.assertIsNone(_native.receive())
        with self.assertRaises(OSError):
            _native.send("nobody there")

    def read_line(self, ours):
        with ours.dup() as copy, copy.makefile("r", encoding="utf-8") as lines:
            return lines.readline().rstrip("\n")

    def check_forked_child(self, ours):
        child = os.fork()
        if child == 0:
            try:
                _native.send("I am not the worker")
            except ValueError:
                os._exit(7)
            os._exit(0)
        self.assertEqual(os.WEXITSTATUS(os.waitpid(child, 0)[1]), 7)
        _native.send("still here")
        self.assertEqual(self.read_line(ours), "still here")


if __name__ == "__main__":
    unittest.main()
