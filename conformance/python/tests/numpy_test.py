"""Exchange with NumPy, where the interpreter has it."""

import gc
import sys
import unittest

import dlspec
from dlspec import _native
from sources import NUMPY_DTYPES, numbered

try:
    import numpy
except ImportError:
    numpy = None


def takes_versioned_capsules():
    return tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 1)


class Exchange(unittest.TestCase):
    def test_to_numpy(self):
        for dtype in NUMPY_DTYPES:
            contents = numbered(dtype, (3, 4)) if dtype != "bool" else bytes([0, 1, 1] * 4)
            made = dlspec.tensor(contents, dtype, (3, 4), (-4, -1), 11)
            array = numpy.from_dlpack(made)
            self.assertEqual((array.dtype, array.shape), (numpy.dtype(dtype), (3, 4)))
            self.assertEqual(array.tobytes(), contents)
            made.overwrite(contents[::-1] if dtype == "bool" else bytes(len(contents)))
            self.assertEqual(made.tobytes(), array.tobytes(), "shared memory")

    def test_from_numpy(self):
        for dtype in NUMPY_DTYPES:
            array = numpy.arange(24).astype(dtype).reshape(2, 3, 4)
            flat = array.reshape(-1)
            for view in (array, array.T, array[::-1, ::2], array[..., 1], array[:0], array[1, 1, 1:2], flat):
                taken = dlspec.from_dlpack(view)
                self.assertEqual((taken.dtype, taken.shape), (dtype, view.shape))
                self.assertEqual(taken.tobytes(), view.tobytes())
                self.assertTrue(dlspec.inspect(view).ok, repr(dlspec.inspect(view)))

    def test_references_are_balanced(self):
        array = numpy.arange(12.0)
        before = sys.getrefcount(array)
        for _ in range(1000):
            dlspec.from_dlpack(array).__dlpack__(max_version=(1, 3))
        gc.collect()
        self.assertEqual(sys.getrefcount(array), before)

    def test_arrays_live_as_long_as_they_are_needed(self):
        array = numpy.from_dlpack(dlspec.from_dlpack(numpy.arange(1000)))
        gc.collect()
        numpy.full(1000, 7)
        self.assertEqual(int(array.sum()), 499500)

    def test_a_release_on_a_foreign_thread(self):
        array = numpy.arange(12.0)
        before = sys.getrefcount(array)
        capsule = dlspec.from_dlpack(array).__dlpack__()
        watch = _native.watch(capsule)
        watch.take()
        watch.release(thread=True)
        self.assertEqual((watch.finished, sys.getrefcount(array)), (1, before))

    def test_read_only(self):
        made = dlspec.tensor(bytes(8), "float64", (1,), readonly=True)
        if takes_versioned_capsules():
            self.assertFalse(numpy.from_dlpack(made).flags.writeable)
            array = numpy.arange(3)
            array.flags.writeable = False
            self.assertTrue(dlspec.from_dlpack(array).readonly)
        else:
            with self.assertRaises(BufferError):
                numpy.from_dlpack(made)

    def test_copies(self):
        array = numpy.arange(3)
        copy = dlspec.from_dlpack(array, copy=True)
        array[0] = 9
        self.assertEqual(copy.tobytes(), numpy.arange(3).tobytes())


if __name__ == "__main__":
    if numpy is None:
        print("skipped: this interpreter has no NumPy")
        sys.exit(77)
    unittest.main()
