"""Sequences: dlspec's own library shows nothing, and each fault that depends on the order of steps is found."""

import ctypes
import os
import struct
import sys
import tempfile
import unittest

import testing
from dlspec_worker import known, main
from dlspec_worker.channel import loading
from dlspec_worker.sequence import findings, leaks
from dlspec_worker.sequence.holders import Array, Root, follow_write
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles

native = testing.load_native()
FAKES = os.path.join(testing.HERE, "..", "..", "selfcheck", "fakes", "ordered")
waiting.PATIENCE = 0.1
KEPT = []  # modules whose callbacks capsules may still need

TWO_EXPORTS = "make a0 c float32 library; export e0 a0 versioned; export e1 a0 versioned; "
EVERYTHING = (
    "make a0 c float32 library; make a1 strided int16 own; export e0 a0 versioned; export e1 a0 legacy; "
    "export e2 a0 copy; export e3 a0 nocopy; import a2 a0 plain; import a3 a1 plain; write a0 1; write e0 2; "
    "refuse a0 device; refuse a0 stream; refuse a0 keyword; take e1; drop e1; release e1 thread; raise e3; drop a0; "
    "collect; export e4 a2 versioned; drop a2; write e4 3; take e4; release e4 unlocked; drop a1; "
    "export e5 a3 versioned"
)


def case_of(*sequences, journal=""):
    orders = {}
    for layout in ("c", "strided", "readonly", "scalar", "fortran"):
        for dtype in ("float32", "int16", "uint8"):
            orders[f"{layout} {dtype}"] = testing.make_case("producer", "plain", layout, dtype, ["x"])["spec"]
    case = testing.make_case("producer", "sequence=1", only=list(findings.ALLOWED))
    return {**case, "sequences": list(sequences), "orders": orders, "journal": journal}


def judge(library, *sequences, **more):
    return main.judge(case_of(*sequences, **more), library, native)


def report(library, *sequences):
    return judge(library, *sequences)["sequence"]


def fake(name):
    KEPT.append(sys.modules.pop("plain_arrays", None))  # the fakes change members of it
    path = os.path.join(FAKES, name + ".py")
    return Library(loading.load_adapter(path, "dlspec_fake_" + name), path)


class OwnLibrary(unittest.TestCase):
    def test_every_step_is_carried_out_and_shows_nothing(self):
        told = report(own.library(native), EVERYTHING)
        self.assertEqual(told, {"steps": EVERYTHING.count(";") + 1, "refused": 0})

    def test_the_control_library_shows_nothing(self):
        self.assertNotIn("rule", report(known.library(native, "good"), EVERYTHING))

    def test_rules_that_were_tried_pass(self):
        outcomes = judge(own.library(native), EVERYTHING)["outcomes"]
        for rule in ("managed.exports-independent", "managed.borrow", "python.copy-true", "python.no-effect-on-source"):
            self.assertEqual(outcomes[rule], {"outcome": "pass"}, rule)

    def test_what_lacks_a_predecessor_is_left_out(self):
        self.assertNotIn("rule", report(own.library(native), "export e0 a0 copy; release e0 here; drop a7; write e0 1"))


