"""Each exhibit differs from its twin in one point: one fault by name, or one member that a class replaces."""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(HERE, "..", "..", "..", "worker", "python")]
os.environ.setdefault("DLSPEC_EXHIBIT", "doubles.Array")

import exhibit_rows  # noqa: E402
import zoo  # noqa: E402


def rows():
    """(name, twin) of every row of the table."""
    table = exhibit_rows.whole_table()
    found = re.findall(r'^DLSPEC_EXHIBIT\(\w+, \w+, "([^"]+)",\s*"([^"]+)"\)$', table, re.MULTILINE)
    return [row for row in found if not row[0].startswith("plugin:")]  # one function of a table, by their construction


def points(name, twin):
    """What the exhibit changes of its twin."""
    (kind, fault), (clean, none) = zoo.parts(name), zoo.parts(twin)
    changed = {f"fault {fault}"} if fault != none else set()
    for each in kind.__mro__[: kind.__mro__.index(clean)]:
        changed |= {member for member in vars(each) if member in replaceable(clean)}
    return changed


def replaceable(kind):
    """The members that a class defines or inherits, without those that Python gives every class."""
    return {member for each in kind.__mro__[:-1] for member in vars(each)} - {
        "__module__",
        "__doc__",
        "__dict__",
        "__weakref__",
    }


class Twins(unittest.TestCase):
    def test_every_row_is_read(self):
        table = exhibit_rows.whole_table()
        self.assertEqual(len(rows()), len(re.findall(r'^DLSPEC_EXHIBIT\(\w+, \w+, "(?!plugin:)', table, re.M)))
        self.assertGreater(len(rows()), 100)

    def test_one_point(self):
        for name, twin in rows():
            with self.subTest(exhibit=name):
                self.assertEqual(len(points(name, twin)), 1, points(name, twin))

    def test_the_count_sees_two_points(self):
        self.assertEqual(points("producer_protocol.OneThread", "doubles.Array"), {"__dlpack__"})
        self.assertEqual(
            points("producer_protocol.Positional:wrong bytes", "doubles.Array"), {"__dlpack__", "fault wrong bytes"}
        )


if __name__ == "__main__":
    unittest.main()
