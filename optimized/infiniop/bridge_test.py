"""Converts DLPack tensors to descriptors and back, with the libraries.

Usage: bridge_test.py FOLDER [unittest arguments]
"""

import ctypes
import pathlib
import runpy
import sys
import unittest

import client
import client_test
from client import SIZES, Tensor, out, row_major, sizes

(NONE, MISSING, VERSION, FLAGS, DEVICE, DTYPE, LANES, PADDED) = range(8)
(RANK, SHAPE, NULL_STRIDES, STRIDES, OFFSET, READ_ONLY, MEMORY, OBJECT) = range(8, 16)

# (code, bits) of each dtype number; None: no counterpart.
COUNTERPARTS = (
    (None, (1, 8), (6, 8))
    + ((0, 8), (0, 16), (0, 32), (0, 64))
    + ((1, 8), (1, 16), (1, 32), (1, 64))
    + ((10, 8), (2, 16), (2, 32), (2, 64))
    + (None, (5, 32), (5, 64), (5, 128), (4, 16))
)
BYTE, U8, F32, C16 = 1, 7, 13, 15


STRUCTS = runpy.run_path(pathlib.Path(__file__).resolve().parents[2] / "reference/vocabulary/abi_structs.py")[
    "classes"
]()
DLTensor, Legacy, Versioned = (STRUCTS[name] for name in ("DLTensor", "DLManagedTensor", "DLManagedTensorVersioned"))
DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def numbers(values):
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def numbers_at(address, count):
    """A list that a DLTensor points to."""
    return list((ctypes.c_int64 * count).from_address(address))


def a_tensor(shape=(2, 3), strides=(3, 1), **changes):
    """A compact float32 tensor with some fields changed."""
    tensor = DLTensor(4096, 1, 0, len(shape), 2, 32, 1)
    tensor.lists = [numbers(shape), numbers(strides or ())]  # the tensor has only their addresses
    tensor.shape = ctypes.addressof(tensor.lists[0])
    tensor.strides = 0 if strides is None else ctypes.addressof(tensor.lists[1])
    for name, value in changes.items():
        setattr(tensor, name, value)
    return tensor


