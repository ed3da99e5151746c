"""Faults on one branch of a request, a refusal or a registry: each is found under its rule, and its twin is not."""

import unittest

from changed_since_test import judge
from exhibits import doubles


class ComparesAsDecimals(doubles.Array):
    """0.10 is the same number as 0.1, but counts as more than 0.9."""

    def answer(self, max_version, copy):
        is_new = max_version is not None and max_version[0] == 0 and max_version[1] >= 10
        return super().answer((1, 0) if is_new else max_version, copy)


class KnowsNumbersAlone(doubles.Array):
    """An enumerator is another device than its number: the array is transferred there."""

    def __dlpack__(self, *, dl_device=None, max_version=None, **others):
        if dl_device is not None and type(dl_device[0]) is not int:
            others["copy"] = True
        return super().__dlpack__(dl_device=dl_device, max_version=max_version, **others)


class Swapped(doubles.Array):
    """An array of foreign byte order, which is exported as a copy alone."""

    keeps_order = False

    def answer(self, max_version, copy):
        if not copy:
            raise BufferError("foreign byte order")
        return super().answer(max_version, copy)

    def of_copies(self):
        return {"contents": self.order.bytes[::-1]} if self.keeps_order else {}


class SwappedByMemcpy(Swapped):
    """The copy has the bytes as they are."""

    keeps_order = True


class Odd(doubles.Producer):
    def __init__(self, kind):
        super().__init__()
        self.odd_kind = kind

    def odd(self, kind, order):
        return self.odd_kind(order)


class ReadsTheMessage(doubles.Importing):
    """Asks again only where the TypeError speaks of an unexpected keyword."""

    def __init__(self):
        super().__init__(doubles.Import)
        ask = self.base.ask

        def ask_once(source, copy=None):
            try:
                source.__dlpack__(max_version=(1, 3), copy=copy)
            except TypeError as error:
                if "unexpected keyword" not in str(error):
                    raise
            return ask(source, copy)

        self.base.ask = ask_once


class RemembersWhoMayWrite(doubles.Import):
    """Whether memory may be written is known by its address, from the first import on that lives."""

    living = {}

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.read_only = self.living.setdefault(self.place, self.read_only)

    def __del__(self):
        self.living.pop(self.place, None)
        super().__del__()


class OneBranch(unittest.TestCase):
    def check(self, right, wrong, place, rule):
        self.assertEqual(judge(right, *place), {})
        self.assertEqual(list(judge(wrong, *place)), [rule])

    def test_version_0_10(self):
        wrong = doubles.Producer(base=ComparesAsDecimals)
        rule = "python.max-version-0-legacy-or-buffererror"
        self.check(doubles.Producer(), wrong, ("producer", "max_version=0.8"), rule)

    def test_the_own_device_by_an_enumerator(self):
        wrong = doubles.Producer(base=KnowsNumbersAlone)
        self.check(doubles.Producer(), wrong, ("producer", "dl_device=own"), "python.dl-device-own")

    def test_a_copy_of_foreign_byte_order(self):
        self.check(Odd(Swapped), Odd(SwappedByMemcpy), ("producer", "byte-order"), "dtype.native-endian")

    def test_a_type_error_that_names_no_keyword(self):
        right = doubles.Importing(doubles.Import)
        self.check(right, ReadsTheMessage(), ("consumer", "legacy-only"), "python.consumer-typeerror-retry")

    def test_read_only_memory_that_another_import_may_write(self):
        right, wrong = doubles.Importing(doubles.Import), doubles.Importing(RemembersWhoMayWrite)
        self.check(right, wrong, ("consumer", "same-memory"), "flags.read-only-respected")


if __name__ == "__main__":
    unittest.main()
