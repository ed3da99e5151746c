"""The example engine with dlspec's own tensors: every layout, refusals, and nothing that is kept.

Usage: engine_test.py FOLDER_OF_THE_ENGINE
"""

import resource
import struct
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
import dlspec
import engine

LAYOUTS = (
    ((), None, 0),
    ((3,), None, 0),
    ((2, 3), (1, 2), 0),
    ((2, 3), (-3, 1), 3),
    ((2, 3), (0, 2), 1),
    ((0, 4), None, 0),
)


def floats(count):
    return struct.pack(f"{count}f", *range(1, count + 1))


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Engine(unittest.TestCase):
    def test_every_layout(self):
        for shape, strides, offset in LAYOUTS:
            with self.subTest(shape=shape, strides=strides):
                count = 1
                for extent in shape:
                    count *= extent
                # A stride of 0 shows one row twice.
                contents = floats(3) * 2 if strides and 0 in strides else floats(count)
                array = dlspec.tensor(contents, "float32", shape, strides=strides, offset=offset)
                result = engine.scaled(array, 2.0)
                self.assertIs(type(result), dlspec.Tensor)
                self.assertEqual(result.shape, array.shape)
                doubled = [2 * value for (value,) in struct.iter_unpack("f", array.tobytes())]
                self.assertEqual([value for (value,) in struct.iter_unpack("f", result.tobytes())], doubled)

    def test_refusals_are_exceptions(self):
        array = dlspec.tensor(struct.pack("3i", 1, 2, 3), "int32", (3,))
        before = sys.getrefcount(array)
        self.assertRaises(BufferError, engine.scaled, array, 2.0)
        self.assertEqual(sys.getrefcount(array), before)
        self.assertRaises(AttributeError, engine.scaled, [1.0], 2.0)

    def test_memory_is_released(self):
        count = 1 << 18  # 1 MiB, which the heap maps and unmaps by itself

        def scale(times):
            for _ in range(times):
                engine.scaled(dlspec.tensor(bytes(4 * count), "float32", (count,)), 2.0)

        scale(32)  # the heap keeps up to 26 MiB of what was freed, and then no more
        before = resident_bytes()
        scale(64)
        self.assertLess(resident_bytes() - before, 16 << 20)


if __name__ == "__main__":
    unittest.main()
