"""Subjects that are odd and conform are not blamed: no failure, no warning, nothing that dlspec trips over."""

import collections
import gc
import os
import sys
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(os.path.dirname(HERE)), "worker", "python")]

import rows  # noqa: E402
import sequence_testing  # noqa: E402
import testing  # noqa: E402
from dlspec_worker import exchanges, main  # noqa: E402
from dlspec_worker.observing import leaks  # noqa: E402
from dlspec_worker.subject import own  # noqa: E402
from dlspec_worker.subject.library import Library  # noqa: E402
from dlspec_worker.trial import waiting  # noqa: E402

native = testing.load_native()
native.set_quarantine(64)
leaks.WARM_UP, leaks.BATCH = 50, 200
gc.collect()
gc.freeze()  # as the worker does: collections are what takes the time
DTYPES = ("float32", "uint8", "complex128", "float32", "bool", "int64")  # in turn: a row is tried with one
PARTS = 6  # a build tries every sixth of the rows that say what permits them; `nightly --only odd` runs them all
CASES = 2  # a row is tried with half of the cases, drawn by its name
PATHS = 4
LARGE = 16  # every 16th row makes arrays of more than 1 MiB, element by element


def chosen(role):
    """name -> adapter: the oldest rows, and every sixth of the others."""
    others = [name for name, _, _ in rows.facts(role)]
    return {name: each for name, each in rows.ROWS[role].items() if name not in others or name in others[::PARTS]}


def patience_of(name):
    """Seconds; most rows release at once."""
    return 2.0 if name in rows.LATE else 0.1


def sequences():
    """Sequences of steps over arrays that are alike, written to, materialised late, or held by others."""
    yield from (
        "make a0 c float32 library; export e0 a0 versioned; write e0 1; export e1 a0 copy; drop e1; drop e0",
        "make a0 scalar float32 library; make a1 scalar float32 library; export e0 a0 versioned; drop a0; drop e0; "
        "export e1 a1 versioned; take e1; release e1 thread",
        "make a0 c uint8 library; export e0 a0 legacy; export e1 a0 versioned; refuse a0 device; take e0; "
        "raise e1; release e0 unlocked; write a0 2; collect; export e2 a0 nocopy; drop a0; drop e2",
    )


def verdict_of(rule, answer):
    """fail, warn, info, or "" for what is no finding."""
    if answer["outcome"] != "violated":
        return ""
    return str(testing.verdict(rule, answer))


def is_asked(name, text):
    """Whether the row of this name is tried with the case. Without a name all are."""
    return not name or zlib.crc32(f"{name} {text}".encode()) % CASES == 0


def judged(role, adapter, dtype, large=True, name=""):
    """(case, its answer) for the variants and layouts of the plan's tables; those of large arrays only if wanted."""
    library = Library(adapter, "/nowhere/odd.py")
    for (tried, variant, layout), rules in testing.variants().items():
        # Who trusts producers may die of what no producer may make, and gets a warning for that.
        if tried != role or variant.startswith("hostile=") or not is_asked(name, f"{variant} {layout}"):
            continue
        if large or not variant.startswith("large"):
            case = testing.make_case(role, variant, layout, dtype, rules)
            yield case["id"], main.judge(case, library, native)


def blamed(case, answer, expected=()):
    """(case, rule, what was observed) of each failure and warning, and of what dlspec tripped over."""
    return [
        (case, rule, each["observed"])
        for rule, each in answer.get("outcomes", {}).items()
        if (each["outcome"] == "blocked" and "dlspec's worker failed" in each["observed"])
        or (verdict_of(rule, each) in ("fail", "warn") and rule not in expected)
    ]