class Bridge(client_test.Case):
    library = client_test.library

    def import_tensor(self, tensor, version=(1, 2), flags=0, writable=0, legacy=False):
        """(reason, status, data, descriptor); the descriptor is destroyed at the end."""
        made, data, reason = ctypes.c_void_p(7), ctypes.c_void_p(7), ctypes.c_int(-1)
        if legacy:
            managed = Legacy(tensor)
            status = self.library.dlspecInfiniopFromDLPack(*map(ctypes.byref, (made, data, managed, reason)))
        else:
            managed = Versioned(*version, 0, 0, flags, tensor)
            status = self.library.dlspecInfiniopFromDLPackVersioned(
                ctypes.byref(made), ctypes.byref(data), ctypes.byref(managed), writable, ctypes.byref(reason)
            )
        self.assertEqual(made.value is not None, status == client.SUCCESS)
        if made.value is None:
            self.assertIsNone(data.value)
        else:
            self.addCleanup(self.library.infiniopDestroyTensorDescriptor, made)
        return reason.value, status, data.value, made

    def export_tensor(self, made, data, legacy=False, read_only=0):
        """The exported struct, which is released at the end of the test."""
        managed, reason = out(), ctypes.c_int(-1)
        if legacy:
            status = self.library.dlspecInfiniopToDLPack(
                made, data, None, None, ctypes.byref(managed), ctypes.byref(reason)
            )
        else:
            status = self.library.dlspecInfiniopToDLPackVersioned(
                made, data, read_only, None, None, ctypes.byref(managed), ctypes.byref(reason)
            )
        self.assertEqual((status, reason.value), (client.SUCCESS, NONE))
        exported = ctypes.cast(managed, ctypes.POINTER(Legacy if legacy else Versioned)).contents
        self.addCleanup(lambda: DELETER(exported.deleter)(managed))
        return exported

    def refused(self, reason, status, tensor, **arguments):
        self.assertEqual(self.import_tensor(tensor, **arguments)[:2], (reason, status))

    def test_every_dtype_with_a_counterpart_goes_both_ways(self):
        for dtype, pair in enumerate(COUNTERPARTS):
            if dtype == 0:
                continue
            made = self.tensor((2, 3), None, dtype)
            if pair is None:
                self.cannot_export(made, DTYPE, client.BAD_TENSOR_DTYPE)
                continue
            exported = self.export_tensor(made, 4096)
            self.assertEqual((exported.tensor.code, exported.tensor.bits, exported.tensor.lanes), (*pair, 1))
            _, status, _, again = self.import_tensor(exported.tensor)
            self.ok(status)
            self.same_dtype(again, U8 if dtype == BYTE else dtype)

    def same_dtype(self, made, dtype):
        """Two descriptors can be put into one operator only if their dtypes are the same."""
        operator, other = out(), self.tensor((2, 3), None, dtype)
        self.ok(self.library.infiniopCreateRearrangeDescriptor(self.handle(), ctypes.byref(operator), made, other))
        self.ok(self.library.infiniopDestroyRearrangeDescriptor(operator))

    def cannot_export(self, made, reason, status, data=4096):
        for function, extra in (
            (self.library.dlspecInfiniopToDLPackVersioned, (0,)),
            (self.library.dlspecInfiniopToDLPack, ()),
        ):
            managed, why, released = ctypes.c_void_p(7), ctypes.c_int(-1), []
            release = DELETER(released.append)
            answer = function(
                made,
                data,
                *extra,
                ctypes.cast(release, ctypes.c_void_p),
                None,
                ctypes.byref(managed),
                ctypes.byref(why),
            )
            self.assertEqual((why.value, answer, managed.value, released), (reason, status, None, []))

    def test_bridge_unsupported_dtype(self):
        known = {pair for pair in COUNTERPARTS if pair}
        for code in (*range(20), 255):
            for bits in (0, 1, 4, 6, 8, 16, 24, 32, 64, 80, 128, 255):
                if (code, bits) not in known:
                    self.refused(DTYPE, client.BAD_TENSOR_DTYPE, a_tensor(code=code, bits=bits))
        for lanes in (0, 2, 4, 65535):
            self.refused(LANES, client.BAD_TENSOR_DTYPE, a_tensor(lanes=lanes))
        self.refused(PADDED, client.BAD_TENSOR_DTYPE, a_tensor(), flags=4)

    def test_bridge_strides_null_expanded(self):
        exported = self.export_tensor(self.tensor((2, 3, 4), None), 4096)
        self.assertEqual((exported.major, exported.minor), (1, 2))
        self.assertEqual(numbers_at(exported.tensor.strides, 3), [12, 4, 1])
        empty = self.export_tensor(self.tensor((3, 0), None), None, legacy=True).tensor
        self.assertEqual(numbers_at(empty.strides, 2), [1, 1])

    def test_null_strides_are_accepted_before_version_1_2(self):
        compact = a_tensor(strides=None)
        self.assertEqual(self.import_tensor(compact, legacy=True)[0], NONE)
        self.assertEqual(self.import_tensor(compact, version=(1, 1))[0], NONE)
        self.refused(NULL_STRIDES, client.BAD_TENSOR_STRIDES, compact)
        _, _, _, made = self.import_tensor(compact, legacy=True)
        self.assertEqual(numbers_at(self.export_tensor(made, 4096).tensor.strides, 2), [3, 1])

    def test_bridge_scalar_null_shape(self):
        exported = self.export_tensor(self.tensor((), None), 4096)
        self.assertEqual((exported.tensor.ndim, exported.tensor.shape, exported.tensor.strides), (0, 0, 0))
        scalar = DLTensor(4096, 1, 0, 0, 2, 32, 1)
        self.assertEqual(self.import_tensor(scalar)[:3], (NONE, client.SUCCESS, 4096))

    def test_bridge_size_t_range(self):
        self.refused(SHAPE, client.BAD_TENSOR_SHAPE, a_tensor((-1, 3)))
        self.refused(SHAPE, client.BAD_TENSOR_SHAPE, a_tensor((2**62, 4)))
        self.refused(STRIDES, client.BAD_TENSOR_STRIDES, a_tensor((2, 3), (2**62, 1)))
        self.refused(STRIDES, client.BAD_TENSOR_STRIDES, a_tensor((2, 3), (-(2**63), 1)))
        for ndim in (-1, -(2**31), 65, 2**31 - 1):
            self.refused(RANK, client.BAD_PARAM, a_tensor(ndim=ndim))
        self.tensor((2**63,), None, U8, client.BAD_TENSOR_SHAPE)

    def test_bridge_negative_stride_base(self):
        _, _, data, made = self.import_tensor(a_tensor((2, 3), (-3, -1), byte_offset=20))
        self.assertEqual(data, 4096 + 20)
        exported = self.export_tensor(made, data)
        self.assertEqual((exported.tensor.data, exported.tensor.byte_offset), (4116, 0))
        self.assertEqual(numbers_at(exported.tensor.strides, 2), [-3, -1])

    def test_tensors_without_elements_need_no_data(self):
        for data in (0, 4096):
            self.assertEqual(self.import_tensor(a_tensor((0, 3), (9, -9), data=data))[:3], (NONE, client.SUCCESS, None))
        for data in (None, 4096):
            self.assertEqual(self.export_tensor(self.tensor((0, 3), None), data).tensor.data, 0)

    def test_missing_arguments_are_named(self):
        null = client.NULL_POINTER
        self.refused(MISSING, null, a_tensor(data=0))
        self.refused(MISSING, null, DLTensor(4096, 1, 0, 2, 2, 32, 1))
        reason, made = ctypes.c_int(-1), out()
        self.assertEqual(
            self.library.dlspecInfiniopFromDLPackVersioned(ctypes.byref(made), None, None, 0, ctypes.byref(reason)),
            null,
        )
        self.assertEqual(reason.value, MISSING)
        self.assertEqual(self.library.dlspecInfiniopFromDLPack(None, None, None, None), null)
        self.assertEqual(self.library.dlspecInfiniopToDLPack(made, None, None, None, None, None), null)
        self.cannot_export(None, MISSING, null)
        self.cannot_export(self.tensor((2,), None), MISSING, null, data=None)
        self.cannot_export(ctypes.c_void_p(16), OBJECT, client.BAD_PARAM)

    def test_other_versions_flags_and_devices(self):
        for major in (0, 2, 2**32 - 1):
            self.refused(VERSION, client.BAD_PARAM, a_tensor(code=99), version=(major, 0), flags=99)
        self.assertEqual(self.import_tensor(a_tensor(), version=(1, 2**32 - 1))[0], NONE)
        for flags in (8, 2**32, 2**63):
            self.refused(FLAGS, client.BAD_PARAM, a_tensor(), flags=flags)
        self.assertEqual(self.import_tensor(a_tensor(), flags=3)[0], NONE)
        self.refused(READ_ONLY, client.BAD_PARAM, a_tensor(), flags=1, writable=1)
        for device in (2, 4, 7, 8, 10, 12, 14, 0, -1, 99):
            self.refused(DEVICE, client.DEVICE_TYPE_NOT_SUPPORTED, a_tensor(device_type=device))
        for device in (3, 11, 13):
            self.assertEqual(self.import_tensor(a_tensor(device_type=device))[0], NONE)
        self.refused(OFFSET, client.BAD_PARAM, a_tensor(byte_offset=2**64 - 4096))
        self.assertEqual(self.import_tensor(a_tensor(byte_offset=2**64 - 4097))[2], 2**64 - 1)

    def test_release_is_called_once_and_the_struct_outlives_the_descriptor(self):
        made, managed, released = out(), out(), []
        self.ok(self.library.infiniopCreateTensorDescriptor(ctypes.byref(made), 2, sizes((2, 3)), None, F32))
        release = DELETER(released.append)
        arguments = (ctypes.cast(release, ctypes.c_void_p), 77, ctypes.byref(managed), None)
        self.ok(self.library.dlspecInfiniopToDLPackVersioned(made, 4096, 1, *arguments))
        self.ok(self.library.infiniopDestroyTensorDescriptor(made))
        exported = ctypes.cast(managed, ctypes.POINTER(Versioned)).contents
        lists = [numbers_at(each, 2) for each in (exported.tensor.shape, exported.tensor.strides)]
        self.assertEqual((exported.flags, *lists), (1, [2, 3], [3, 1]))
        self.assertEqual(released, [])
        DELETER(exported.deleter)(managed)
        self.assertEqual(released, [77])

    def test_round_trips_keep_the_contents(self):
        for dtype, pair in enumerate(COUNTERPARTS):
            if pair is None:
                continue
            for shape, strides in (
                ((4, 5), (-5, 1)),
                ((4, 5), (0, 2)),
                ((3, 1, 4), (4, 99, -1)),
                ((), ()),
                ((0, 2), (5, 5)),
            ):
                src, dst = Tensor(shape, strides, SIZES[dtype], 3), Tensor(shape, row_major(shape), SIZES[dtype], 90)
                for legacy in (False, True):
                    exported = self.export_tensor(self.tensor(shape, strides, dtype), src.data, legacy)
                    _, _, data, made = self.import_tensor(exported.tensor, legacy=legacy)
                    operator = out()
                    to = self.tensor(shape, None, U8 if dtype == BYTE else dtype)
                    self.ok(
                        self.library.infiniopCreateRearrangeDescriptor(self.handle(), ctypes.byref(operator), to, made)
                    )
                    self.ok(self.library.infiniopRearrange(operator, dst.data, data, None))
                    self.ok(self.library.infiniopDestroyRearrangeDescriptor(operator))
                    self.assertEqual(dst.now(), client.rearranged(dst, src))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
