"""Sequences: what imports and exports leave behind, and what an import passes on."""

import ctypes
import unittest
import weakref

import testing  # noqa: F401
from dlspec_worker.sequence import leaks
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles
from sequence_testing import TWO_EXPORTS, native, report

waiting.PATIENCE = 0.1
KEPT = []  # arrays that a library never frees


class Keeps:
    """dlspec's own library, but for imports that are kept: for good, or the last one only."""

    def __init__(self, most):
        self.kept, self.most = [], most
        self.library = own.library(native)
        self.plain = self.library.from_dlpack
        self.library.from_dlpack = self.from_dlpack

    def from_dlpack(self, source, **keywords):
        made, refusal = self.plain(source, **keywords)
        self.kept = [*self.kept, made][-self.most :]
        return made, refusal


class Imports(unittest.TestCase):
    """dlspec's own library, but for one function."""

    STEPS = "make a0 readonly float32 own; import a1 a0 plain; export e0 a1 versioned"

    def importing(self, changed):
        library = own.library(native)
        plain = library.from_dlpack
        library.from_dlpack = lambda source, **keywords: changed(plain, source, **keywords)
        return library

    def test_a_copy_that_was_never_one_is_told_elsewhere(self):
        library = self.importing(lambda plain, source, **keywords: plain(source))
        told = report(library, "make a0 c int16 library; import a1 a0 copy; write a0 1; collect")
        self.assertIsNone(told.get("rule"), told)

    def test_read_only_memory_that_is_exported_without_the_flag(self):
        def writable(plain, source, **keywords):
            return Writable(plain(source, **keywords)[0]), None

        library = self.importing(writable)
        library.imported_contents = lambda array: (array.tensor.tobytes(), None)
        told = report(library, self.STEPS)
        self.assertEqual((told.get("rule"), told.get("step")), ("flags.read-only-propagated", 2), told)

    def test_an_import_that_an_export_without_a_deleter_keeps(self):
        steps = "make a0 c float32 own; import a1 a0 plain; export e0 a1 versioned"
        for has_deleter, rule in ((False, None), (True, "managed.deleter-once")):

            def immortal(plain, source, has_deleter=has_deleter, **keywords):
                return Immortal(plain(source, **keywords)[0], has_deleter), None

            library = self.importing(immortal)
            library.imported_contents = lambda array: (array.tensor.tobytes(), None)
            told = report(library, steps)
            self.assertEqual(told.get("rule"), rule, told)

    def test_a_library_without_read_only_arrays_may_forget_the_flag(self):
        def writable(plain, source, **keywords):
            return Writable(plain(source, **keywords)[0]), None

        library = self.importing(writable)
        library.imported_contents = lambda array: (array.tensor.tobytes(), None)
        make = library.make
        library.make = lambda order: make(order) if not order.readonly else [][0]
        self.assertNotIn("rule", report(library, self.STEPS))

    def test_an_import_that_is_wrong_by_itself_is_not_reported_here(self):
        library = own.library(native)
        library.imported_contents = lambda array: (array.tobytes()[::-1], None)
        self.assertNotIn("rule", report(library, self.STEPS))


class Handle:
    """An array that shares the import of another."""

    def __init__(self, tensor):
        self.tensor = tensor
        self.tobytes, self.overwrite = tensor.tobytes, tensor.overwrite
        self.__dlpack_device__ = tensor.__dlpack_device__

    def __dlpack__(self, **keywords):
        return self.tensor.__dlpack__(**keywords)


class Copying:
    """Asks an exporter for copies."""

    def __init__(self, source):
        self.source = source

    def __dlpack__(self, **keywords):
        return self.source.__dlpack__(**keywords, copy=True)


class Unifies:
    """Imports that share the tensor of an earlier living one of the same array, and release their own at once."""

    def __init__(self, steps):
        self.known = weakref.WeakValueDictionary()
        library = own.library(native)
        plain = library.from_dlpack
        library.from_dlpack = lambda source, **keywords: (self.shared(plain, source, **keywords), None)
        self.told = report(library, steps)

    def shared(self, plain, source, copy=None):
        imported = plain(Copying(source) if copy else source)[0]
        place = native.look(imported.__dlpack__())["data"]
        first = self.known.get(place)
        if first is not None:
            return Handle(first.tensor)
        made = self.known[place] = Handle(imported)
        return made


class Unified(unittest.TestCase):
    STEPS = "import a1 a0 plain; import a2 a0 plain; write a2 1; collect; drop a1; export e0 a2 versioned; collect"
    OF_A_COPY = "import a1 a0 copy; import a2 a1 plain; write a2 1; collect"

    def test_an_import_that_shares_an_equal_one_is_no_copy(self):
        for origin in ("own", "library"):
            for steps in (self.STEPS, self.OF_A_COPY):
                self.assertNotIn("rule", Unifies(f"make a0 c int16 {origin}; {steps}").told, (origin, steps))


