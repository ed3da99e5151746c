"""Do the gates notice? Each gets what it must refuse, and its twin."""

import os
import tempfile
import unittest
from unittest import mock

import gates

SYMBOL = "_ZN6dlspec9optimized4cuda10run_phasesINS1_{}EEEvNS1_8CudaPlanEPhPKh"
LOG = (
    "ptxas info    : Compiling entry function '{}' for 'sm_90'\nptxas info    : Function properties for x\n"
    "    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads\n"
    "ptxas info    : Used {} registers, used 0 barriers{}\n"
)


def symbols():
    widths = ["Li1E", "Li2E", "Li4E", "Li8E", "Li16E"]
    for index in "il":
        yield SYMBOL.format(f"12ContigKernelI{index}E")
        for kernel in ("12DirectKernel", "10FillKernel", "18RegisterTileKernel", "16SharedTileKernel"):
            for width in widths:
                yield SYMBOL.format(f"{kernel}I{index}{width}E")


def log(changed=None, **change):
    values = {"stack": 0, "stores": 0, "loads": 0, "registers": 40, "rest": ""}
    text = ""
    for symbol in symbols():
        now = values | (change if gates.name_of(symbol) == changed else {})
        text += LOG.format(symbol, now["stack"], now["stores"], now["loads"], now["registers"], now["rest"])
    return text


def listing(changed=None, replace=("", "")):
    """PTX as the gate expects it, with one text replaced in one kernel."""
    text = ""
    vector = {1: ".u8", 2: ".u16", 4: ".u32", 8: ".v2.u32", 16: ".v4.u32"}
    for symbol in symbols():
        name = gates.name_of(symbol)
        load, store = gates.widths_of(name)
        body = f"ld.global.nc{vector[load]} %r1;\nst.global{vector[store]} %r1;\nprmt.b32 %r2;\n"
        if name.startswith("SharedTile"):
            body += "bar.sync 0;\n" * (2 if "<64" in name else 1)
        if "<64" in name:
            body += "div.s64 %rd1;\n"
        if name == changed:
            body = body.replace(*replace) if replace[0] else body + replace[1]
        text += f".visible .entry {symbol}(\n)\n{{\n{body}}}\n"
    return text


TABLE = gates.table_text(gates.resources_in([log()]))


class Resources(unittest.TestCase):
    def refused(self, *logs):
        return gates.resources(TABLE, logs)

    def test_the_table_fits_itself(self):
        self.assertEqual(self.refused(log()), [])

    def test_growth_spills_and_missing_kernels_are_noticed(self):
        changes = ({"registers": 41}, {"stack": 8}, {"stores": 4}, {"loads": 4}, {"rest": ", 1024 bytes smem"})
        for change in changes:
            self.assertEqual(len(self.refused(log("Direct<32, 4>", **change))), 1, change)
        self.assertEqual(self.refused(log("Direct<32, 4>", registers=39)), [])
        self.assertEqual(len(self.refused("")), 1)
        self.assertEqual(len(self.refused(log().split("ptxas info    : Compiling", 2)[2])), 1)

    def test_no_table_allows_more_than_64_registers(self):
        generous = TABLE.replace("40", "99")
        self.assertEqual(len(gates.resources(generous, [log("Fill<64, 8>", registers=65)])), 1)


class Instructions(unittest.TestCase):
    def test_what_the_gate_expects_passes(self):
        self.assertEqual(gates.instructions([listing()]), [])

    def test_each_change_is_noticed(self):
        for changed, replace in (
            ("RegisterTile<32, 4>", ("ld.global.nc.v4.u32", "ld.global.nc.u32")),
            ("RegisterTile<32, 4>", ("st.global.v4.u32", "st.global.u32")),
            ("Contig<64>", ("st.global.v4.u32", "st.global.v2.u32")),
            ("Direct<32, 2>", ("ld.global.nc.u16", "ld.global.nc.u8")),
            ("SharedTile<32, 1>", ("bar.sync 0;", "")),
            ("SharedTile<64, 1>", ("bar.sync 0;\nbar.sync 0;", "bar.sync 0;")),
            ("Fill<32, 1>", ("", "bar.sync 0;\n")),
            ("Fill<32, 1>", ("", "ld.local.u32 %r3;\n")),
            ("Fill<32, 1>", ("", "div.s64 %rd3;\n")),
            ("Fill<32, 1>", ("", "rem.u32 %r3;\n")),
            ("RegisterTile<32, 1>", ("prmt.b32", "mov.b32")),
        ):
            self.assertEqual(len(gates.instructions([listing(changed, replace)])), 1, (changed, replace))

    def test_a_missing_kernel_is_noticed(self):
        self.assertEqual(len(gates.instructions([listing().rsplit(".visible .entry", 1)[0]])), 1)


class Needs(unittest.TestCase):
    def complaints(self, symbols=("dlspecCudaTable",), **needed):
        """Complaints about a folder with the library, another and a text. `needed`: what a file needs beside libc."""
        sections = {f"{name}.so": f" 0x1 (NEEDED)  Shared library: [{each}]\n" for name, each in needed.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, start in (("cuda.so", b"\x7fELF"), ("other.so", b"\x7fELF"), ("script.so", b"INPUT(cuda)")):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(start)
            doubles = {
                "dynamic_section": lambda path: sections.get(os.path.basename(path), ""),
                "exported": lambda path: list(symbols),
            }
            with mock.patch.multiple(gates, **doubles):
                return len(gates.needs(os.path.join(folder, "cuda.so"), folder))

    def test_what_needs_no_cuda_passes(self):
        self.assertEqual(self.complaints(), 0)
        self.assertEqual(self.complaints(cuda="libc.so.6", other="libstdc++.so.6"), 0)
        self.assertEqual(self.complaints(script="libcudart.so.13"), 0, "no program, and not asked")

    def test_what_needs_cuda_is_noticed(self):
        for library in ("libcudart.so.13", "libcuda.so.1", "libnvrtc.so.13"):
            self.assertEqual(self.complaints(cuda=library), 1, library)
        for library in ("libcudart.so.13", "libcuda.so.1", "libnvrtc.so.13", "libdlspec_cuda.so"):
            self.assertEqual(self.complaints(other=library), 1, library)

    def test_one_function_is_exported(self):
        self.assertEqual(self.complaints(symbols=()), 1)
        self.assertEqual(self.complaints(symbols=("cudaMalloc", "dlspecCudaTable")), 1)


if __name__ == "__main__":
    unittest.main()
