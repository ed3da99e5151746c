"""No library is blamed for what its adapter, or a copy, does: readers that cache, writers that ignore strides."""

import ctypes
import itertools
import operator
import time
import unittest

from blame_test import Ordinary, Reversed, judge, violated
from exhibits import doubles


class BytesAsStrides(doubles.Import):
    """Shows elements as if strides counted bytes."""

    def now(self):
        indices = itertools.product(*map(range, self.look["shape"]))
        steps = self.look["strides"] or doubles.row_major(self.look["shape"])
        size = self.look["dtype"][1] // 8
        places = [self.place + sum(map(operator.mul, index, steps)) for index in indices]
        return b"".join(ctypes.string_at(place, size) for place in places)


class ByteStridesOfConsumers(unittest.TestCase):
    def test_whose_reader_they_are(self):
        answer = judge(Ordinary(BytesAsStrides), "consumer", "zero-copy")
        self.assertEqual(list(violated(answer)), ["tensor.strides-unit"])
        # Without make() nobody knows whether the library or its adapter counts in bytes.
        for variant in ("versioned", "zero-copy"):
            answer = judge(doubles.Importing(BytesAsStrides), "consumer", variant)
            self.assertEqual(violated(answer), {}, variant)


class ReadsOnce(doubles.Producer):
    """An adapter whose contents() keeps what it has read: a write into the memory does not show."""

    def contents(self, array):
        return array.order.bytes


class MemoryIsTold(unittest.TestCase):
    def test_a_reader_that_keeps_what_it_read(self):
        # Plain exports are copies here, as they may be; copy=False shares the array's memory.
        self.assertEqual(violated(judge(ReadsOnce("needless copy"), "producer", "copy=false")), {})
        found = violated(judge(ReadsOnce("copy=False copies"), "producer", "copy=false"))
        self.assertEqual(list(found), ["python.copy-false"])


class Unreadable(doubles.Import):
    """Its elements are shown where they are compact alone."""

    def now(self):
        if self.look["strides"] != doubles.row_major(self.look["shape"]):
            raise MemoryError
        return super().now()


class ReadsCopies(Ordinary):
    """Reads a copy too, which is right."""

    def normalised(self, array):
        return array.bytes


class CopiesAreNamed(unittest.TestCase):
    def test_what_a_copy_repairs(self):
        for base, named in ((ReadsCopies, True), (Ordinary, False)):
            answer = judge(base(Reversed), "consumer", "versioned")
            self.assertEqual("a copy of it" in violated(answer)["tensor.element-address"], named)

    def test_what_only_a_copy_shows(self):
        for base, outcome in ((ReadsCopies, "pass"), (Ordinary, "unsupported")):
            answer = judge(base(Unreadable), "consumer", "versioned", "negative")
            self.assertEqual(answer.get("outcomes", {}).get("tensor.element-address", {}).get("outcome"), outcome)


class IgnoresStrides(doubles.Import):
    """What an adapter's write() does that copies into the memory from the first element on."""

    def write(self, data):
        ctypes.memmove(self.place, data, len(data))


class PastTheLibrary(doubles.Producer):
    """An adapter whose write() knows the array's memory."""

    def write(self, array, data):
        array.held[:] = data


class ReadOnly(doubles.Array):
    """Marks every export READ_ONLY."""

    def fields(self):
        return {"flags": 1}


class WritersAreChecked(unittest.TestCase):
    def test_a_write_that_ignores_strides(self):
        for layout in ("broadcast", "overlap"):
            answer = judge(doubles.Importing(IgnoresStrides), "consumer", "overlap-write", layout)
            self.assertIn("write() does not follow strides", answer.get("adapter_fault", ""), layout)

    def test_a_write_past_the_library(self):
        answer = judge(PastTheLibrary(base=ReadOnly), "producer", "max_version=1.3")
        self.assertIn("read-only", answer.get("adapter_fault", ""))
        answer = judge(doubles.Producer(base=ReadOnly), "producer", "max_version=1.3")
        self.assertEqual(list(violated(answer)), ["flags.read-only-truthful"])


class HasLittleMemory(doubles.Producer):
    def make(self, order):
        if len(order.bytes) > 1 << 20:
            raise MemoryError
        return super().make(order)


class LittleMemory(unittest.TestCase):
    def test_it_is_no_fault_of_the_adapter(self):
        answer = judge(HasLittleMemory(), "producer", "large")
        self.assertEqual(answer["unsupported"], "make() found too little memory")


class LooksSlowly(doubles.Producer):
    """An adapter that goes through its elements one by one."""

    longest = 0

    def contents(self, array):
        held = super().contents(array)
        self.longest = max(self.longest, len(held))
        ends = time.process_time() + len(held) / (1 << 18)
        while time.process_time() < ends:
            pass
        return held


class LargeArrays(unittest.TestCase):
    def test_a_slow_adapter_is_spared_them(self):
        slow = LooksSlowly()
        answer = judge(slow, "producer", "large")
        self.assertIn("too long", answer["unsupported"])
        self.assertLess(slow.longest, 1 << 17)

    def test_others_are_not(self):
        self.assertNotIn("unsupported", judge(doubles.Producer(), "producer", "large"))


if __name__ == "__main__":
    unittest.main()
