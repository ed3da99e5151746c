"""Exchange tables that break a rule beside other exports and imports, or in what they say of owners and flags."""

import unittest
import weakref

import producer_test
import testing
from dlspec_worker.trial import waiting
from exhibits import doubles, exchange_producers, process_faults

waiting.PATIENCE = 0.1


class Flagged(exchange_producers.TableArray):
    """Every export through the table has this flag."""

    flag = 0

    def exported(self):
        capsule = super().exported()
        doubles.Taken(capsule, rename=False).struct.flags |= self.flag
        return capsule


class SaysCopied(Flagged):
    flag = 2


class SaysReadOnly(Flagged):
    flag = 1


class Throws(exchange_producers.TableArray):
    def exported(self):
        return process_faults.compiled_deleter(super().exported(), "throws")


class Beside(exchange_producers.TableArray):
    """`first` is called for an import beside which there is no other, `further` for any other."""

    living = ()

    @classmethod
    def imported(cls, capsule):
        living = [each for each in cls.living if each() is not None]
        made = cls.further(capsule) if living else cls.first(capsule)
        cls.living = (*living, weakref.ref(made))
        return made

    @classmethod
    def first(cls, capsule):
        return super().imported(capsule)

    @classmethod
    def further(cls, capsule):
        return super().imported(capsule)


class NeverReleasesFurther(Beside):
    @classmethod
    def further(cls, capsule):
        made = super().further(capsule)
        made.taken.fault = "never released"
        return made


class ReleasesFurtherRefused(Beside):
    @classmethod
    def further(cls, capsule):
        try:
            return super().further(capsule)
        except BufferError:
            doubles.Taken(capsule, rename=False).release()
            raise


class ThrowsInCopies(doubles.Array):
    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        return process_faults.compiled_deleter(capsule, "throws") if keywords.get("copy") else capsule


# kind of arrays, variant, the rule that it breaks
TABLE = (
    (SaysCopied, "table-export", "exchange.flags-still-apply"),
    (SaysReadOnly, "table-export", "exchange.flags-still-apply"),
    (Throws, "table-owned", "exchange.from-owning"),
    (NeverReleasesFurther, "table-import", "exchange.to-steals"),
    (ReleasesFurtherRefused, "table-import=unknown-dtype", "exchange.to-failure-ownership"),
)


class WithoutNegativeStrides(exchange_producers.Tables):
    """Makes no arrays of negative strides, and reads such tensors wrongly."""

    def __init__(self):
        super().__init__("", ReadsBackwards)

    def make(self, order):
        if min(order.strides or (0,), default=0) < 0:
            raise NotImplementedError("no negative strides")
        return super().make(order)


class ReadsBackwards(exchange_producers.TableArray):
    @classmethod
    def imported(cls, capsule):
        made = super().imported(capsule)
        if min(made.taken.look["strides"] or (0,), default=0) < 0:
            made.taken.live, made.taken.bytes = False, made.taken.bytes[::-1]
        return made


class Tables(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for kind, variant, rule in TABLE:
            with self.subTest(kind=kind.__name__):
                answer = producer_test.judge(exchange_producers.Tables("", kind), variant)
                self.assertEqual(list(testing.violations(answer)), [rule], answer)

    def test_tensors_are_imported_that_the_library_cannot_make(self):
        answer = producer_test.judge(WithoutNegativeStrides(), "table-import", "negative")
        self.assertEqual(list(testing.violations(answer)), ["tensor.element-address"], answer)

    def test_deleters_of_copies_throw_nothing(self):
        for kind, violated in ((ThrowsInCopies, ["managed.deleter-nothrow"]), (doubles.Array, [])):
            answer = producer_test.judge(doubles.Producer("", kind), "callback")
            self.assertEqual(list(testing.violations(answer)), violated, answer)

    def test_twins_break_nothing(self):
        for kind in (Flagged, Beside):
            for variant in {variant for _, variant, _ in TABLE}:
                with self.subTest(kind=kind.__name__, variant=variant):
                    answer = producer_test.judge(exchange_producers.Tables("", kind), variant)
                    self.assertEqual(testing.violations(answer), {}, answer)


if __name__ == "__main__":
    unittest.main()
