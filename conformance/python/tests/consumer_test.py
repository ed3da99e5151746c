"""dlspec.from_dlpack as a consumer: its keywords, what it imports, what it refuses, and the release afterwards."""

import gc
import unittest

import dlspec
from dlspec import _native
from sources import CPU, OldSource, Source, numbered, offer


class Asking(unittest.TestCase):
    def test_sends_what_was_asked_for_and_no_more(self):
        for keywords, sent in [
            ({}, {}),
            ({"device": None, "copy": None}, {}),
            ({"copy": False}, {"copy": False}),
            ({"copy": True}, {"copy": True}),
            ({"device": (1, 0)}, {"dl_device": (1, 0)}),
            ({"device": "cpu"}, {"dl_device": (1, 0)}),
        ]:
            source = Source(offer())
            dlspec.from_dlpack(source, **keywords)
            self.assertEqual(source.calls, [{"max_version": (1, 3), **sent}])

    def test_needs_both_methods(self):
        class Half:
            def __dlpack__(self, **keywords):
                raise AssertionError("not to be called")

        for thing in (object(), Half()):
            with self.assertRaises(AttributeError):
                dlspec.from_dlpack(thing)

    def test_errors_of_the_exporter_pass_through(self):
        class Mine(Exception):
            pass

        class Violated(Source):
            def __dlpack__(self, **keywords):
                raise Mine

        with self.assertRaises(Mine):
            dlspec.from_dlpack(Violated(offer()))

    def test_asks_old_exporters_in_their_way(self):
        for generation in ("legacy", "versioned"):
            source = OldSource(offer(generation=generation))
            self.assertEqual(dlspec.from_dlpack(source).tobytes(), source.offer.contents())
            self.assertEqual(source.calls, [{}])

    def test_copies_for_old_exporters(self):
        source = OldSource(offer(generation="legacy"))
        copy = dlspec.from_dlpack(source, copy=True)
        copy.overwrite(bytes(48))
        self.assertEqual(source.offer.contents(), numbered("float32", (3, 4)))
        self.assertEqual(source.offer.live_exports, 0)

    def test_no_promise_without_the_keyword(self):
        source = OldSource(offer())
        with self.assertRaises(BufferError):
            dlspec.from_dlpack(source, copy=False)
        with self.assertRaises(BufferError):
            dlspec.from_dlpack(source, device=(2, 0))
        self.assertEqual(dlspec.from_dlpack(source, device=(1, 0)).device, CPU)

    def test_a_type_error_for_another_reason_is_not_hidden(self):
        class Violated(Source):
            def __dlpack__(self, **keywords):
                raise TypeError("my own fault")

        with self.assertRaisesRegex(TypeError, "my own fault"):
            dlspec.from_dlpack(Violated(offer()))

    def test_the_result_lies_where_it_was_asked_for(self):
        with self.assertRaises(BufferError):
            dlspec.from_dlpack(Source(offer()), device=(2, 0))
        with self.assertRaises(ValueError):
            dlspec.from_dlpack(Source(offer()), device="nowhere")


