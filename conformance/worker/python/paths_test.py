"""Odd libraries whose oddity is no fault of the side that is judged, or none at all."""

import itertools
import types
import unittest

import consumer_test
import testing
from dlspec_worker import main
from dlspec_worker.subject import library
from exhibits import consumer_keywords, doubles


class KeptExports(consumer_keywords.Exporting):
    """What it exports is never released, and keeps the import."""

    kept = []

    def __dlpack__(self, **keywords):
        self.kept.append((self, super().__dlpack__(**keywords)))
        return self.kept[-1][1]


class Counting(doubles.Import):
    """Says with each refusal the how manieth it is."""

    numbers = itertools.count()

    def refuse_major(self, taken):
        raise BufferError(f"refusal {next(self.numbers)}: another major version")


class WritesBackwards(doubles.Library):
    """An adapter whose write() is wrong."""

    def write(self, array, data):
        array.held[:] = data[::-1]
        array.order = types.SimpleNamespace(**{**vars(array.order), "bytes": data[::-1]})


class NobodysFault(unittest.TestCase):
    def test_an_import_that_its_own_export_keeps(self):
        adapter = doubles.Importing(KeptExports)
        judged = library.Library(adapter, "/nowhere/double.py")
        for reason in ("by the export of the import, which keeps it", None):
            case = testing.make_case("consumer", "versioned", "c", "float32")
            outcomes = main.judge(case, judged, doubles.native)["outcomes"]
            self.assertEqual(testing.violations({"outcomes": outcomes}), {})
            self.assertEqual(outcomes["managed.deleter-once"].get("observed"), reason)
        # Once is enough: from then on nothing is exported to tell the dtype by.
        self.assertEqual(outcomes["dtype.no-silent-reinterpret"]["outcome"], "unsupported")

    def test_a_consumer_that_never_releases_is_not_excused(self):
        answer = consumer_test.judge(doubles.Consumer("never released"), "versioned")
        self.assertEqual(testing.violations(answer), {"managed.deleter-once": ""})

    def test_refusals_that_are_never_the_same(self):
        answer = consumer_test.judge(doubles.Importing(Counting), "major=2")
        self.assertEqual(answer["outcomes"]["version.major-checked-first"]["outcome"], "pass")

    def test_a_wrong_write_of_the_adapter_does_not_touch_what_is_judged(self):
        judged = library.Library(WritesBackwards(), "/nowhere/double.py")
        case = testing.make_case("producer", "max_version=1.3", "c", "float32")
        answer = main.judge(case, judged, doubles.native)
        self.assertEqual(testing.violations(answer), {})
        self.assertEqual(answer["outcomes"]["tensor.element-address"]["outcome"], "pass")


if __name__ == "__main__":
    unittest.main()
