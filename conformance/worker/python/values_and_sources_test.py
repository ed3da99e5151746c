"""Faults that show for certain values, sources and strides alone: each is found by the case that tries them."""

import struct
import types
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.facts import values
from dlspec_worker.subject.library import Library
from exhibits import doubles
from path_cases_test import consumer, judged, producer

EXTREME = struct.pack("<12f", 0.0, -0.0, 1e-45, -1e-40, float("inf"), float("nan"), *range(6))
ELEMENTS = "tensor.element-address"


def judge(library, role, variant, layout="c", dtype="float32", **changes):
    """rule -> observation, of what is violated."""
    case = testing.make_case(role, variant, layout, dtype)
    if "bytes" in changes:
        case["spec"]["bytes"] = changes["bytes"].hex()
    outcomes = main.judge(case, library, doubles.native)["outcomes"]
    return {rule: each["observed"] for rule, each in outcomes.items() if each["outcome"] == "violated"}


def flushed(data):
    """float32 with zeros in the place of subnormal numbers."""
    words = struct.unpack(f"<{len(data) // 4}I", data)
    return struct.pack(f"<{len(words)}I", *(word if word & 0x7F800000 else word & 0x80000000 for word in words))


class Flushes(doubles.Array):
    """Exports of subnormal numbers are zeros."""

    shows_exports = False

    def fields(self):
        return {"contents": flushed(self.order.bytes)} if self.order.dtype == "float32" else {}


class ShowsFlushed(doubles.Import):
    def now(self):
        return flushed(super().now()) if self.look["dtype_name"] == "float32" else super().now()


class Owning(doubles.Importing):
    """A consumer that makes arrays, too; `flushes`: they do not keep subnormal numbers."""

    flushes = False

    def make(self, order):
        return doubles.Array(order)

    def contents(self, array):
        if not isinstance(array, doubles.Array):
            return super().contents(array)
        return flushed(bytes(array.held)) if self.flushes else bytes(array.held)


class Flushing(Owning):
    flushes = True


class ExtremeValues(unittest.TestCase):
    def test_exports(self):
        for variant in ("extreme-values", "extreme-values=plain"):
            self.assertEqual(judge(producer(doubles.Array), "producer", variant, bytes=EXTREME), {})
            self.assertIn(ELEMENTS, judge(producer(Flushes), "producer", variant, bytes=EXTREME))

    def test_imports(self):
        for variant in ("extreme-values", "extreme-values=legacy", "extreme-values=copied"):
            clean, faulty = (Library(Owning(kind), "/nowhere/a.py") for kind in (doubles.Import, ShowsFlushed))
            self.assertEqual(judge(clean, "consumer", variant, bytes=EXTREME), {})
            # What every import shows is left to the case of an import without a copy.
            found = judge(faulty, "consumer", variant, bytes=EXTREME)
            self.assertEqual(ELEMENTS in found, variant != "extreme-values=copied", variant)

    def test_an_adapter_that_does_not_keep_them_blames_nobody(self):
        library = Library(Flushing(ShowsFlushed), "/nowhere/a.py")
        self.assertEqual(judge(library, "consumer", "extreme-values", bytes=EXTREME), {})


# --- arrays of the library itself


class Whole(doubles.Library):
    """Imports arrays as arrays. With copy=True `of_its_own` decides about arrays of the library."""

    def from_dlpack(self, source, copy=None, device=None):
        return self.of_its_own(source, copy) if type(source) is doubles.Array else self.array(source, copy)

    def array(self, source, copy):
        taken = super().from_dlpack(source, copy)
        order = types.SimpleNamespace(**vars(values.order(taken_order(taken), dtype=taken.look["dtype_name"])))
        order.bytes = taken.now()
        return doubles.Array(order)

    def of_its_own(self, source, copy):
        if copy:
            return doubles.Array(types.SimpleNamespace(**vars(source.order)))
        return source


class Returns(Whole):
    """copy=True of an array of the library gives that array."""

    def of_its_own(self, source, copy):
        return source


def taken_order(taken):
    return types.SimpleNamespace(
        dtype="float32", shape=taken.look["shape"], strides=None, offset=0, readonly=False, device=(1, 0), bytes=b""
    )


