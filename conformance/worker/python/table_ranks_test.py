"""Exchange tables that break a rule at one rank, and what they say of streams."""

import ctypes
import unittest

import producer_test
import testing
from dlspec_worker.exchange_api import tables
from exhibits import doubles, exchange_producers

native = testing.load_native()


class SharesVectors(exchange_producers.TableArray):
    """Vectors that are lent have one shape and the same strides for all, which is written anew with each loan."""

    rank = 1
    shape = doubles.keep(bytes(8 * 40))

    @property
    def lent(self):
        return self.kept

    @lent.setter
    def lent(self, capsule):
        self.kept = capsule
        if capsule is not None and len(self.order.shape) == self.rank:
            for axis, extent in enumerate(self.order.shape):
                ctypes.c_int64.from_address(self.shape + 8 * axis).value = extent
            doubles.Taken(capsule, rename=False).tensor.shape = self.shape


class SharesLongLists(SharesVectors):
    rank = 5


class StickyTable(exchange_producers.Table):
    """An error of current_work_stream is said again by the next call."""

    has_failed = False

    def stream(self, device_type, device_id, attached):
        failed, self.has_failed = self.has_failed, device_type != 1
        if failed or device_type != 1:
            raise BufferError("there is no such device")


class Sticky(exchange_producers.TableArray):
    @classmethod
    def publish(cls):
        cls.place = native.api_table(StickyTable(cls), cls.version, cls.previous)
        setattr(cls, tables.NAME, native.api_publish(cls.place))


class OfManyAxes(exchange_producers.TableArray):
    """Tensors of as many axes as are asked for, and of `missing` less where those are many."""

    missing = 0
    ones = doubles.keep(b"\1\0\0\0\0\0\0\0" * 256)

    @classmethod
    def allocated(cls, name, shape, size):
        capsule = super().allocated(name, shape[:1], size)
        if len(shape) > 64:
            tensor = doubles.Taken(capsule, rename=False).tensor
            tensor.ndim, tensor.shape, tensor.strides = len(shape) - cls.missing, cls.ones, cls.ones
        return capsule if len(shape) > 64 else super().allocated(name, shape, size)


class OfFewerAxes(OfManyAxes):
    missing = 1


class TableRanks(unittest.TestCase):
    def test_lists_that_loans_share(self):
        for kind, violated in ((SharesVectors, True), (SharesLongLists, True), (exchange_producers.TableArray, False)):
            answer = producer_test.judge(exchange_producers.Tables("", kind), "table-borrow-many")
            found = ["exchange.dltensor-no-temp-alloc"] if violated else []
            self.assertEqual(list(testing.violations(answer)), found, answer)

    def test_tensors_of_200_axes(self):
        for kind, found in ((OfManyAxes, []), (OfFewerAxes, ["exchange.alloc-result"])):
            answer = producer_test.judge(exchange_producers.Tables("", kind), "table-allocator=rank")
            self.assertEqual(list(testing.violations(answer)), found, answer)
            self.assertNotIn("unsupported", [each["outcome"] for each in answer["outcomes"].values()], answer)

    def test_an_error_of_another_device_that_the_host_gets(self):
        for kind, found in ((Sticky, "violated"), (exchange_producers.TableArray, "pass")):
            adapter = exchange_producers.Tables("", kind)
            outcomes = producer_test.judge(adapter, "table-stream=unknown-device")["outcomes"]
            self.assertEqual(outcomes["exchange.stream-cpu"]["outcome"], found, outcomes)


if __name__ == "__main__":
    unittest.main()
