"""Paths: what a library does after it refused something."""

import unittest

import testing
from dlspec_worker.facts import dlpack
from dlspec_worker.subject.library import Library
from exhibits import doubles
from path_cases_test import judged, producer


class CopiesForTheRefused(doubles.Array):
    """The order of a copy outlives its refusal: the next export is one, and does not say so."""

    ordered = False

    def __dlpack__(self, *, copy=None, **keywords):
        self.ordered = self.ordered or bool(copy)
        refused = keywords.get("dl_device") not in (None, self.__dlpack_device__())
        capsule = super().__dlpack__(copy=copy if refused else copy or self.ordered or None, **keywords)
        taken = doubles.Taken(capsule, rename=False)
        if self.ordered and not copy and taken.versioned:
            taken.struct.flags &= ~2
        self.ordered = False
        return capsule


class OnceOnly(doubles.Array):
    """A scalar cannot be exported any more once a request was refused."""

    spent = False

    def __dlpack__(self, **keywords):
        if self.spent and self.order.shape == ():
            raise RuntimeError("no more")
        try:
            return super().__dlpack__(**keywords)
        except BufferError:
            self.spent = True
            raise


class RefusesAfterARefusal(doubles.Consumer):
    """Rank 1 is refused at once after a refusal."""

    offended = False

    def take(self, capsule):
        is_offended, self.offended = self.offended, False
        if is_offended and len(doubles.native.look(capsule)["shape"] or ()) == 1:
            raise ValueError("not now")
        try:
            return super().take(capsule)
        except Exception:
            self.offended = True
            raise


class RefusesAfterTwoDevices(doubles.Consumer):
    """Refuses once more after two tensors in a row of a device that it lacks."""

    in_a_row = 0

    def take(self, capsule):
        count, self.in_a_row = self.in_a_row, 0
        if count > 1:
            raise ValueError("not now")
        self.in_a_row = count + 1 if doubles.native.look(capsule)["device"] == dlpack.VPI else 0
        return super().take(capsule)


class Refusals(unittest.TestCase):
    def test_an_array_that_cannot_be_exported_any_more(self):
        found = judged(producer(OnceOnly), "producer", having="before=refusal")
        self.assertEqual(list(found), ["python.no-effect-on-source"])
        self.assertIn("before=refusal", found["python.no-effect-on-source"][1])

    def test_a_copy_that_a_refused_request_ordered(self):
        found = judged(producer(CopiesForTheRefused), "producer", having="before=refusal")
        self.assertIn("with before=refusal", found["flags.is-copied-set"][1])
        self.assertEqual(judged(producer(CopiesForTheRefused), "producer", having="before=export-alive"), {})

    def test_an_import_that_is_refused_after_two_devices(self):
        library = Library(RefusesAfterTwoDevices(), "/nowhere/double.py")
        self.assertEqual(judged(library, "consumer", having="before=refusal+"), {})
        found = judged(library, "consumer", having="before=refusals")
        self.assertEqual(list(found), ["managed.error-releases"], found)

    def test_an_import_that_is_refused_after_a_refusal(self):
        library = Library(RefusesAfterARefusal(), "/nowhere/double.py")
        found = judged(library, "consumer", having="before=refusal")
        self.assertEqual(list(found), ["managed.error-releases"], found)


if __name__ == "__main__":
    assert testing
    unittest.main()