class OwnArrays(unittest.TestCase):
    def test_copies_are_copies(self):
        rule = "python.copy-forwarded"
        for layout in ("c", "scalar"):
            self.assertEqual(judge(Library(Whole(), "/nowhere/a.py"), "consumer", "own-array", layout), {})
            found = judge(Library(Returns(), "/nowhere/a.py"), "consumer", "own-array", layout)
            self.assertIn("an array of the library itself", found[rule])


# --- the host, asked of a source elsewhere


class AsksForTheSourcesDevice(doubles.Consumer):
    """Sends the source's device as dl_device when a device is named."""

    honest = False

    def from_dlpack(self, source, copy=None, device=None):
        if device not in (None, "cpu"):
            raise ValueError("there is no such device")
        if device is None:
            return super().from_dlpack(source, copy)
        where = (1, 0) if self.honest else source.__dlpack_device__()
        return self.take(source.__dlpack__(max_version=(1, 3), dl_device=where))


class AsksForTheHost(AsksForTheSourcesDevice):
    honest = True


class Devices(unittest.TestCase):
    def test_the_device_of_the_source_is_not_asked_for(self):
        found = judge(Library(AsksForTheSourcesDevice(), "/nowhere/a.py"), "consumer", "keywords-sent")
        self.assertIn("the device of the source", found["python.dl-device-format"])
        self.assertEqual(judge(Library(AsksForTheHost(), "/nowhere/a.py"), "consumer", "keywords-sent"), {})


# --- strides


class RefusesFar(doubles.Consumer):
    """Counts strides of axes of one element when it asks how far a tensor reaches."""

    def take(self, capsule):
        if any(abs(stride) > 1 << 50 for stride in doubles.native.look(capsule)["strides"] or ()):
            raise ValueError("beyond the address space")
        return super().take(capsule)


class LanesAsSteps(doubles.Import):
    """Strides of vectors count lanes where the tensor is not compact."""

    def now(self):
        shown, strides = super().now(), self.look["strides"]
        is_odd = self.look["dtype"][2] == 4 and strides is not None and strides[-1:] != (1,)
        return shown[16:] + shown[:16] if is_odd else shown


class SharesScratch(doubles.Import):
    """The strides made for NULL are those of the latest import."""

    latest = None

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        if self.look["strides"] is None:
            SharesScratch.latest = self.look["shape"]

    def now(self):
        shown = super().now()
        return shown[::-1] if self.look["strides"] is None and self.latest != self.look["shape"] else shown


class Strides(unittest.TestCase):
    def test_far_strides_of_one_element(self):
        found = judge(Library(RefusesFar(), "/nowhere/a.py"), "consumer", "strides=far", "extent1")
        self.assertIn("2**62", found["tensor.strides-extent1-ignored"])
        self.assertEqual(judge(Library(doubles.Consumer(), "/nowhere/a.py"), "consumer", "strides=far", "extent1"), {})

    def test_vectors_in_columns(self):
        found = judge(consumer(LanesAsSteps), "consumer", "versioned", "fortran", "float32x4")
        self.assertIn(ELEMENTS, found)

    def test_null_strides_of_two_imports(self):
        found = judged(consumer(SharesScratch), "consumer", having="strides=null")
        self.assertIn("managed.not-early", found)


# --- states


class RawWithoutCopy(doubles.Array):
    """With copy=False the memory before conjugation goes out."""

    raw = None

    def answer(self, max_version, copy):
        if copy is False and self.raw:
            return self.raw["versioned" if max_version else "legacy"].capsule()
        return super().answer(max_version, copy)


class Conjugating(doubles.Producer):
    def states(self, array):
        made = RawWithoutCopy(array.order)
        if self.fault == "raw":
            turned = {"contents": array.order.bytes[::-1]}
            made.raw = {kind: doubles.make_offer(array.order, kind, **turned) for kind in ("legacy", "versioned")}
        return {"conjugated": made}


class States(unittest.TestCase):
    def test_raw_memory_of_a_conjugated_array(self):
        for fault, expected in (("", []), ("raw", ["python.copy-false-error"])):
            library = Library(Conjugating(fault, RawWithoutCopy), "/nowhere/a.py")
            found = judge(library, "producer", "copy=false-state", dtype="complex64")
            self.assertEqual(list(found), expected, fault)


if __name__ == "__main__":
    unittest.main()
