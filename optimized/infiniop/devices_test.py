"""InfiniOP on a GPU: without libdlspec_cuda.so, with it but without a driver, and with one that is emulated.

Usage: devices_test.py FOLDER FAKE [REAL]

FOLDER has libinfinirt.so and libinfiniop.so; FAKE is the emulated libdlspec_cuda.so, REAL the one of CUDA. Each state
gets a folder of its own with copies, and an interpreter of its own, because a process loads the library once.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import client
from client import F32, SIZES, Tensor, out, sizes, steps

NVIDIA, CPU = 1, 0
DEVICE_NOT_FOUND, ARCHITECTURE = 6, 8
LIBRARY = "libdlspec_cuda.so"


class NoDevice(unittest.TestCase):
    def refused(self):
        return {"absent": client.DEVICE_TYPE_NOT_SUPPORTED}.get(STATE, DEVICE_NOT_FOUND)

    def test_the_gpu_is_refused_and_the_cpu_goes_on(self):
        handle, memory, counts = out(), out(), (ctypes.c_int * 11)(*[7] * 11)
        self.assertEqual(library.infinirtSetDevice(NVIDIA, 0), self.refused())
        self.assertEqual(library.infiniopCreateHandle(ctypes.byref(handle)), self.refused())
        self.assertEqual(library.infinirtMalloc(ctypes.byref(memory), 8), self.refused())
        self.assertEqual(library.infinirtDeviceSynchronize(), self.refused())
        self.assertEqual(library.infinirtGetAllDeviceCount(counts), client.SUCCESS)
        self.assertEqual(list(counts), [1] + [0] * 10)
        self.assertEqual(library.infinirtSetDevice(CPU, 0), client.SUCCESS)
        self.assertEqual(library.infiniopCreateHandle(ctypes.byref(handle)), client.SUCCESS)


class Gpu(unittest.TestCase):
    def setUp(self):
        self.fake = ctypes.CDLL(os.path.join(HERE, LIBRARY))
        self.fake.fakeGpuStream.restype = ctypes.c_void_p
        self.ok(library.infinirtSetDevice(NVIDIA, 1))
        self.addCleanup(library.infinirtSetDevice, CPU, 0)

    def ok(self, status):
        self.assertEqual(status, client.SUCCESS)

    def memory(self, tensor):
        """A copy of the tensor's buffer on the GPU: addresses of the buffer and of element (0, ..., 0)."""
        made, size = out(), len(tensor.contents)
        self.ok(library.infinirtMalloc(ctypes.byref(made), size))
        self.addCleanup(library.infinirtFree, made)
        self.ok(library.infinirtMemcpy(made, tensor.contents, size, 1))
        return made.value, made.value + tensor.data - tensor.start

    def contents(self, address, tensor):
        size = len(tensor.contents)
        back = ctypes.create_string_buffer(size)
        self.ok(library.infinirtMemcpy(back, address, size, 2))
        return tensor.as_words(back.raw)

    def operator(self, shape, to_strides, from_strides, dtype=F32):
        handle, dst, src, made = out(), out(), out(), out()
        self.ok(library.infiniopCreateHandle(ctypes.byref(handle)))
        for descriptor, strides in ((dst, to_strides), (src, from_strides)):
            arguments = sizes(shape), steps(strides), dtype
            self.ok(library.infiniopCreateTensorDescriptor(ctypes.byref(descriptor), len(shape), *arguments))
        self.ok(library.infiniopCreateRearrangeDescriptor(handle, ctypes.byref(made), dst, src))
        for destroy, gone in (
            (library.infiniopDestroyHandle, handle),
            (library.infiniopDestroyTensorDescriptor, dst),
            (library.infiniopDestroyTensorDescriptor, src),
        ):
            self.ok(destroy(gone))
        self.addCleanup(library.infiniopDestroyRearrangeDescriptor, made)
        return made

    def test_devices_are_counted_and_known(self):
        count, device, number = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.ok(library.infinirtGetDeviceCount(NVIDIA, ctypes.byref(count)))
        self.ok(library.infinirtGetDevice(ctypes.byref(device), ctypes.byref(number)))
        self.assertEqual((count.value, device.value, number.value), (2, NVIDIA, 1))
        self.assertEqual(self.fake.fakeGpuDevice(), 1)
        made = self.operator((2,), (1,), (1,))
        self.ok(library.infiniopGetDescriptorDeviceType(made, ctypes.byref(device)))
        self.ok(library.infiniopGetDescriptorDeviceId(made, ctypes.byref(number)))
        self.assertEqual((device.value, number.value), (NVIDIA, 1))
        for missing in (2, -1, 99):
            self.assertEqual(library.infinirtSetDevice(NVIDIA, missing), DEVICE_NOT_FOUND)
            self.assertEqual(library.infiniopCreateHandle(ctypes.byref(out())), DEVICE_NOT_FOUND)

    def test_copies_on_a_stream(self):
        layouts = (
            ((65, 33), (33, 1), (1, 65)),
            ((64, 64), (64, 1), (1, 64)),
            ((5, 6), (-12, 2), (6, -1)),
            ((7, 300), (300, 1), (0, 1)),
            ((9, 500), (500, 1), (1, 0)),
            ((), (), ()),
        )
        for number, (shape, to_strides, from_strides) in enumerate(layouts):
            for dtype in (1, 12, F32, 14, 18):
                dst, src = Tensor(shape, to_strides, SIZES[dtype], 1), Tensor(shape, from_strides, SIZES[dtype], 101)
                (dst_start, dst_data), (_, src_data) = self.memory(dst), self.memory(src)
                made, before = self.operator(shape, to_strides, from_strides, dtype), self.fake.fakeGpuLaunches()
                stream = 0x1000 + number
                self.ok(library.infiniopRearrange(made, dst_data, src_data, stream))
                self.assertEqual(self.fake.fakeGpuStream(), stream)
                self.assertEqual(self.fake.fakeGpuLaunches(), before + 1)
                self.assertEqual(self.contents(dst_start, dst), client.rearranged(dst, src))

    def test_host_memory_is_refused(self):
        dst, src = Tensor((4, 5), (5, 1), 4, 1), Tensor((4, 5), (1, 4), 4, 2)
        made, before = self.operator((4, 5), (5, 1), (1, 4)), dst.now()
        (_, dst_data), (_, src_data) = self.memory(dst), self.memory(src)
        self.assertEqual(library.infiniopRearrange(made, dst.data, src_data, None), client.BAD_PARAM)
        self.assertEqual(library.infiniopRearrange(made, dst_data, src.data, None), client.BAD_PARAM)
        self.assertEqual(dst.now(), before)
        self.assertEqual(library.infiniopRearrange(made, None, src_data, None), client.NULL_POINTER)
        self.assertEqual(library.infiniopRearrange(made, dst_data, dst_data, None), client.BAD_PARAM)  # overlap
        self.ok(library.infiniopRearrange(made, dst_data, src_data, None))

    def test_without_elements_nothing_is_launched(self):
        made, before = self.operator((0, 5), (5, 1), (1, 0)), self.fake.fakeGpuLaunches()
        self.ok(library.infiniopRearrange(made, None, None, None))
        self.assertEqual(self.fake.fakeGpuLaunches(), before)

    def test_errors_of_cuda_become_statuses(self):
        tensor = Tensor((4, 5), (5, 1), 4, 1)
        made, (_, to), (_, source) = self.operator((4, 5), (5, 1), (5, 1)), self.memory(tensor), self.memory(tensor)
        for answer, status in ((1, DEVICE_NOT_FOUND), (2, ARCHITECTURE), (3, 1), (4, 1), (5, 1)):
            self.fake.fakeGpuAnswer(answer)
            self.assertEqual(library.infiniopRearrange(made, to, source, None), status)
            self.fake.fakeGpuAnswer(answer)
            self.assertEqual(library.infinirtDeviceSynchronize(), {1: DEVICE_NOT_FOUND, 2: ARCHITECTURE}.get(answer, 1))
        self.assertEqual(library.infinirtMalloc(ctypes.byref(out()), 2**62), client.INTERNAL_ERROR)

    def test_memory_is_freed_where_it_belongs(self):
        on_gpu, on_cpu = out(), out()
        self.ok(library.infinirtMalloc(ctypes.byref(on_gpu), 1000))
        self.ok(library.infinirtSetDevice(CPU, 0))
        self.ok(library.infinirtMalloc(ctypes.byref(on_cpu), 1000))
        self.ok(library.infinirtFree(on_gpu))
        self.ok(library.infinirtSetDevice(NVIDIA, 0))
        self.ok(library.infinirtFree(on_cpu))


