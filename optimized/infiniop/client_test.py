"""The drop-in libraries as their clients see them.

Usage: client_test.py FOLDER [unittest arguments]
"""

import ctypes
import subprocess
import sys
import threading
import unittest

import client
from client import F32, SIZES, Tensor, out, row_major, sizes, steps

FOLDER = sys.argv[1]
library = client.Library(FOLDER)

# Shapes with the strides of dst and src: the layouts of InfiniOP's own tests, and some that these do not cover.
LAYOUTS = [
    ((100, 100), (1, 100), (100, 1)),
    ((4, 4), (1, 4), (4, 1)),
    ((4, 6, 64), (64, 4 * 64, 1), (6 * 64, 64, 1)),
    ((2000, 2000), (1, 2000), (2000, 1)),
    ((2001, 2001), (1, 2001), (2001, 1)),
    ((2, 2, 2, 4), (16, 8, 1, 2), (16, 8, 4, 1)),
    ((3, 4, 7, 53, 9), (1, 3, 12, 84, 4452), None),
    ((3, 4, 50, 50, 5, 7), (1, 3, 12, 600, 30000, 150000), None),
    ((15, 10752), None, (0, 1)),
    ((2, 2, 2, 2, 2, 2), (2, 6, 16, 32, 96, 200), (200, 96, 32, 16, 6, 2)),
    ((8, 4, 20, 64), None, (5120, 64, 256, 1)),
    ((8, 4, 20, 64), (1048576, 262144, 64, 1), (5120, 64, 256, 1)),
    ((4, 5), (1, 4), (5, 1)),
    ((3, 2), (2, 1), (1, 3)),
    ((), (), ()),
    ((3, 0, 2), (7, 7, 7), (0, 0, 0)),
    ((7,), (-1,), (1,)),
    ((5, 6), (-12, 2), (6, -1)),
    ((1, 4, 1, 3), (99, -3, -99, 1), (0, 0, 0, 1)),
    ((2, 3), (3, 2), None),
    ((3,) * 7, tuple(3**i for i in range(7)), None),
    ((2,) * 14, tuple(2**i for i in range(14)), None),
    ((1,) * 62 + (3, 2), (0,) * 62 + (1, 3), None),
]


def run_threads(work, arguments):
    """Calls work(argument) on a thread of its own for each, and waits for all."""
    threads = [threading.Thread(target=work, args=(argument,)) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Case(unittest.TestCase):
    def ok(self, status):
        self.assertEqual(status, client.SUCCESS)

    def handle(self):
        handle = out()
        self.ok(library.infiniopCreateHandle(ctypes.byref(handle)))
        self.addCleanup(library.infiniopDestroyHandle, handle)
        return handle

    def tensor(self, shape, strides=None, dtype=F32, status=client.SUCCESS):
        made = out()
        arguments = [sizes(shape), steps(strides) if strides is not None else None]
        self.assertEqual(
            library.infiniopCreateTensorDescriptor(ctypes.byref(made), len(shape), *arguments, dtype), status
        )
        self.assertEqual(made.value is not None, status == client.SUCCESS)
        return made

    def operator(self, dst, src, status=client.SUCCESS):
        """From shapes with strides: (shape, strides) or (shape, strides, dtype)."""
        to, source, made = self.tensor(*dst), self.tensor(*src), out()
        answer = library.infiniopCreateRearrangeDescriptor(self.handle(), ctypes.byref(made), to, source)
        self.ok(library.infiniopDestroyTensorDescriptor(source))
        self.ok(library.infiniopDestroyTensorDescriptor(to))
        self.assertEqual(answer, status)
        self.assertEqual(made.value is not None, status == client.SUCCESS)
        if made.value is not None:
            self.addCleanup(library.infiniopDestroyRearrangeDescriptor, made)
        return made

    def is_silent(self, code):
        """A process that runs this with the library prints nothing and ends with 0."""
        imports = f"import sys; sys.path.insert(0, {client.HERE!r}); import ctypes, client\n"
        code = f"{imports}library = client.Library({FOLDER!r})\n{code}"
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))

    def copies(self, shape, to_strides, from_strides, dtype=F32, ahead=(0, 0)):
        dst = Tensor(shape, to_strides, SIZES[dtype], 1, ahead[0])
        src = Tensor(shape, from_strides, SIZES[dtype], 101, ahead[1])
        made = self.operator((shape, to_strides, dtype), (shape, from_strides, dtype))
        for _ in range(2):
            self.ok(library.infiniopRearrange(made, dst.data, src.data, None))
        self.assertTrue(
            dst.now() == client.rearranged(dst, src), f"{shape} {to_strides} {from_strides} {dtype} {ahead}"
        )


