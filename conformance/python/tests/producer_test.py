"""dlspec.Tensor as a producer: every keyword in every combination, every dtype, every kind of layout."""

import itertools
import unittest

import dlspec
import sources
from dlspec import _native
from sources import NUMPY_DTYPES

FLAGS = _native.vocabulary()["flags"]
READ_ONLY, IS_COPIED = FLAGS["DLPACK_FLAG_BITMASK_READ_ONLY"], FLAGS["DLPACK_FLAG_BITMASK_IS_COPIED"]
ABSENT = object()

DTYPES = [
    *NUMPY_DTYPES,
    *("bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz"),
    *("float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"),
    *("int4", "uint1", "float32x4", "int4x3"),
]

LAYOUTS = [
    ((3, 4), None, 0),
    ((3, 4), (1, 3), 0),
    ((3, 4), (10, 2), 0),
    ((3, 4), (4, 1), 5),
    ((3, 4), (-4, -1), 11),
    ((5,), (-1,), 4),
    ((2, 3, 4), (1, 8, 2), 0),
    ((3, 0), None, 0),
    ((2, 0, 3), (3, 3, 1), 0),
    ((), None, 0),
    ((), (), 3),
    ((1, 4, 1), (77, 1, -5), 0),
    ((2, 1, 2, 1, 2, 1, 2, 1), None, 0),
]


def tensor(dtype="float32", shape=(3, 4), strides=None, offset=0, readonly=False):
    return dlspec.tensor(sources.numbered(dtype, shape), dtype, shape, strides, offset, readonly)


def failures(capsule, **origin):
    return [found for found in _native.validate(capsule, origin) if found["verdict"] in ("fail", "warn")]


class Keywords(unittest.TestCase):
    COMBINATIONS = itertools.product(
        [ABSENT, None],
        [ABSENT, None, (0, 8), (1, 0), (1, 3), (1, 99), (2, 0), (100, 3)],
        [ABSENT, None, (1, 0)],
        [ABSENT, None, False, True],
        [False, True],
    )

    def test_every_combination(self):
        for stream, max_version, dl_device, copy, readonly in self.COMBINATIONS:
            keywords = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
            keywords = {name: value for name, value in keywords.items() if value is not ABSENT}
            with self.subTest(readonly=readonly, **keywords):
                self.check(keywords, readonly)

    def check(self, keywords, readonly):
        made = tensor(readonly=readonly)
        asked = keywords.get("max_version")
        versioned = asked is not None and asked[0] >= 1
        copied = keywords.get("copy") is True
        if readonly and not versioned and not copied:
            with self.assertRaises(BufferError):
                made.__dlpack__(**keywords)
            return
        capsule = made.__dlpack__(**keywords)
        facts = _native.look(capsule)
        self.assertEqual(facts["name"], "dltensor_versioned" if versioned else "dltensor")
        self.assertEqual(_native.contents(capsule), made.tobytes())
        if versioned:
            self.assertEqual(facts["version"], (1, 3))
            self.assertEqual(facts["flags"], IS_COPIED if copied else READ_ONLY if readonly else 0)
        shared = _native.look(made.__dlpack__(max_version=(1, 3)))["data"] == facts["data"]
        self.assertEqual(shared, not copied)
        self.assertEqual(failures(capsule, dtype="float32", shape=(3, 4), read_only=readonly, copied=copied), [])

    def test_a_copy_is_exclusive_and_writable(self):
        made = tensor(readonly=True)
        before = made.tobytes()
        first, second = (made.__dlpack__(max_version=(1, 3), copy=True) for _ in range(2))
        _native.overwrite(first, bytes(48))
        self.assertEqual(_native.contents(first), bytes(48))
        self.assertEqual(_native.contents(second), before)
        self.assertEqual(made.tobytes(), before)

    def test_a_share_is_seen_on_both_sides(self):
        made = tensor()
        capsule = made.__dlpack__(max_version=(1, 3), copy=False)
        _native.overwrite(capsule, bytes(48))
        self.assertEqual(made.tobytes(), bytes(48))

    def test_refusals(self):
        made = tensor()
        for keywords, error in [
            ({"stream": 1}, ValueError),
            ({"stream": -1}, ValueError),
            ({"stream": 0}, ValueError),
            ({"dl_device": (99, 0)}, BufferError),
            ({"dl_device": (2, 0)}, BufferError),
            ({"dl_device": (1, 1)}, BufferError),
            ({"dl_device": 1}, TypeError),
            ({"dl_device": (1,)}, TypeError),
            ({"max_version": 1}, TypeError),
            ({"max_version": (1,)}, TypeError),
            ({"max_version": ("1", "0")}, TypeError),
            ({"bogus": 1}, TypeError),
        ]:
            with self.subTest(**keywords), self.assertRaises(error):
                made.__dlpack__(**keywords)
        with self.assertRaises(TypeError):
            made.__dlpack__(None)

    def test_padding_is_kept_or_refused(self):
        offered = sources.offer("int4", (3,), (1,), flags=4)
        padded = dlspec.from_dlpack(sources.Source(offered))
        self.assertEqual(padded.tobytes(), offered.contents())
        self.assertEqual(_native.look(padded.__dlpack__(max_version=(1, 3)))["flags"], 4)
        with self.assertRaises(BufferError):
            padded.__dlpack__()
        packed = padded.__dlpack__(max_version=(1, 3), copy=True)
        self.assertEqual(_native.look(packed)["flags"], IS_COPIED)
        self.assertEqual(_native.contents(packed), offered.contents())