def run_in(state, folder, libraries, environment=None):
    """The tests of one state, in an interpreter of its own."""
    for path, name in libraries:
        shutil.copy(path, os.path.join(folder, name))
    command = [sys.executable, "-B", os.path.abspath(__file__), "--state", state, folder]
    return subprocess.run(command, env={**os.environ, **(environment or {})}, check=False).returncode


def main(built, fake, real=None):
    states = {"absent": None, "no_driver": fake, "gpu": fake}
    if real and not os.path.exists("/proc/driver/nvidia/version"):
        states["cuda_without_driver"] = real
    failed = []
    for state, cuda in states.items():
        with tempfile.TemporaryDirectory() as folder:
            libraries = [(os.path.join(built, name), name) for name in ("libinfinirt.so", "libinfiniop.so")]
            libraries += [(cuda, LIBRARY)] if cuda else []
            if run_in(state, folder, libraries, {"FAKE_GPU_NONE": "1"} if state == "no_driver" else None):
                failed.append(state)
    print(f"states: {', '.join(states)}; failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1] != "--state":
        sys.exit(main(*sys.argv[1:]))
    STATE, HERE = sys.argv[2:]
    library = client.Library(HERE)
    unittest.main(argv=sys.argv[:1] + ["Gpu" if STATE == "gpu" else "NoDevice"])