class Loading(Case):
    def test_all_names_of_the_client_are_found(self):
        names = client.operator_names() + client.REARRANGE + client.CORE + ["infinirtSetDevice"]
        self.assertEqual(len(set(names)), 358)
        for name in names:
            self.assertIsNotNone(library.find(name))

    def test_other_operators_ignore_their_arguments(self):
        names = client.operator_names()
        self.assertEqual(len(names), 350)
        for name in names:
            function = library.find(name)
            self.assertEqual(function(), client.NOT_IMPLEMENTED, name)
            garbage = [ctypes.c_void_p(value) for value in (1, 0, 2**64 - 1, 0xDEAD, 3, 5, 7, 9, 11, 13)]
            self.assertEqual(function(*garbage), client.NOT_IMPLEMENTED, name)

    def test_nothing_else_is_exported(self):
        additions = ["infiniopGetDescriptorDeviceType", "infiniopGetDescriptorDeviceId", "dlspecInfiniopRearrangeSized",
                     "dlspecInfiniopFromDLPack", "dlspecInfiniopFromDLPackVersioned", "dlspecInfiniopToDLPack",
                     "dlspecInfiniopToDLPackVersioned"]  # fmt: skip
        runtime = [name for name in client.Library.PROTOTYPES if name.startswith("infinirt")]
        self.assertEqual(
            self.exported("libinfiniop.so"),
            sorted(client.operator_names() + client.REARRANGE + client.CORE + additions),
        )
        self.assertEqual(self.exported("libinfinirt.so"), sorted(runtime))

    def exported(self, name):
        lines = subprocess.run(
            ["nm", "-D", "--defined-only", f"{FOLDER}/{name}"], capture_output=True, text=True, check=True
        ).stdout
        return sorted(line.split()[-1] for line in lines.splitlines())

    def test_the_libraries_find_each_other(self):
        for name, needed in (("libinfiniop.so", "libinfinirt.so"), ("libinfinirt.so", "libc.so.6")):
            text = subprocess.run(
                ["readelf", "-d", f"{FOLDER}/{name}"], capture_output=True, text=True, check=True
            ).stdout
            self.assertIn(f"soname: [{name}]", text)
            self.assertIn("runpath: [$ORIGIN]", text)
            self.assertIn(f"Shared library: [{needed}]", text)

    def test_unloading_with_live_objects_is_silent(self):
        self.is_silent(
            "h, d, o = client.out(), client.out(), client.out()\n"
            "assert library.infiniopCreateHandle(ctypes.byref(h)) == 0\n"
            "shape, strides = client.sizes([1500, 1500]), client.steps([1, 1500])\n"
            "assert library.infiniopCreateTensorDescriptor(ctypes.byref(d), 2, shape, strides, 13) == 0\n"
            "assert library.infiniopCreateRearrangeDescriptor(h, ctypes.byref(o), d, d) == 0\n"
            "t = [client.Tensor((1500, 1500), (1, 1500), 4, i) for i in range(2)]\n"
            "assert library.infiniopRearrange(o, t[0].data, t[1].data, None) == 0\n"
            "import _ctypes; _ctypes.dlclose(library.infiniop._handle); _ctypes.dlclose(library.infinirt._handle)\n"
        )


class Calls(Case):
    def test_a_typical_client(self):
        library.infinirtSetDevice(0, 0)
        handle, src, dst, made = out(), out(), out(), out()
        self.ok(library.infiniopCreateHandle(ctypes.byref(handle)))
        for descriptor, strides in ((src, (3, 1)), (dst, (1, 2))):
            self.ok(
                library.infiniopCreateTensorDescriptor(ctypes.byref(descriptor), 2, sizes((2, 3)), steps(strides), F32)
            )
        self.ok(library.infiniopCreateRearrangeDescriptor(handle, ctypes.byref(made), dst, src))
        self.ok(library.infiniopDestroyTensorDescriptor(src))
        self.ok(library.infiniopDestroyTensorDescriptor(dst))
        memory = [Tensor((2, 3), strides, 4, 5) for strides in ((1, 2), (3, 1))]
        self.ok(library.infiniopRearrange(made, memory[0].data, memory[1].data, None))
        self.assertEqual(memory[0].now(), client.rearranged(*memory))
        self.ok(library.infiniopDestroyRearrangeDescriptor(made))
        self.ok(library.infiniopDestroyHandle(handle))

    def test_all_layouts_in_every_dtype(self):
        one_of_each_size = (1, 4, F32, 14, 18)
        for shape, to_strides, from_strides in LAYOUTS:
            dst, src = to_strides or row_major(shape), from_strides or row_major(shape)
            large = client.reach(shape, dst)[1] > 10**6
            for dtype in range(1, len(SIZES)):
                if not large or dtype in one_of_each_size:
                    self.copies(shape, dst, src, dtype)
                else:
                    self.operator((shape, dst, dtype), (shape, src, dtype))

    def test_operators_and_handles_know_their_device(self):
        self.ok(library.infinirtSetDevice(0, 5))
        self.addCleanup(library.infinirtSetDevice, 0, 0)
        made = self.operator(((2,), None), ((2,), None))
        device, device_id = ctypes.c_int(-1), ctypes.c_int(-1)
        self.ok(library.infiniopGetDescriptorDeviceType(made, ctypes.byref(device)))
        self.ok(library.infiniopGetDescriptorDeviceId(made, ctypes.byref(device_id)))
        self.assertEqual((device.value, device_id.value), (0, 5))

    def test_two_threads_execute_one_operator(self):
        shape = (300, 200)
        made = self.operator((shape, (1, 300)), (shape, None))
        pairs = [(Tensor(shape, (1, 300), 4, seed), Tensor(shape, (200, 1), 4, seed + 50)) for seed in range(4)]

        def work(pair):
            for _ in range(50):
                library.infiniopRearrange(made, pair[0].data, pair[1].data, None)

        run_threads(work, pairs)
        for dst, src in pairs:
            self.assertTrue(dst.now() == client.rearranged(dst, src))