class Immortal:
    """An import that its exports keep for good, with a deleter or with NULL in its place."""

    def __init__(self, tensor, has_deleter):
        self.tensor, self.has_deleter = tensor, has_deleter

    def __dlpack__(self, **keywords):
        KEPT.append(self.tensor)
        capsule = self.tensor.__dlpack__(**keywords)
        if not self.has_deleter:
            doubles.Taken(capsule, rename=False).struct.deleter = 0
        return capsule

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


class Writable:
    """An array that exports the memory of another without its flags."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, **keywords):
        capsule = self.tensor.__dlpack__(**keywords)
        address = native.locate(capsule)[1]
        ctypes.c_uint64.from_address(address + 24).value = 0  # DLManagedTensorVersioned.flags
        return capsule


NAMES = b"dltensor", b"dltensor_versioned"  # capsules keep the address


class OneStruct:
    """An array whose capsules all hold the struct of the first."""

    def __init__(self, tensor):
        self.tensor, self.first = tensor, {}

    def __dlpack__(self, **keywords):
        name = NAMES[bool(keywords.get("max_version"))]
        capsule = self.first.setdefault(name, self.tensor.__dlpack__(**keywords))
        new = ctypes.PyDLL(None)["PyCapsule_New"]
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_void_p]
        return new(native.locate(capsule)[1], name, None)


class SharedStructs(unittest.TestCase):
    def test_they_are_not_followed(self):
        library = own.library(native)
        make = library.make
        library.make = lambda order: OneStruct(make(order))
        told = report(library, TWO_EXPORTS + "drop e0; collect")
        self.assertNotIn("rule", told)
        self.assertEqual(told["refused"], 2)


class Leaks(unittest.TestCase):
    STEPS = "make a0 c float32 own; import a1 a0 plain; drop a1"

    def test_imports_that_are_never_released(self):
        told = report(Keeps(1000).library, self.STEPS)
        self.assertEqual(
            (told.get("rule"), told.get("role"), told.get("step")), ("managed.deleter-once", "consumer", 3)
        )

    def test_the_last_import_may_be_kept(self):
        self.assertNotIn("rule", report(Keeps(1).library, self.STEPS))

    def test_caches_are_followed_only_a_few_times(self):
        kept = Keeps(1)
        report(kept.library, *[self.STEPS] * 10)
        subject = vars(kept.library)["sequences"]
        self.assertLessEqual(subject.suspicions, leaks.MOST_SUSPICIONS)


class Counted(doubles.Array):
    """An array whose releases take references to it: two of a hundred with each."""

    def __init__(self, order):
        super().__init__(order)
        self.spare = [self] * 100

    def __dlpack__(self, **keywords):
        del self.spare[-2:]
        return super().__dlpack__(**keywords)


class References(unittest.TestCase):
    STEPS = "make a0 c float32 library; export e0 a0 versioned; take e0; release e0 here"

    def test_references_that_releases_take(self):
        library = Library(doubles.Producer("", Counted), "")
        told = report(library, self.STEPS)
        self.assertEqual((told.get("rule"), told.get("step")), ("managed.owner-balanced", 4), told)

    def test_references_of_a_cache(self):
        library = Library(doubles.Producer(), "")
        make, last = library.make, []

        def cached(order):
            last[:] = [make(order)]
            return last[0]

        library.make = cached
        told = report(library, self.STEPS + "; make a1 c float32 library")
        self.assertNotIn("rule", told)

    def test_arrays_that_a_library_never_frees(self):
        library = Library(doubles.Producer(), "")
        make = library.make
        library.make = lambda order: KEPT.append(make(order)) or KEPT[-1]
        self.assertNotIn("rule", report(library, self.STEPS))

    def test_scalars_that_a_library_keeps_beside_arrays_that_it_frees(self):
        steps = (
            "make a3 scalar float32 library; export e3 a3 versioned; make a0 c float32 library; export e0 a0 versioned"
        )
        for fault, rule in (("", None), ("references kept", "managed.owner-balanced")):
            library = Library(doubles.Producer(fault), "")
            make, scalars = library.make, {}

            def interned(order, make=make, scalars=scalars):
                made = make(order)
                return made if order.shape else scalars.setdefault(order.bytes, made)

            library.make = interned
            told = report(library, steps)
            self.assertEqual(told.get("rule"), rule, told)

    def test_sources_that_exports_keep_alive(self):
        told = report(Library(doubles.Producer("references kept"), ""), self.STEPS)
        self.assertEqual(told.get("rule"), "managed.owner-balanced", told)

    def test_what_is_held_where_a_sequence_stops(self):
        library = Library(doubles.Producer(), "")
        library.provides.append("write")
        library.write = lambda array, data: None  # nothing is written, which ends the sequence
        told = report(library, self.STEPS + "; make a1 c int16 library; write a1 1")
        self.assertNotIn("rule", told)


if __name__ == "__main__":
    unittest.main()