class Faults(unittest.TestCase):
    """Subject, sequence -> rule, and the step that shows it."""

    def check(self, name, sequence, rule, step):
        told = report(fake(name), sequence)
        self.assertEqual((told.get("rule"), told.get("step")), (rule, step), told)
        self.assertNotIn("rule", report(fake("plain"), sequence))

    def test_a_deleter_that_releases_the_newest_export(self):
        self.check("newest_released", TWO_EXPORTS + "drop e0", "managed.exports-independent", 3)

    def test_copies_that_follow_the_source(self):
        steps = "make a0 c float32 library; export e0 a0 versioned; export e1 a0 copy; write a0 1"
        self.check("copies_follow", steps, "python.copy-true", 3)

    def test_metadata_that_a_later_export_overwrites(self):
        steps = "make a0 c float32 library; make a1 fortran int16 library; export e0 a0 versioned; export e1 a1 legacy"
        self.check("metadata_overwritten", steps, "tensor.metadata-constant", 3)

    def test_exports_that_freeze_the_source(self):
        self.check("source_frozen", TWO_EXPORTS + "write a0 1", "python.no-effect-on-source", 3)
        steps = "make a0 c float32 library; export e0 a0 versioned; take e0; release e0 thread; mutate a0 resize"
        self.check("resize_frozen", steps, "python.no-effect-on-source", 4)

    def test_what_is_viewed_of_a_reshaped_array_shares_its_memory(self):
        told = report(fake("reshaped"), TWO_EXPORTS + "mutate a0 reshape; view a1 a0 all; write a1 1")
        self.assertEqual(told, {"steps": 6, "refused": 1})

    def test_callbacks_of_ctypes_cannot_keep_an_exception(self):
        told = report(fake("plain"), TWO_EXPORTS + "take e0; raise e0; raise e1")
        self.assertEqual(told, {"steps": 6, "refused": 0})

    def test_a_finding_names_its_steps(self):
        answer = judge(fake("source_frozen"), "make a0 c float32 library", TWO_EXPORTS + "write a0 1; collect")
        told = answer["outcomes"]["python.no-effect-on-source"]
        self.assertEqual((told["outcome"], told["verdict"]), ("broken", "fail"))
        self.assertTrue(told["observed"].endswith("export e1 a0 versioned; write a0 1)"), told)
        self.assertEqual(answer["sequence"]["index"], 1)
        self.assertEqual(answer["outcomes"]["managed.borrow"]["outcome"], "blocked")

    def test_a_rule_of_another_case_is_not_reported_here(self):
        case = {**case_of(TWO_EXPORTS + "write a0 1"), "rules": ["managed.borrow"]}
        answer = main.judge(case, fake("source_frozen"), native)
        self.assertEqual(answer["outcomes"]["managed.borrow"]["outcome"], "blocked")
        self.assertEqual(answer["sequence"]["rule"], "python.no-effect-on-source")


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

    def test_read_only_memory_that_is_exported_without_the_flag(self):
        def writable(plain, source, **keywords):
            return Writable(plain(source, **keywords)[0]), None

        library = self.importing(writable)
        library.imported_contents = lambda array: (array.tensor.tobytes(), None)
        told = report(library, self.STEPS)
        self.assertEqual((told.get("rule"), told.get("step")), ("flags.read-only-propagated", 2), told)

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

    def test_sources_that_exports_keep_alive(self):
        told = report(Library(doubles.Producer("references kept"), ""), self.STEPS)
        self.assertEqual(told.get("rule"), "managed.owner-balanced", told)


class AJournal(unittest.TestCase):
    def test_it_names_the_step_under_way(self):
        with tempfile.NamedTemporaryFile() as page:
            page.write(bytes(16))
            page.flush()
            judge(own.library(native), "collect", "make a0 c float32 library; collect", journal=page.name)
            page.seek(0)
            self.assertEqual(struct.unpack("<qq", page.read(16)), (1, 2))  # the end of the second sequence


class Writes(unittest.TestCase):
    """Who shows a write is seen, not assumed."""

    def setUp(self):
        self.root = Root(None, "c", "float32")
        self.source = Array(self.root, None, (0, 1, 2), [b"a", b"b", b"c"], object())
        self.part = Array(self.root, self.source, (1, 2), [b"b", b"c"], object())

    def write(self, shown_by_part):
        shows = {id(self.source): b"xyz", id(self.part): shown_by_part}
        return follow_write(self.source, [b"x", b"y", b"z"], lambda holder: shows[id(holder)])

    def test_a_view_that_follows(self):
        changed, torn = self.write(b"yz")
        self.assertEqual((changed, torn, self.part.link), ([self.source, self.part], [], True))
        self.assertEqual(self.part.shown, [b"y", b"z"])

    def test_a_view_with_memory_of_its_own(self):
        changed, torn = self.write(b"bc")
        self.assertEqual((changed, torn, self.part.link), ([self.source], [], False))
        self.assertEqual(self.part.shown, [b"b", b"c"])

    def test_a_view_that_shows_neither(self):
        self.assertEqual(self.write(b"yc")[1], [self.part])


if __name__ == "__main__":
    unittest.main()