class Conforming(unittest.TestCase):
    def check(self, role):
        for number, (name, adapter) in enumerate(chosen(role).items()):
            dtype = DTYPES[number % len(DTYPES)]
            waiting.PATIENCE = patience_of(name)
            with self.subTest(odd=name, dtype=dtype):
                self.check_one(role, adapter, dtype, rows.EXPECTED.get(name, set()), number % LARGE == 0, name)

    def check_one(self, role, adapter, dtype, expected, large=True, name=""):
        found, kinds = [], collections.Counter()
        for case, answer in judged(role, adapter, dtype, large, name):
            self.assertNotIn("adapter_fault", answer, case)
            kinds.update(each["outcome"] for each in answer.get("outcomes", {}).values())
            found += blamed(case, answer, expected)
        self.assertEqual(found, [])
        return kinds

    def test_producers(self):
        self.check("producer")

    def test_consumers(self):
        self.check("consumer")

    def test_exchanges(self):
        """Each with dlspec's own array, or with dlspec's own consumer."""
        ours = own.library(native)
        pairs = [(name, Library(adapter, ""), ours) for name, adapter in chosen("producer").items()]
        pairs += [(name, ours, Library(adapter, "")) for name, adapter in chosen("consumer").items()]
        for name, *sides in pairs:
            with self.subTest(odd=name):
                for variant, layout in testing.exchanges():
                    answer = exchanges.judge(testing.make_case("exchange", variant, layout), sides, native)
                    self.assertNotIn("adapter_fault", answer)
                    self.assertEqual(blamed(variant, answer), [])

    def test_paths(self):
        """Some for each row, others for the next, and those that write to the source while exports live."""
        for role, table in rows.ROWS.items():
            paths = [path for path in testing.paths() if path[0] == role and "size=large" not in path[3]]
            writing = [path for path in paths if "before=legacy-alive+after=source-written" in path[3]]
            for number, (name, adapter) in enumerate(table.items()):
                library, waiting.PATIENCE = Library(adapter, ""), patience_of(name)
                with self.subTest(odd=name):
                    for _, dtype, layout, variant in paths[number % 61 :: 61][:PATHS] + writing[:1]:
                        answer = main.judge(testing.make_case(role, variant, layout, dtype), library, native)
                        self.assertNotIn("adapter_fault", answer)
                        self.assertEqual(blamed(variant, answer, rows.EXPECTED.get(name, ())), [])

    def test_sequences(self):
        """A few, by every row that makes arrays."""
        for name, adapter in rows.PRODUCERS.items():
            library, waiting.PATIENCE = Library(adapter, ""), patience_of(name)
            with self.subTest(odd=name):
                answer = main.judge(sequence_testing.case_of(*sequences()), library, native)
                self.assertEqual(blamed("sequence", answer), [])

    def test_an_export_that_is_refused_moves_nothing(self):
        """python.device-cheap is only told: `blamed` does not see it."""
        library = Library(rows.PRODUCERS["one export at a time"], "")
        answer = main.judge(testing.make_case("producer", "device"), library, native)
        self.assertEqual(answer["outcomes"]["python.device-cheap"], {"outcome": "pass"})

    def check_case(self, role, name, variant, layout, dtype):
        answer = main.judge(testing.make_case(role, variant, layout, dtype), Library(rows.ROWS[role][name], ""), native)
        self.assertEqual(blamed(variant, answer), [], name)

    def test_a_thread_of_its_own_is_kept_to(self):
        """After a refusal the export of another thread is refused, as that of any array is."""
        variant = "path:max_version=0.8+origin=part+before=refusal+thread=other"
        self.check_case("producer", "exports on one thread alone", variant, "c", "uint8")

    def test_one_export_at_a_time_is_kept_to(self):
        """While earlier exports live the next is refused, whatever was before them."""
        variant = "path:max_version=1.0+origin=part+before=exception+after=earlier-released"
        self.check_case("producer", "one export at a time", variant, "c", "uint16")

    def test_a_source_that_makes_no_copy_blames_nobody(self):
        variant = "path:copy=false+stimulus=keywords=none"
        self.check_case("consumer", "copy=True in each request", variant, "negative", "uint8")

    def test_where_copies_are_needed_copy_false_is_refused(self):
        for name in ("read-only tensors are copied", "few elements are copied"):
            self.check_case("consumer", name, "path:copy=false+stimulus=read-only", "negative", "uint8")

    def test_each_row_says_what_permits_it_and_stands_once(self):
        for role, table in rows.ROWS.items():
            stated = [name for name, _, _ in rows.facts(role)]
            self.assertEqual(len(table) - len(set(stated)), len(rows.OLDEST[role]))
            self.assertEqual(len(stated), len(set(stated)))
            self.assertTrue(all(len(fact) > 20 for _, _, fact in rows.facts(role)))
        named = {*rows.PRODUCERS, *rows.CONSUMERS}
        self.assertEqual((rows.LATE | set(rows.EXPECTED)) - named, set())

    def test_the_ordinary_ones_are_judged(self):
        for role, table in rows.ROWS.items():
            kinds = self.check_one(role, next(iter(table.values())), "float32", set())
            self.assertGreater(kinds["pass"], 2 * sum(kinds.values()) // 5, kinds)


if __name__ == "__main__":
    unittest.main()
