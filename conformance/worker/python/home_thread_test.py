"""A library that belongs to one thread may leave what is released on another until it is next used on its own."""

import threading
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from dlspec_worker.trial.threads import Home
from exhibits import doubles

waiting.PATIENCE = 0.1
HOME = threading.get_ident()


def is_home():
    return threading.get_ident() == HOME


class HomeExport(doubles.Array):
    """What exports of other threads need goes at the next export at home."""

    later, comes_to_it = [], True

    def __dlpack__(self, **keywords):
        if not is_home():
            self.later.append(self)
        elif self.comes_to_it:
            self.later.clear()
        return super().__dlpack__(**keywords)


class NeverExport(HomeExport):
    comes_to_it = False


class HomeImport(doubles.Import):
    """Is released at the next import at home where it was given up elsewhere."""

    later, comes_to_it = [], True

    def __init__(self, capsule, fault):
        while self.comes_to_it and is_home() and self.later:
            self.later.pop().release()
        super().__init__(capsule, fault)

    def __del__(self):
        if hasattr(self, "taken"):
            if is_home():
                self.taken.release()
            else:
                self.later.append(self.taken)


class NeverImport(HomeImport):
    comes_to_it = False


def found(adapter, role, stimulus):
    library = Library(adapter, "/nowhere/double.py")
    case = testing.make_case(role, f"path:thread=other+stimulus={stimulus}")
    return set(testing.violations(main.judge(case, library, doubles.native)))


class HomeThread(unittest.TestCase):
    PRODUCER = ("consumed", "unconsumed", "many-consumed")
    CONSUMER = ("copy=true", "versioned")

    def test_what_waits_for_its_own_thread_is_released(self):
        for stimulus in self.PRODUCER:
            self.assertEqual(found(doubles.Producer("", HomeExport), "producer", stimulus), set(), stimulus)
        for stimulus in self.CONSUMER:
            self.assertEqual(found(doubles.Importing(HomeImport), "consumer", stimulus), set(), stimulus)

    def test_what_is_never_released_is_told(self):
        for stimulus in ("consumed", "unconsumed"):
            told = found(doubles.Producer("", NeverExport), "producer", stimulus)
            self.assertTrue(any(rule.startswith("managed.") for rule in told), (stimulus, told))
        for stimulus in self.CONSUMER:
            told = found(doubles.Importing(NeverImport), "consumer", stimulus)
            self.assertTrue(any(rule.startswith("managed.") for rule in told), (stimulus, told))


class Visits(unittest.TestCase):
    def test_the_library_is_used_at_home_while_the_other_thread_waits(self):
        used = []
        home = Home(lambda: used.append(threading.get_ident()))
        self.assertTrue(home.run_beside(lambda: waiting.settle(lambda: bool(used), 5)))
        self.assertEqual(used, [HOME])
        self.assertIsNone(Home.waiting)

    def test_an_exception_on_the_other_thread_is_raised(self):
        with self.assertRaises(ZeroDivisionError):
            Home(lambda: None).run_beside(lambda: 1 // 0)

    def test_at_home_nothing_is_asked(self):
        Home.waiting = Home(lambda: None)
        try:
            self.assertFalse(waiting.settle(lambda: False, 0))
        finally:
            Home.waiting = None


if __name__ == "__main__":
    unittest.main()
