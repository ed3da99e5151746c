#!/usr/bin/env python3
"""What the compiled kernels are held to on machines without a GPU.

gates.py resources TABLE LOG...     registers of each kernel are those of the table or fewer, nothing is spilled
gates.py instructions PTX...        widths of accesses, barriers, no 64-bit division with 32-bit indices
gates.py needs LIBRARY FOLDER       the library needs no CUDA library, and nothing else in the folder needs it
gates.py host_code_is_refused NVCC INCLUDE
                                    a kernel that calls a host function does not compile with our flags
gates.py headers NVCC INCLUDE       nvcc compiles headers that users of both include, without a warning
gates.py table LOG...               prints the table of the resources
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

MAX_REGISTERS = 64
ENTRY = re.compile(
    r"Compiling entry function '(\S+)' for 'sm_(\d+)'.*?\n.*?\n\s+(\d+) bytes stack frame, (\d+) bytes spill stores, "
    r"(\d+) bytes spill loads\n.*?Used (\d+) registers(.*)"
)
SHARED = re.compile(r"(\d+) bytes smem")
# "RegisterTile", its index type as mangled, its width.
MANGLED = re.compile(r"run_phasesINS\d_\d+(\w+?)KernelI([il])(?:Li(\d+)E)?E")
KERNELS = 42  # 5 kernels in 5 widths, but contig in one; each with 32- and 64-bit indices
OF_CUDA = re.compile("cuda|nvidia|nvrtc")  # libraries; libdlspec_cuda.so is one


def name_of(symbol):
    found = MANGLED.search(symbol)
    if not found:
        return None
    kernel, index, width = found.groups()
    return f"{kernel}<{'32' if index == 'i' else '64'}{', ' + width if width else ''}>"


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def resources_in(logs):
    """{(kernel, architecture): (registers, stack, spill stores, spill loads, static shared memory)}"""
    found = {}
    for text in logs:
        for symbol, architecture, stack, stores, loads, registers, rest in ENTRY.findall(text):
            name, shared = name_of(symbol), SHARED.search(rest)
            if name:
                numbers = (int(registers), int(stack), int(stores), int(loads), int(shared.group(1)) if shared else 0)
                found[name, architecture] = numbers
    return found


def table_of(text):
    """{(kernel, architecture): registers}"""
    lines = [line.split("|") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    architectures = [cell.strip().removeprefix("sm_") for cell in lines[0][1:]]
    return {
        (cells[0].strip(), architecture): int(number)
        for cells in lines[1:]
        for architecture, number in zip(architectures, cells[1:])
    }


def table_text(found):
    architectures = sorted({architecture for _, architecture in found}, key=int)
    rows = [f"{'kernel':22} | " + " | ".join(f"sm_{each}" for each in architectures)]
    for kernel in dict.fromkeys(kernel for kernel, _ in found):
        cells = (f"{found[kernel, each][0]:{3 + len(each)}}" for each in architectures)
        rows.append(f"{kernel:22} | " + " | ".join(cells))
    return "\n".join(rows)


def resources(table, logs):
    """Complaints, empty if all is well."""
    found, allowed, complaints = resources_in(logs), table_of(table), []
    architectures = {architecture for _, architecture in found}
    if not found or len(found) != KERNELS * len(architectures):
        return [
            f"{len(found)} kernels compiled for {len(architectures)} architectures; {KERNELS} are expected for each"
        ]
    for (kernel, architecture), (registers, stack, stores, loads, shared) in found.items():
        most = allowed.get((kernel, architecture), MAX_REGISTERS)
        where = f"{kernel} on sm_{architecture}"
        if registers > min(most, MAX_REGISTERS):
            complaints.append(f"{where}: {registers} registers, at most {min(most, MAX_REGISTERS)}")
        if stack or stores or loads:
            complaints.append(f"{where}: {stack} bytes of stack, {stores} + {loads} bytes spilled")
        if shared:
            complaints.append(f"{where}: {shared} bytes of static shared memory, which plans do not reckon with")
    judged = {architecture for _, architecture in allowed}
    missing = [key for key in found if key not in allowed and key[1] in judged]
    complaints += [f"{kernel} on sm_{architecture} is not in the table" for kernel, architecture in missing]
    return complaints


def functions_in(listings):
    """{kernel: PTX of its body}"""
    found = {}
    for text in listings:
        for part in re.split(r"(?=\.visible \.entry )", text)[1:]:
            name = name_of(part.split("(", 1)[0])
            if name:
                found[name] = part
    return found


def access(kind, bytes_wide):
    """The pattern of a global access of so many bytes."""
    vector = {16: r"\.v4\.[bu]32", 8: r"(\.v2\.[bu]32|\.[bu]64)", 4: r"\.[bu]32", 2: r"\.[bu]16", 1: r"\.[bu]8"}[
        bytes_wide
    ]
    return re.compile(kind + r"\.global(\.nc)?" + vector)


def widths_of(kernel):
    """Bytes of the widest accesses: (load, store)."""
    name, width = re.match(r"(\w+)<\d+(?:, (\d+))?>", kernel).groups()
    width = int(width or 16)
    if name == "RegisterTile":
        return (8, 8) if width == 1 else (16, 16)
    if name == "SharedTile":
        return max(width, 4), max(width, 4)
    return (width, 16) if name == "Fill" else (width, width)


def instructions(listings):
    found, complaints = functions_in(listings), []
    if len(found) != KERNELS:
        return [f"{len(found)} kernels in the listings, {KERNELS} are expected"]
    for kernel, body in found.items():
        load, store = widths_of(kernel)
        if not access("ld", load).search(body):
            complaints.append(f"{kernel}: no load of {load} bytes")
        if not access("st", store).search(body):
            complaints.append(f"{kernel}: no store of {store} bytes")
        # One barrier between the phases; blocks that loop need another one behind them.
        wide = "<64" in kernel
        expected = (2 if wide else 1) if kernel.startswith("SharedTile") else 0
        barriers = len(re.findall(r"\bbar(?:rier)?\.(?:cta\.)?sync", body))
        if barriers != expected:
            complaints.append(f"{kernel}: {barriers} barriers, {expected} expected")
        if re.search(r"\b(ld|st)\.local", body):
            complaints.append(f"{kernel}: local memory")
        if not wide and re.search(r"\b(div|rem)\.[su]64", body):
            complaints.append(f"{kernel}: 64-bit division")
        if not wide and re.search(r"\b(div|rem)\.[su]32", body):
            complaints.append(f"{kernel}: a division that is no multiplication")
        if kernel.startswith(("RegisterTile<32, 1>", "RegisterTile<32, 2>")) and "prmt" not in body:
            complaints.append(f"{kernel}: no byte permutation")
    return complaints


def dynamic_section(path):
    return subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(\S+)\]", dynamic_section(path))


def exported(path):
    symbols = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return [line.split()[-1] for line in symbols.splitlines()]


def needs(library, folder):
    complaints = [f"{library} needs {name}" for name in needed(library) if OF_CUDA.search(name)]
    built = glob.glob(os.path.join(folder, "*.so")) + glob.glob(os.path.join(folder, "..", "bin", "*"))
    others = [path for path in built if os.path.isfile(path) and not os.path.samefile(path, library)]
    for path in others:
        with open(path, "rb") as start:
            if start.read(4) != b"\x7fELF":
                continue
        complaints += [f"{path} needs {name}" for name in needed(path) if OF_CUDA.search(name)]
    if not others:
        complaints.append(f"nothing else stands in {folder}")
    if exported(library) != ["dlspecCudaTable"]:
        complaints.append(f"{library} exports {exported(library)}")
    return complaints


def host_code_is_refused(nvcc, include):
    """nvcc only warns of it by default, and the emulator would pass where the GPU computes nonsense."""
    source = (
        "#include <dlspec/optimized/cuda/phases/portable.h>\n"
        "int on_the_host(int x) { return x; }\n"
        "template <class T> DLSPEC_PHASE int phase(T x) { return %s; }\n"
        "__global__ void kernel(int* to) { *to = phase(1); }\n"
    )
    flags = ["-std=c++20", f"-I{include}/dlspec_optimized", "-Werror", "all-warnings,cross-execution-space-call"]
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cu")
        for expression, compiles in (("x", True), ("on_the_host(x)", False)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(source % expression)
            done = subprocess.run([nvcc, *flags, "-ptx", path, "-o", path + ".ptx"], capture_output=True, check=False)
            if (done.returncode == 0) != compiles:
                complaints.append(f"phase with {expression}: {done.stderr.decode().strip() or 'compiled'}")
    return complaints


def headers(nvcc, include):
    """Users include the plan of a copy, and with it the structs of DLPack, in their own .cu files."""
    source = (
        "#include <dlspec/optimized/cuda/rearrange.h>\n"
        "bool same(dlspec::abi::Version a, dlspec::abi::Version b) { return a == b; }\n"
        "__global__ void kernel(const __grid_constant__ dlspec::optimized::Geometry geometry, std::int64_t* to) {\n"
        "  *to = geometry.axes[threadIdx.x].extent;\n}\n"
    )
    paths = [f"-I{include}/dlspec_{name}" for name in ("optimized", "vocabulary")]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "user.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        command = [nvcc, "-std=c++20", *paths, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra", "-c", path]
        done = subprocess.run([*command, "-o", path + ".o"], capture_output=True, text=True, check=False)
    return [done.stderr] if done.returncode else []


def main(arguments):
    if len(arguments) < 2:
        print(__doc__)
        return 2
    gate, *rest = arguments
    if gate == "table":
        print(table_text(resources_in(map(read, rest))))
        return 0
    complaints = {
        "resources": lambda: resources(read(rest[0]), map(read, rest[1:])),
        "instructions": lambda: instructions(map(read, rest)),
        "needs": lambda: needs(*rest),
        "headers": lambda: headers(*rest),
        "host_code_is_refused": lambda: host_code_is_refused(*rest),
    }[gate]()
    print("\n".join(complaints) or f"{gate}: as it should be")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
