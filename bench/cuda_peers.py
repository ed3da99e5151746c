#!/usr/bin/env python3
"""Copies on a GPU beside PyTorch's, timed by CUDA's events around graphs of calls.

  cuda_peers.py FOLDER [NAME]     FOLDER: that of libinfiniop.so; cases whose names begin with NAME

Prints Markdown. Exit status 77 without PyTorch or without a GPU.
"""

import ctypes
import json
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 7
TIMED_BYTES = 1 << 30  # of each round
TURNED_BYTES = 1 << 28  # of all buffers together, so that L2 keeps no source (tiny ones stay)
# By element size; larger and odd ones have an axis of bytes.
DTYPES = {1: ("uint8", 7), 2: ("int16", 4), 4: ("int32", 5), 8: ("int64", 6), 16: ("complex128", 18)}


class InfiniOp:
    """One planned Rearrange of libinfiniop.so on the current GPU."""

    def __init__(self, folder):
        self.runtime = ctypes.CDLL(os.path.join(folder, "libinfinirt.so"))
        self.library = ctypes.CDLL(os.path.join(folder, "libinfiniop.so"))
        self.handle = ctypes.c_void_p()
        self._ok(self.runtime.infinirtSetDevice(1, 0))
        self._ok(self.library.infiniopCreateHandle(ctypes.byref(self.handle)))

    def _ok(self, status):
        if status:
            raise RuntimeError(f"InfiniOP returned {status}")

    def plan(self, shape, to, source, dtype):
        descriptors, made = [], ctypes.c_void_p()
        for strides in (to, source):
            descriptors.append(ctypes.c_void_p())
            sizes, steps = (ctypes.c_size_t * len(shape))(*shape), (ctypes.c_ssize_t * len(shape))(*strides)
            arguments = ctypes.c_size_t(len(shape)), sizes, steps, dtype
            self._ok(self.library.infiniopCreateTensorDescriptor(ctypes.byref(descriptors[-1]), *arguments))
        self._ok(self.library.infiniopCreateRearrangeDescriptor(self.handle, ctypes.byref(made), *descriptors))
        for descriptor in descriptors:
            self._ok(self.library.infiniopDestroyTensorDescriptor(descriptor))
        return made

    def run(self, plan, to, source, stream):
        self._ok(self.library.infiniopRearrange(plan, *map(ctypes.c_void_p, (to, source, stream))))


def elements(shape, strides, offset):
    return 1 + offset + sum((extent - 1) * stride for extent, stride in zip(shape, strides) if stride > 0)


def graph_of(torch, work, calls):
    """The calls as one graph: the GPU goes from each to the next without Python."""
    work(0)  # the first launch of a kernel loads its code, which a capture may refuse
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(calls):
            work(i)
    return graph


def times_of(torch, works, nbytes):
    """Median microseconds of one call of each work(i). Measured in rounds, each of which begins with another one."""
    calls, times = max(20, min(1000, TIMED_BYTES // max(nbytes, 1))), [[] for _ in works]
    graphs = [graph_of(torch, work, calls) for work in works]
    for round_number in range(ROUNDS + 1):
        for number in range(len(works)):
            which = (number + round_number) % len(works)
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graphs[which].replay()
            end.record()
            end.synchronize()
            if round_number:
                times[which].append(1000 * begin.elapsed_time(end) / calls)
    return [statistics.median(each) for each in times]


def bits_of(torch, tensor):
    """The elements as integers: NaN differs from itself."""
    return torch.view_as_real(tensor).view(torch.int64) if tensor.is_complex() else tensor


def measure(torch, ours, case):
    """(microseconds of a device copy, of ours, of PyTorch's; None where it has no such view); checks ours first."""
    size = case["item"]
    if size not in DTYPES:
        return None
    name, dtype = DTYPES[size]
    shape, to, source = case["shape"], case["to"], case["from"]
    to_offset, from_offset = case.get("to_offset", 0), case.get("from_offset", 0)
    kind, nbytes = getattr(torch, name), size
    for extent in shape:
        nbytes *= extent
    count = max(nbytes // size, elements(shape, to, to_offset), elements(shape, source, from_offset))
    buffers = max(2, min(512, TURNED_BYTES // (2 * count * size)))
    random = torch.randint(0, 256, (count * size,), dtype=torch.uint8, device="cuda")
    sources = [random.roll(i).view(kind) for i in range(buffers)]
    targets = [torch.zeros(count, dtype=kind, device="cuda") for _ in range(buffers)]
    plan = ours.plan(shape, to, source, dtype)

    def our_copy(call):
        i, stream = call % buffers, torch.cuda.current_stream().cuda_stream
        ours.run(plan, targets[i].data_ptr() + to_offset * size, sources[i].data_ptr() + from_offset * size, stream)

    our_copy(0)
    has_views = min(to + source) >= 0
    if has_views:
        into = [each.as_strided(shape, to, to_offset) for each in targets]
        out_of = [each.as_strided(shape, source, from_offset) for each in sources]
        if not torch.equal(bits_of(torch, into[0]), bits_of(torch, out_of[0])):
            raise RuntimeError(f"{case['name']} differs from PyTorch's copy")
    copies = [(target.view(torch.uint8)[:nbytes], each.view(torch.uint8)[:nbytes])
              for target, each in zip(targets, sources)]  # fmt: skip
    works = [lambda i: copies[i % buffers][0].copy_(copies[i % buffers][1]), our_copy]
    if has_views:
        works.append(lambda i: into[i % buffers].copy_(out_of[i % buffers]))
    ceiling, mine, *theirs = times_of(torch, works, nbytes)
    return nbytes, ceiling, mine, theirs[0] if theirs else None


def main(folder, prefix=""):
    try:
        import torch  # noqa: PLC0415
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
        return 77
    if not torch.cuda.is_available():
        print("PyTorch finds no GPU", file=sys.stderr)
        return 77
    torch.cuda.init()
    ours = InfiniOp(folder)
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}\n")
    print(
        "| case | us | GB/s | of device copy | PyTorch us | times as fast as PyTorch |\n|---|---:|---:|---:|---:|---:|"
    )
    with open(os.path.join(HERE, "rearrange_cases.json"), encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        found = measure(torch, ours, case) if case["name"].startswith(prefix) else None
        if found:
            nbytes, ceiling, mine, theirs = found
            peer = f"{theirs:.2f} | {theirs / mine:.2f}" if theirs else "no such view | "
            print(f"| {case['name']} | {mine:.2f} | {2 * nbytes / mine / 1000:.0f} | {ceiling / mine:.3f} | {peer} |")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