class Runtime(Case):
    def test_the_current_device_belongs_to_the_thread(self):
        answers = []

        def other():
            device, number = ctypes.c_int(-1), ctypes.c_int(-1)
            answers.append(library.infinirtGetDevice(ctypes.byref(device), ctypes.byref(number)))
            answers.append((device.value, number.value))

        self.addCleanup(library.infinirtSetDevice, 0, 0)
        self.assertEqual(library.infinirtSetDevice(2, 0), client.DEVICE_TYPE_NOT_SUPPORTED)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        self.assertEqual(answers, [client.SUCCESS, (0, 0)])

    def test_a_refused_device_blocks_the_thread_until_one_is_accepted(self):
        self.addCleanup(library.infinirtSetDevice, 0, 0)
        for device in client.devices_without_support(FOLDER):
            handle, memory = out(), out()
            self.assertEqual(library.infinirtSetDevice(device, 0), client.DEVICE_TYPE_NOT_SUPPORTED)
            self.assertEqual(library.infiniopCreateHandle(ctypes.byref(handle)), client.DEVICE_TYPE_NOT_SUPPORTED)
            self.assertIsNone(handle.value)
            self.assertEqual(library.infinirtMalloc(ctypes.byref(memory), 8), client.DEVICE_TYPE_NOT_SUPPORTED)
            self.assertEqual(library.infinirtDeviceSynchronize(), client.DEVICE_TYPE_NOT_SUPPORTED)
            self.ok(library.infinirtSetDevice(0, 0))
            self.handle()

    def test_devices_are_counted(self):
        self.ok(library.infinirtInit())
        counts = (ctypes.c_int * 12)(*[7] * 12)
        self.ok(library.infinirtGetAllDeviceCount(counts))
        self.assertEqual([counts[0], *counts[2:]], [1] + [0] * 9 + [7])
        count = ctypes.c_int(7)
        for device in range(11):
            self.ok(library.infinirtGetDeviceCount(device, ctypes.byref(count)))
            self.assertEqual(count.value, counts[device])
        self.assertEqual(library.infinirtGetDeviceCount(11, ctypes.byref(count)), client.DEVICE_TYPE_NOT_SUPPORTED)
        self.assertEqual(library.infinirtGetDeviceCount(0, None), client.NULL_POINTER)
        self.assertEqual(library.infinirtGetAllDeviceCount(None), client.NULL_POINTER)
        self.assertEqual(library.infinirtGetDevice(None, None), client.NULL_POINTER)
        self.ok(library.infinirtGetDevice(None, ctypes.byref(count)))

    def test_memory_is_allocated_copied_and_freed(self):
        memory = out()
        for size in (0, 1, 1000, 4 << 30):
            self.ok(library.infinirtMalloc(ctypes.byref(memory), size))
            self.assertEqual(memory.value % 256, 0)
            self.ok(library.infinirtFree(memory))
        self.assertEqual(library.infinirtMalloc(ctypes.byref(memory), 2**63), client.INTERNAL_ERROR)
        self.assertEqual(library.infinirtMalloc(ctypes.byref(memory), 2**64 - 1), client.INTERNAL_ERROR)
        self.assertIsNone(memory.value)
        self.assertEqual(library.infinirtMalloc(None, 1), client.NULL_POINTER)
        self.ok(library.infinirtFree(None))
        for kind in range(4):
            target = ctypes.create_string_buffer(4)
            self.ok(library.infinirtMemcpy(target, b"abc", 3, kind))
            self.assertEqual(target.value, b"abc")
        self.assertEqual(library.infinirtMemcpy(target, b"abc", 3, 4), client.BAD_PARAM)
        self.assertEqual(library.infinirtMemcpy(None, b"abc", 3, 0), client.NULL_POINTER)
        self.ok(library.infinirtMemcpy(None, None, 0, 0))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
