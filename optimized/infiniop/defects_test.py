"""Twenty mistakes with which other implementations of this interface crash or return wrong results, and what this one
returns. Those of the helpers (15 to 17) are also tested on the C++ functions, by
optimized/testing/views_differential_test.cc.

Usage: defects_test.py FOLDER [unittest arguments]
"""

import ctypes
import subprocess
import sys
import unittest

import client
import client_test
from client import F32, Tensor, out, row_major, sizes, steps

LARGE = 2**62


class Defects(client_test.Case):
    def create(self, ndim, shape, strides, dtype=F32):
        """The status alone."""
        made = ctypes.c_void_p(1)
        status = self.library.infiniopCreateTensorDescriptor(ctypes.byref(made), ndim, shape, strides, dtype)
        self.assertEqual(made.value is None, status != client.SUCCESS)
        self.library.infiniopDestroyTensorDescriptor(made)
        return status

    library = client_test.library

    def run_once(self, made, dst, src):
        return self.library.infiniopRearrange(made, dst, src, None)

    def test_01_missing_arguments_are_named(self):
        api, tensor, handle, made = self.library, self.tensor((2,)), self.handle(), out()
        operator = self.operator(((2,), None), ((2,), None))
        null = client.NULL_POINTER
        self.assertEqual(api.infiniopCreateHandle(None), null)
        self.assertEqual(api.infiniopDestroyHandle(None), null)
        self.assertEqual(api.infiniopCreateTensorDescriptor(None, 1, sizes((2,)), None, F32), null)
        self.assertEqual(self.create(1, None, None), null)
        self.assertEqual(self.create(0, None, None), client.SUCCESS)
        self.assertEqual(api.infiniopDestroyTensorDescriptor(None), client.SUCCESS)
        for arguments in (
            (None, ctypes.byref(made), tensor, tensor),
            (handle, None, tensor, tensor),
            (handle, ctypes.byref(made), None, tensor),
            (handle, ctypes.byref(made), tensor, None),
        ):
            self.assertEqual(api.infiniopCreateRearrangeDescriptor(*arguments), null)
        memory = ctypes.create_string_buffer(64)
        self.assertEqual(api.infiniopRearrange(None, memory, memory, None), null)
        self.assertEqual(api.infiniopRearrange(operator, None, memory, None), null)
        self.assertEqual(api.infiniopRearrange(operator, memory, None, None), null)
        self.assertEqual(api.infiniopDestroyRearrangeDescriptor(None), null)
        self.assertEqual(api.infiniopGetDescriptorDeviceType(None, ctypes.byref(made)), null)
        self.assertEqual(api.infiniopGetDescriptorDeviceType(operator, None), null)
        self.assertEqual(api.infiniopGetDescriptorDeviceId(operator, None), null)

    def test_01_objects_that_are_not_live_are_refused(self):
        api, handle, made = self.library, out(), out()
        tensor, other = self.tensor((2,)), self.tensor((2,))
        operator = self.operator(((2,), None), ((2,), None))
        self.ok(api.infiniopCreateHandle(ctypes.byref(handle)))
        bad = client.BAD_PARAM
        for wrong in (
            tensor,
            operator,
            ctypes.c_void_p(16),
            ctypes.c_void_p(2**64 - 1),
            ctypes.c_void_p(handle.value + 8),
        ):
            self.assertEqual(api.infiniopDestroyHandle(wrong), bad)
            self.assertEqual(api.infiniopCreateRearrangeDescriptor(wrong, ctypes.byref(made), tensor, other), bad)
        for wrong in (handle, operator, ctypes.c_void_p(3)):
            self.assertEqual(api.infiniopDestroyTensorDescriptor(wrong), bad)
            self.assertEqual(api.infiniopCreateRearrangeDescriptor(handle, ctypes.byref(made), wrong, other), bad)
            self.assertEqual(api.infiniopCreateRearrangeDescriptor(handle, ctypes.byref(made), other, wrong), bad)
        self.ok(api.infiniopDestroyTensorDescriptor(tensor))
        self.assertEqual(api.infiniopDestroyTensorDescriptor(tensor), bad)
        self.assertEqual(api.infiniopCreateRearrangeDescriptor(handle, ctypes.byref(made), tensor, other), bad)
        self.ok(api.infiniopDestroyHandle(handle))
        self.assertEqual(api.infiniopDestroyHandle(handle), bad)
        self.assertEqual(api.infiniopRearrange(handle, None, None, None), bad)
        self.assertEqual(api.infiniopGetDescriptorDeviceType(tensor, ctypes.byref(made)), bad)

    def test_02_out_of_memory_is_a_status(self):
        code = (
            f"import sys; sys.path.insert(0, {client.HERE!r}); import ctypes, client, resource\n"
            f"library = client.Library({client_test.FOLDER!r}); made = client.out()\n"
            "shape = client.sizes([1] * 64); seen = 0\n"
            "byref, create, kept = ctypes.byref(made), library.infiniopCreateTensorDescriptor, []\n"
            "resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
            "for i in range(1 << 20):\n"
            "    seen = create(byref, 64, shape, None, 13)\n"
            "    if seen: break\n"
            "import os; os._exit(seen if made.value is None else 99)\n"
        )
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual((ended.returncode, ended.stderr), (client.INTERNAL_ERROR, ""))

    def test_03_numbers_that_are_no_dtype(self):
        for number in (0, 20, 99, -1, 2**31 - 1, -(2**31)):
            self.assertEqual(self.create(1, sizes((2,)), None, number), client.BAD_TENSOR_DTYPE)

    def test_04_products_do_not_wrap(self):
        self.assertEqual(self.create(2, sizes((LARGE, 4)), None, 1), client.BAD_TENSOR_SHAPE)
        self.assertEqual(self.create(3, sizes((2, 2**40, 2**40)), None), client.BAD_TENSOR_SHAPE)
        self.assertEqual(self.create(1, sizes((LARGE,)), None), client.BAD_TENSOR_SHAPE)
        self.assertEqual(self.create(1, sizes((2**64 - 1,)), None, 1), client.BAD_TENSOR_SHAPE)
        self.assertEqual(self.create(1, sizes((2,)), steps((2**62,))), client.BAD_TENSOR_STRIDES)
        self.assertEqual(self.create(2, sizes((2, 2)), steps((-(2**60), 2**60)), 14), client.BAD_TENSOR_STRIDES)
        self.assertEqual(self.create(1, sizes((2,)), steps((-(2**63),)), 1), client.BAD_TENSOR_STRIDES)
        self.assertEqual(self.create(1, sizes((1,)), steps((-(2**63),)), 1), client.SUCCESS)

    def test_05_the_maximum_rank_is_64(self):
        self.assertEqual(self.create(64, sizes((1,) * 64), None), client.SUCCESS)
        for ndim in (65, 2**61, 2**63, 2**64 - 1):
            self.assertEqual(self.create(ndim, sizes((1,) * 65), None), client.BAD_PARAM)

    def test_06_tensors_without_elements_succeed(self):
        for shape in ((3, 0), (0, 3), (5, 0), (3, 0, 2), (0,)):
            for strides in (None, (0,) * len(shape), (-(2**63),) * len(shape)):
                made = self.operator((shape, strides), (shape, None))
                self.ok(self.run_once(made, None, None))
                self.ok(self.run_once(made, 1, 2**64 - 1))

    def test_07_any_alignment(self):
        for ahead in ((0, 0), (1, 0), (0, 3), (7, 5)):
            self.copies((2, 3, 8), (32, 9, 1), (32, 9, 1), F32, ahead)
            self.copies((4, 2), (2, 1), (3, 1), 6, ahead)
            for dtype in range(1, 20):
                self.copies((9, 7), (1, 9), (-7, 1), dtype, ahead)

    def test_08_destinations_that_overlap_themselves(self):
        for shape, strides in (
            ((3, 3), (1, 1)),
            ((2,), (0,)),
            ((3, 4), (2, 1)),
            ((2, 2, 2), (3, 2, 1)),
            ((4, 4), (-1, 1)),
        ):
            self.operator((shape, strides), (shape, None), client.BAD_TENSOR_STRIDES)
        for shape, strides in (
            ((2, 3), (3, 2)),
            ((3, 2), (2, 3)),
            ((2, 3), (3, 1)),
            ((2, 2), (1, -2)),
            ((1, 1), (0, 0)),
        ):
            self.copies(shape, strides, row_major(shape))

    def test_09_operands_that_overlap(self):
        made = self.operator(((4,), (2,)), ((4,), (2,)))
        memory = Tensor((40,), (1,), 4, 3)
        before = memory.now()
        for distance in (8, 4 * 2 * 3, -8, 2):
            self.assertEqual(self.run_once(made, memory.data + 80, memory.data + 80 + distance), client.BAD_PARAM)
        self.ok(self.run_once(made, memory.data, memory.data))
        self.assertEqual(memory.now(), before)
        self.ok(self.run_once(made, memory.data, memory.data + 4))
        self.assertEqual(list(memory.now()[8:16:2]), list(before[9:17:2]))

    def test_10_views_may_not_leave_their_buffers(self):
        class Buffer(ctypes.Structure):
            _fields_ = [("start", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]

        sized = self.library.find("dlspecInfiniopRearrangeSized")
        sized.argtypes = [ctypes.c_void_p, ctypes.c_void_p, Buffer, ctypes.c_void_p, Buffer, ctypes.c_void_p]
        memory, source = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
        to, start = ctypes.addressof(memory), ctypes.addressof(source)

        def answer(dst, src, to_start=to, to_bytes=24, from_start=start, from_bytes=24):
            made = self.operator(dst, src)
            return sized(made, to, Buffer(to_start, to_bytes), start, Buffer(from_start, from_bytes), None)

        # A manual lists these strides innermost first: taken literally, they leave a buffer of 6 elements.
        self.assertEqual(answer(((3, 2), (2, 1)), ((3, 2), (3, 1))), client.BAD_PARAM)
        self.assertEqual(answer(((3, 2), (2, 1)), ((3, 2), (1, 3))), client.SUCCESS)
        self.assertEqual(answer(((3, 2), (2, 1)), ((3, 2), (1, 3)), to_bytes=23), client.BAD_PARAM)
        self.assertEqual(answer(((3, 2), (2, 1)), ((3, 2), (1, 3)), from_bytes=23), client.BAD_PARAM)
        self.assertEqual(answer(((2,), None), ((2,), (-1,))), client.BAD_PARAM)
        self.assertEqual(answer(((2,), None), ((2,), (-1,)), from_start=start - 4), client.SUCCESS)
        self.assertEqual(answer(((2,), None), ((2,), None), to_start=to + 1), client.BAD_PARAM)
        self.assertEqual(answer(((2,), None), ((2,), None), to_start=0, to_bytes=2**64 - 1), client.SUCCESS)
        self.assertEqual(answer(((0,), None), ((0,), None), to_bytes=0, from_bytes=0), client.SUCCESS)
        nothing = self.operator(((0,), None), ((0,), None))
        self.assertEqual(sized(nothing, None, Buffer(None, 0), None, Buffer(None, 0), None), client.SUCCESS)
        something = self.operator(((2,), None), ((2,), None))
        self.assertEqual(sized(something, None, Buffer(None, 0), start, Buffer(start, 24), None), client.NULL_POINTER)

    def test_11_every_rank_is_decided_at_creation(self):
        for rank in (7, 14, 33, 64):
            few = min(rank, 14)
            shape = (1,) * (rank - few) + (2,) * few
            self.copies(shape, tuple(2 ** max(axis - rank + few, 0) for axis in range(rank)), row_major(shape))

    def test_12_more_than_2_to_the_32_elements(self):
        for shape in ((3 * 10**9, 2), (2**31, 2), (2**33,)):
            self.operator((shape, None), (shape, (0,) * len(shape)))
            self.operator((shape, tuple(reversed(row_major(tuple(reversed(shape)))))), (shape, None))

    def test_13_many_threads_share_an_operator(self):
        shape, strides = (40, 50), (1, 40)
        made = self.operator((shape, strides), (shape, None))
        failures = []

        def work(seed):
            for turn in range(20):
                dst, src = Tensor(shape, strides, 4, seed), Tensor(shape, row_major(shape), 4, turn)
                if self.run_once(made, dst.data, src.data) != 0 or dst.now() != client.rearranged(dst, src):
                    failures.append((seed, turn))

        client_test.run_threads(work, range(4))
        self.assertEqual(failures, [])

    def test_14_refusals_are_silent(self):
        self.is_silent(
            "made = client.out()\n"
            "library.infinirtSetDevice(1, 0); library.infiniopCreateHandle(ctypes.byref(made))\n"
            "library.infiniopCreateHandle(None)\n"
            "library.infiniopCreateTensorDescriptor(ctypes.byref(made), 65, client.sizes([1] * 65), None, 13)\n"
            "library.infiniopRearrange(16, None, None, None)\n"
            "for name in client.operator_names(): library.find(name)()\n"
        )

    def test_15_16_17_views_keep_addresses(self):
        """A leading axis of extent 1, a merged trailing axis of extent 1, and a reversed axis that is split."""
        self.operator(((4, 1, 3), (3, 3, 0)), ((4, 1, 3), None), client.BAD_TENSOR_STRIDES)
        self.operator(((1, 4), (0, 0)), ((1, 4), None), client.BAD_TENSOR_STRIDES)
        self.copies((4, 1), (1, 99), (1, 99))
        self.copies((2, 1), (1, 7), (1, 1))
        self.copies((2, 3), (-3, -1), (3, 1))
        self.copies((2, 3), (3, 1), (-3, -1))

    def test_18_a_stride_of_0_on_an_axis_that_is_not_broadcast(self):
        self.copies((1, 3), (0, 1), (3, 1))
        self.copies((0, 3), (0, 1), (3, 1))
        self.copies((0, 3), (1, 0), (3, 1))
        self.operator(((2, 3), (0, 1)), ((2, 3), None), client.BAD_TENSOR_STRIDES)

    def test_19_missing_devices(self):
        self.addCleanup(self.library.infinirtSetDevice, 0, 0)
        for device in client.devices_without_support(client_test.FOLDER):
            handle = out()
            self.assertEqual(self.library.infinirtSetDevice(device, 0), client.DEVICE_TYPE_NOT_SUPPORTED)
            self.assertEqual(self.library.infiniopCreateHandle(ctypes.byref(handle)), client.DEVICE_TYPE_NOT_SUPPORTED)

    def test_20_conversion_from_and_to_dlpack(self):
        api, shape, strides = self.library, (2, 3), (-3, 1)
        tensor = self.tensor(shape, strides)
        memory = Tensor(shape, strides, 4, 9)
        managed, again, data, reason = out(), out(), out(), ctypes.c_int(-1)
        self.ok(
            api.dlspecInfiniopToDLPackVersioned(
                tensor, memory.data, 0, None, None, ctypes.byref(managed), ctypes.byref(reason)
            )
        )
        self.ok(
            api.dlspecInfiniopFromDLPackVersioned(
                ctypes.byref(again), ctypes.byref(data), managed, 1, ctypes.byref(reason)
            )
        )
        self.assertEqual((data.value, reason.value), (memory.data, 0))
        self.ok(api.infiniopDestroyTensorDescriptor(again))
        deleter = ctypes.cast(managed.value + 16, ctypes.POINTER(ctypes.CFUNCTYPE(None, ctypes.c_void_p)))[0]
        deleter(managed)

    def test_statuses_come_in_the_documented_order(self):
        api = self.library
        many, huge = sizes((LARGE,) * 65), sizes((LARGE, 4))
        self.assertEqual(api.infiniopCreateTensorDescriptor(None, 65, None, None, 0), client.NULL_POINTER)
        self.assertEqual(self.create(65, None, None, 0), client.NULL_POINTER)
        self.assertEqual(self.create(65, many, None, 0), client.BAD_TENSOR_DTYPE)
        self.assertEqual(self.create(65, many, None), client.BAD_PARAM)
        self.assertEqual(self.create(2, huge, steps((LARGE, 1))), client.BAD_TENSOR_SHAPE)
        overlapping = ((3, 3), (1, 1))
        self.operator((*overlapping, F32), ((3, 2), None, 1), client.BAD_TENSOR_DTYPE)
        self.operator(((2,), None, F32), ((2,), None, 5), client.BAD_TENSOR_DTYPE)  # of the same size
        self.operator(overlapping, ((3, 2), None), client.BAD_TENSOR_SHAPE)
        self.operator(overlapping, ((3, 3, 1), None), client.BAD_TENSOR_SHAPE)
        self.operator(overlapping, ((3, 3), None), client.BAD_TENSOR_STRIDES)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
