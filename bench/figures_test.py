"""Tests of figures.py on small documents."""

import os
import sys
import tempfile
import unittest
import xml.dom.minidom

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import figures  # noqa: E402


def case(name, ours, quartiles=None, peers=None, group="t2d", core=True):
    peers = {"numpy": 0.5} if peers is None else peers
    return {
        "name": name,
        "class": group,
        "core": core,
        "memcpy_us": 1.0,
        "limit": 1.2,
        "goal": None,
        "ratios": {"memcpy": 1.0, "avx2": ours, **peers},
        "quartiles": {"avx2": quartiles or [ours, ours]},
        "peers": sorted(peers),
    }


def document(*cases, threads=1):
    return {"schema": figures.SCHEMA, "threads": threads, "engine": "avx2", "peers": "NumPy 2", "cases": list(cases)}


class Figures(unittest.TestCase):
    def test_the_table_names_the_best_peer_and_counts_against_it(self):
        text = figures.table(
            document(case("a", 0.9, peers={"numpy": 0.3, "eigen": 0.6}), case("b", 0.4), case("c", 0.8, peers={}))
        )
        self.assertIn("| t2d | a | 0.90 | eigen 0.60 | 1.50 | 1.20 |  |", text)
        self.assertIn("| c | 0.80 | none |", text)
        self.assertIn(
            "1 of 2 cases with a peer are at least 1.10 times the best one, 1 below 0.95; the least is 0.80", text
        )
        self.assertIn("3 core cases: 0.66", text)

    def test_two_runs_stand_side_by_side_and_what_misses_its_goal_is_bold(self):
        missed = {**case("a", 0.9), "goal": 1.0}
        text = figures.both(document(missed, case("b", 0.4, peers={}, core=False)), document(case("a", 0.8), threads=2))
        self.assertIn("| a * | **0.90** | 0.50 numpy | 1.20 | 1.00 | 0.80 | 0.50 numpy | 1.20 |  |", text)
        self.assertIn("| b | 0.40 |  | 1.20 |  |  |  |  |  |", text)
        self.assertIn("2 thread(s):\n\n- geometric mean of the 1 core cases: 0.80", text)

    def test_a_change_is_told_from_noise_by_the_rounds(self):
        old = document(
            case("noisy", 1.0, [0.8, 1.2]),
            case("fast", 1.0, [0.9, 1.1]),
            case("slow", 1.0, [0.9, 1.1]),
            case("tiny", 1.0),
        )
        new = document(
            case("noisy", 1.3, [1.1, 1.4]),
            case("fast", 1.5, [1.4, 1.6]),
            case("slow", 0.5, [0.4, 0.6]),
            case("tiny", 1.01),
        )
        lines, slower = figures.compare(old, new)
        self.assertEqual([line.split()[:2] for line in lines[:2]], [["faster", "fast"], ["slower", "slow"]])
        self.assertEqual(lines[2], "2 of 4 cases cannot be told from noise")
        self.assertTrue(slower)
        self.assertFalse(figures.compare(old, old)[1])

    def test_cases_that_come_and_go_are_named(self):
        lines, slower = figures.compare(document(case("a", 1.0)), document(case("b", 1.0)))
        self.assertEqual(lines[:2], ["new     b", "gone    a"])
        self.assertFalse(slower)

    def test_runs_of_other_threads_are_not_compared(self):
        with self.assertRaises(figures.Unusable):
            figures.compare(document(case("a", 1.0)), document(case("a", 1.0), threads=2))

    def test_each_class_has_its_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            figures.write_plots(document(case("a<b", 0.9), case("c", 0.8, peers={}, group="flip")), folder)
            self.assertEqual(sorted(os.listdir(folder)), ["flip.svg", "t2d.svg"])
            for name, bars in (("t2d.svg", 3), ("flip.svg", 2)):
                tree = xml.dom.minidom.parse(os.path.join(folder, name))
                self.assertEqual(len(tree.getElementsByTagName("rect")), bars + 1)

    def test_a_file_that_is_none_of_ours_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.json")
            for text in ("", "[]", '{"schema": "other"}'):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaisesRegex(figures.Unusable, "x.json"):
                    figures.read(path)


if __name__ == "__main__":
    unittest.main()
