"""What `dlspec init` finds in a library, and what it writes of it."""

import sys
import types
import unittest
from unittest import mock

import init_worker
import testing
from dlspec_worker.subject import adapter_text
from dlspec_worker.subject import probe as probe_module

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
    """An array that names its array API namespace."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __array_namespace__(self):
        return sys

    def __getattr__(self, name):
        return getattr(self.tensor, name)


class Values:
    """As much of an array of NumPy as the probe needs."""

    def __init__(self, data, dtype):
        self.data, self.dtype = data, dtype

    def reshape(self, shape):
        self.shape = shape
        return self


class Writable:
    """An array that its library writes by array[...] = other, unless it is locked."""

    def __init__(self, values):
        self.tensor = native.tensor(values.data, values.dtype, values.shape)
        self.dtype, self.shape, self.locked = f"fakelib.{values.dtype}", values.shape, False
        self.__dlpack__ = self.tensor.__dlpack__

    def __setitem__(self, _, other):
        if self.locked:
            raise ValueError("locked")
        self.tensor.overwrite(native.contents(other.__dlpack__()))


class Careless(Writable):
    """Is written in spite of its lock."""

    def __setattr__(self, name, value):
        super().__setattr__(name, False if name == "locked" else value)


class Deaf(Writable):
    """Takes what is to be written, and stays as it is."""

    def __setitem__(self, _, other):
        pass


def library(**names):
    made = types.ModuleType("fakelib")
    made.__dict__.update({"from_bytes": native.tensor, "Tensor": Tensor, "__version__": "1", **names})
    return made


def found_in(module):
    modules = mock.patch.dict(sys.modules, {"fakelib": module, "numpy": None})
    with modules, mock.patch.object(probe_module, "open", Unwritten(), create=True):
        probe = init_worker.Probe("fakelib", native, "nowhere", [])
        return probe, init_worker.findings(probe), list(probe.class_makers())


class Narrowing:
    """A library whose arrays have four bytes an element at most until its setting is made."""

    def __init__(self):
        self.is_wide = False
        self.config = types.SimpleNamespace(update=self.update)

    def update(self, name, value):
        if name != "fakelib_enable_x64":
            raise AttributeError(name)
        self.is_wide = value

    def narrow(self, dtype):
        return dtype if self.is_wide else {"float64": "float32", "int64": "int32"}.get(dtype, dtype)

    def from_bytes(self, data, dtype, shape):
        kept = self.narrow(dtype)
        return native.tensor(data[: len(data) // (1 if kept == dtype else 2)], kept, shape)

    def from_dlpack(self, source, **_):
        capsule = source.__dlpack__(max_version=(1, 3))
        seen = native.look(capsule)
        return self.from_bytes(native.contents(capsule), seen["dtype_name"], tuple(seen["shape"]))


class Init(unittest.TestCase):
    def test_views_of_shapes_that_do_not_fit_are_not_made(self):
        probe, _, _ = found_in(library())
        asked = []

        def view(_, spec):
            asked.append((spec.shape, spec.strides, spec.offset, spec.bytes))
            if not spec.shape:
                raise ValueError("rank 0")
            return native.tensor(spec.bytes, spec.dtype, spec.shape)

        unwritten = mock.patch.object(probe_module, "open", Unwritten(), create=True)
        with unwritten, mock.patch.object(probe, "in_layout", view):
            for shape, strides, data, says in (
                ((2, 0, 3), (3, 3, 1), b"", True),
                ((), (), init_worker.order(shape=()).bytes, False),
            ):
                found = init_worker.attempt(lambda each: probe.fits(each, "array.tobytes()", shape, strides), "view()")
                self.assertEqual((found, asked.pop()), (says, (shape, strides, 1, data)))

    def test_a_setting_that_keeps_dtypes_is_made(self):
        wide = Narrowing()
        names = {"from_bytes": wide.from_bytes, "from_dlpack": wide.from_dlpack, "config": wide.config}
        _, found, _ = found_in(library(**names))
        self.assertEqual(found.switch, 'fakelib.config.update("fakelib_enable_x64", True)')
        self.assertIn("float64", found.dtypes)
        self.assertEqual(found.narrowed, [])
        self.assertIn(f"import fakelib\n\n{found.switch}\n", adapter_text.text_of(found, "fakelib", '"1"'))

    def test_dtypes_that_imports_narrow_are_told(self):
        narrow = Narrowing()
        deaf = types.SimpleNamespace(update=lambda *_: None)
        names = {"from_bytes": narrow.from_bytes, "from_dlpack": narrow.from_dlpack, "config": deaf}
        _, found, _ = found_in(library(**names))
        self.assertIsNone(found.switch)
        self.assertNotIn("float64", found.dtypes)
        self.assertEqual(found.narrowed, ["int64", "float64"])
        text = adapter_text.text_of(found, "fakelib", '"1"')
        self.assertIn("# init: int64, float64 become smaller here; which setting keeps them?", text)
        compile(text, "adapter", "exec")

    def test_methods_of_classes_are_tried(self):
        _, found, makers = found_in(library())
        self.assertEqual(found.importer, "fakelib.Tensor.from_dlpack(source, **kwargs)")
        self.assertEqual(makers, ["{m}.Tensor.from_numpy_array(values.copy())"])

    def test_arrays_are_exported_by_a_function_where_they_have_no_method(self):
        class Bare:
            def __init__(self, *arguments):
                self.tensor = native.tensor(*arguments)

        def to_dlpack(array):
            return array.tensor.__dlpack__()

        for names, says in (
            ({"from_bytes": Bare, "to_dlpack": to_dlpack}, "fakelib.to_dlpack(array)"),
            ({"from_bytes": Bare}, None),
            ({"to_dlpack": to_dlpack}, None),
        ):
            _, found, _ = found_in(library(**names))
            self.assertEqual(found.exporter, says)
            self.assertEqual(bool(found.maker), "from_bytes" not in names or bool(says))
            text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
            self.assertEqual(f"def to_dlpack(array):\n    return {says}\n" in text, bool(says))
            compile(text, "adapter", "exec")

    def test_a_part_that_imports_is_told(self):
        parts = {f"fakelib.{name}": types.ModuleType(name) for name in ("_own", "other", "parts.runtime", "zero")}
        for part in ("_own", "parts.runtime", "zero"):
            parts[f"fakelib.{part}"].from_dlpack = Tensor.from_dlpack
        with mock.patch.dict(sys.modules, parts):
            said = init_worker.parts_to_try("fakelib")
            self.assertEqual(said, "fakelib.parts.runtime has from_dlpack: try dlspec init fakelib.parts.runtime, or ")
        self.assertEqual(init_worker.parts_to_try("fakelib"), "")

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

    def test_more_axes_than_the_library_has_are_refused(self):
        def shallow(data, dtype, shape):
            if len(shape) > 9:
                raise OSError("0 to 9 axes")
            return native.tensor(data, dtype, shape)

        for maker, refused in ((shallow, True), (native.tensor, False)):
            _, found, _ = found_in(library(from_bytes=maker))
            text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
            self.assertEqual(" or len(spec.shape) > 9:" in text, refused)
            self.assertEqual("more axes" in text, refused)
            compile(text, "adapter", "exec")

    def test_a_shape_that_ends_the_probe_is_one_thing_that_is_not_tried_again(self):
        probe, _, _ = found_in(library())
        probe.lethal = ["maker of float32, shape (1, 3, 4)"]
        with mock.patch.object(probe_module, "open", Unwritten(), create=True):
            for shape, says in (((1, 3, 4), False), ((3, 4), True), ((1, 1, 3, 4), True)):
                self.assertEqual(probe.may_try("maker", init_worker.order(shape=shape)), says)

    def test_a_way_to_write_is_taken_where_it_writes_and_keeps_locks(self):
        line = "array[...] = fakelib.array(values)"
        for kind, lock, says in (
            (Writable, None, True),
            (Writable, "array.locked = True", True),
            (Careless, "array.locked = True", False),
            (Deaf, None, False),
        ):
            probe, found, _ = found_in(library(array=kind))
            probe.names["numpy"] = types.SimpleNamespace(frombuffer=Values)
            found.maker, found.lock, found.layouts = "fakelib.array(values)", lock, ()
            with mock.patch.object(probe_module, "open", Unwritten(), create=True):
                self.assertEqual(init_worker.attempt(lambda each: init_worker.writes(probe, found, each), line), says)
            found.writer = line if says else None
            text = adapter_text.text_of(found, "fakelib", "fakelib.__version__")
            self.assertEqual("def write(array, data):" in text, says)
            compile(text, "adapter", "exec")

    def test_what_the_reader_misreads_does_not_count(self):
        probe, _, _ = found_in(library())
        spec = init_worker.order()
        array = native.tensor(spec.bytes, spec.dtype, spec.shape)
        self.assertTrue(probe.reads(array, "array.tobytes()", spec))
        self.assertFalse(probe.reads(array, "array.tobytes()[::-1]", spec))


if __name__ == "__main__":
    unittest.main()