class Taking(unittest.TestCase):
    def taken(self, offered, **keywords):
        source = Source(offered)
        tensor = dlspec.from_dlpack(source, **keywords)
        self.assertEqual(offered.released_capsules, 0)
        self.assertEqual((offered.deleter_calls, offered.live_exports), (0, 1))
        return tensor

    def check(self, offered):
        tensor = self.taken(offered)
        contents = offered.contents()
        self.assertEqual(tensor.tobytes(), contents)
        capsule = tensor.__dlpack__(max_version=(1, 3))
        del tensor
        gc.collect()
        self.assertEqual(offered.live_exports, 1, "the unconsumed capsule needs it")
        self.assertEqual(_native.contents(capsule), contents)
        del capsule
        self.assertEqual((offered.deleter_calls, offered.live_exports), (1, 0))
        self.assertEqual((offered.repeated_calls, offered.wrong_self, offered.late_writes), (0, 0, 0))
        self.assertTrue(offered.struct_intact())
        self.assertTrue(offered.memory_intact())

    def test_layouts(self):
        for keywords in [
            {},
            {"strides": (1, 3)},
            {"strides": (10, 2), "byte_offset": 20},
            {"strides": (-4, -1), "byte_offset": 44},
            {"strides": (-4, -1)},
            {"strides": None, "generation": "legacy"},
            {"strides": None, "version": (1, 0)},
            {"strides": None},  # 1.3 requires strides, but NULL has only one meaning
            {"shape": (), "strides": ()},
            {"shape": (), "strides": None, "null_shape": True},
            {"shape": (3, 0), "strides": (1, 1), "null_data": True},
            {"shape": (3, 0), "strides": (1, 1)},
            {"shape": (1, 4, 1), "strides": (77, 1, -5)},
            {"dtype": "int4", "shape": (3,), "strides": (1,)},
            {"dtype": "int4", "shape": (3,), "strides": (1,), "flags": 4},
            {"version": (1, 99)},
            {"generation": "legacy"},
        ]:
            with self.subTest(**keywords):
                self.check(offer(**keywords))

    def test_shares_memory(self):
        offered = offer()
        tensor = self.taken(offered)
        tensor.overwrite(bytes(48))
        self.assertEqual(offered.contents(), bytes(48))
        capsule = tensor.__dlpack__(max_version=(1, 3))
        self.assertEqual(_native.look(capsule)["data"], offered.data_address)

    def test_keeps_read_only(self):
        tensor = self.taken(offer(flags=1))
        self.assertTrue(tensor.readonly)
        with self.assertRaises(ValueError):
            tensor.overwrite(bytes(48))
        self.assertEqual(_native.look(tensor.__dlpack__(max_version=(1, 3)))["flags"], 1)
        with self.assertRaises(BufferError):
            tensor.__dlpack__()

    def test_what_was_copied_for_us_is_shared_with_others(self):
        tensor = self.taken(offer(flags=2))
        self.assertEqual(_native.look(tensor.__dlpack__(max_version=(1, 3)))["flags"], 0)

    def test_a_null_deleter_is_not_called(self):
        offered = offer(null_deleter=True)
        tensor = dlspec.from_dlpack(Source(offered))
        del tensor
        self.assertEqual(offered.deleter_calls, 0)

    def test_memory_of_other_devices_is_not_touched(self):
        tensor = dlspec.from_dlpack(Source(offer(device=(2, 1)), device=(2, 1)))
        self.assertEqual((tensor.device, tensor.shape), ((2, 1), (3, 4)))
        self.assertEqual(repr(tensor), "float32 (3,4):(4,1) @cuda:1 v1.3")
        for touch in (tensor.tobytes, tensor.copy, lambda: tensor.overwrite(bytes(48))):
            with self.assertRaises(BufferError):
                touch()
        with self.assertRaises(BufferError):
            tensor.__dlpack__(copy=True)
        self.assertEqual(tensor.__dlpack_device__(), (2, 1))
        self.assertEqual(_native.look(tensor.__dlpack__(max_version=(1, 3)))["device"], (2, 1))


class Refusing(unittest.TestCase):
    def refused(self, offered, name=None, error=BufferError):
        with self.assertRaises(error) as caught:
            dlspec.from_dlpack(Source(offered, name=name))
        caught.exception.__traceback__ = None
        gc.collect()
        return str(caught.exception)

    def test_what_cannot_be_interpreted_is_left_to_its_capsule(self):
        for keywords in [
            {"code": 99},
            {"code": 99, "version": (1, 99)},
            {"device": (99, 0)},
            {"device": (99, 0), "version": (1, 99)},
            {"lanes": 0},
            {"bits": 0},
            {"bits": 13, "code": 0},
            {"code": 3},
            {"ndim": -1},
            {"ndim": 1 << 30},
            {"null_shape": True},
            {"null_data": True},
            {"flags": 8},
        ]:
            for generation in ("versioned", "legacy"):
                if generation == "legacy" and not {"flags", "version"}.isdisjoint(keywords):
                    continue
                with self.subTest(generation=generation, **keywords):
                    offered = offer(generation=generation, **keywords)
                    self.refused(offered)
                    self.assertEqual((offered.deleter_calls, offered.released_capsules), (1, 1))
                    self.assertTrue(offered.struct_intact())

    def test_a_foreign_major_is_released_at_once(self):
        for version in ((2, 0), (0, 8), (1 << 31, 0)):
            offered = offer(version=version)
            self.assertRegex(self.refused(offered), f"DLPack {version[0]}[.]{version[1]}")
            self.assertEqual((offered.deleter_calls, offered.released_capsules), (1, 0))

    def test_names(self):
        for name in ("used_dltensor_versioned", "used_dltensor", "numpy_dltensor", "", "dltensor_versioned "):
            offered = offer()
            self.refused(offered, name=name)
            self.assertEqual(offered.deleter_calls, 0 if name.startswith("used_") else 1)

    def test_no_capsule_at_all(self):
        class Liar(Source):
            def __dlpack__(self, **keywords):
                return 42

        with self.assertRaises(TypeError):
            dlspec.from_dlpack(Liar(offer()))

    def test_one_capsule_is_consumed_once(self):
        offered = offer()
        held = [offered.capsule()]

        class Repeating(Source):
            def __dlpack__(self, **keywords):
                return held[0]

        tensor = dlspec.from_dlpack(Repeating(offered))
        self.assertEqual(_native.look(held[0])["name"], "used_dltensor_versioned")
        with self.assertRaises(BufferError):
            dlspec.from_dlpack(Repeating(offered))
        held.clear()
        del Repeating
        gc.collect()
        self.assertEqual(offered.deleter_calls, 0)
        del tensor
        self.assertEqual(offered.deleter_calls, 1)

    def test_the_capsule_of_a_legacy_tensor_is_renamed(self):
        capsule = offer(generation="legacy").capsule()
        _native.import_capsule(capsule)
        self.assertEqual(_native.look(capsule)["name"], "used_dltensor")


if __name__ == "__main__":
    unittest.main()
