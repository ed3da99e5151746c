"""What `dlspec init` finds in a library, and what it writes of it."""

import sys
import types
import unittest
from unittest import mock

import init_worker
import testing
from dlspec_worker.subject import adapter_text

native = testing.load_native()


class Unwritten:
    """Where the probe would write what it is about to try."""

    def __call__(self, *_, **__):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def write(self, text):
        pass


class Tensor:
    """Imports by a method of the class alone."""

    @staticmethod
    def from_dlpack(source, **_):
        return native.import_capsule(source.__dlpack__(max_version=(1, 3)))

    from_numpy_array = from_dlpack


class Claiming:
    """An array that speaks for the array API standard."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __array_namespace__(self):
        return sys

    def __getattr__(self, name):
        return getattr(self.tensor, name)


def library(**names):
    made = types.ModuleType("fakelib")
    made.__dict__.update({"from_bytes": native.tensor, "Tensor": Tensor, "__version__": "1", **names})
    return made


def found_in(module):
    modules = mock.patch.dict(sys.modules, {"fakelib": module, "numpy": None})
    with modules, mock.patch.object(init_worker, "open", Unwritten(), create=True):
        probe = init_worker.Probe("fakelib", native, "nowhere", [])
        return probe, init_worker.findings(probe), list(probe.class_makers())


class Init(unittest.TestCase):
    def test_methods_of_classes_are_tried(self):
        _, found, makers = found_in(library())
        self.assertEqual(found.importer, "fakelib.Tensor.from_dlpack(source, **kwargs)")
        self.assertEqual(makers, ["{m}.Tensor.from_numpy_array(values.copy())"])

    def test_the_modules_own_come_first(self):
        self.assertEqual(
            found_in(library(from_dlpack=Tensor.from_dlpack))[1].importer, "fakelib.from_dlpack(source, **kwargs)"
        )

    def test_the_array_api_is_claimed_by_arrays(self):
        def claiming(*arguments):
            return Claiming(native.tensor(*arguments))

        for module, says in ((library(), True), (library(from_bytes=claiming), False)):
            _, found, _ = found_in(module)
            self.assertTrue(found.maker)
            text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
            self.assertEqual('standard = "dlpack"' in text, says)
            compile(text, "adapter", "exec")

    def test_strides_that_are_misread_are_left_out(self):
        found = types.SimpleNamespace(
            maker="fakelib.array(values)", strider="fakelib.array(view)", reader=None, importer=None, lock=None
        )
        found.claims, found.dtypes = True, ["float32"]
        for layouts, says in ((["positive", "gaps"], True), (["positive", "gaps", "negative"], False)):
            found.layouts = layouts
            text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
            self.assertEqual("init: are there negative strides?" in text, says)
            compile(text, "adapter", "exec")

    def test_what_the_reader_misreads_does_not_count(self):
        probe, _, _ = found_in(library())
        spec = init_worker.order()
        array = native.tensor(spec.bytes, spec.dtype, spec.shape)
        self.assertTrue(probe.reads(array, "array.tobytes()", spec))
        self.assertFalse(probe.reads(array, "array.tobytes()[::-1]", spec))


if __name__ == "__main__":
    unittest.main()