class Layouts(unittest.TestCase):
    def test_every_dtype_in_every_layout(self):
        for dtype, (shape, strides, offset) in itertools.product(DTYPES, LAYOUTS):
            if offset * sources.bits_of(dtype) % 8:
                continue  # byte_offset counts whole bytes
            with self.subTest(dtype=dtype, shape=shape, strides=strides, offset=offset):
                self.check(dtype, shape, strides, offset)

    def check(self, dtype, shape, strides, offset):
        made = tensor(dtype, shape, strides, offset)
        contents = sources.numbered(dtype, shape)
        self.assertEqual(made.tobytes(), contents)
        self.assertEqual((made.dtype, made.shape, made.ndim, made.nbytes), (dtype, shape, len(shape), len(contents)))
        if strides is not None:
            self.assertEqual(made.strides, strides)
        known = {"dtype": dtype, "shape": shape}
        if strides is not None:
            known["strides"] = strides
        for keywords in ({}, {"max_version": (1, 3)}, {"max_version": (1, 3), "copy": True}):
            capsule = made.__dlpack__(**keywords)
            self.assertEqual(failures(capsule, **(known if "copy" not in keywords else {})), [])
            self.assertEqual(_native.contents(capsule), contents)

    def test_elements_that_share_bytes(self):
        made = dlspec.tensor(bytes([1, 2, 1, 2]), "uint8", (2, 2), (0, 1))
        self.assertEqual(made.tobytes(), bytes([1, 2, 1, 2]))
        made.overwrite(bytes([3, 4, 3, 4]))
        self.assertEqual(made.tobytes(), bytes([3, 4, 3, 4]))

    def test_repr_is_the_one_line_form(self):
        made = tensor(strides=(8, -1), shape=(3, 4), offset=7, readonly=True)
        self.assertEqual(repr(made), "float32 (3,4):(8,-1)+7 @cpu v1.3 ro")
        self.assertEqual(repr(tensor(shape=())), "float32 () @cpu v1.3")

    def test_device(self):
        self.assertEqual(tensor().__dlpack_device__(), (1, 0))
        self.assertEqual(tensor().device, (1, 0))


class Making(unittest.TestCase):
    def test_refusals(self):
        for arguments, error in [
            ((bytes(4), "float32", (2,)), ValueError),
            ((bytes(8), "float33", (2,)), ValueError),
            ((bytes(8), "float32", (-2,)), ValueError),
            ((bytes(8), "float32", (2,), (1, 1)), ValueError),
            ((bytes(8), "float32", (2,), (-1,)), ValueError),
            ((bytes(8), "float32", (2,), (1 << 40,)), ValueError),
            ((bytes(8), "float32", (2,), (1 << 70,)), ValueError),
            ((bytes(1), "int4", (2,), (1,), 1), ValueError),
            ((bytes(8), "float32", (2,), None, -1), ValueError),
            (("text", "float32", (2,)), TypeError),
            ((bytes(8), 32, (2,)), TypeError),
            ((bytes(8), "float32", 2), TypeError),
        ]:
            with self.subTest(arguments=arguments), self.assertRaises(error):
                dlspec.tensor(*arguments)

    def test_a_read_only_tensor_is_not_written(self):
        made = tensor(readonly=True)
        with self.assertRaises(ValueError):
            made.overwrite(bytes(48))
        self.assertTrue(made.readonly)
        self.assertFalse(made.copy().readonly)

    def test_contents_of_another_length_are_not_written(self):
        with self.assertRaises(ValueError):
            tensor().overwrite(bytes(47))

    def test_only_functions_make_tensors(self):
        for kind in (dlspec.Tensor, _native.Watch):
            with self.assertRaises(TypeError):
                kind()


if __name__ == "__main__":
    unittest.main()
