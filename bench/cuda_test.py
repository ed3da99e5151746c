"""Rehearses cuda.sh without a GPU: its dry run, and its parts over the emulated GPU, with each way to fail.

cuda_test.py BUILD [FAKE]     a build folder, and the folder of the libdlspec_cuda.so that emulates a GPU. A
                              libbench_cccl.so there copies in its memory, as CCCL's does in a GPU's.
"""

import contextlib
import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD, FAKE = "", ""
NEEDED = [
    "bench/cuda.sh",
    "bench/cuda_peers.py",
    "bench/rearrange_cases.json",
    "bench/CMakeLists.txt",
    "bench/cccl.cmake",
    "CMakeLists.txt",
    "CMakePresets.json",
    "conformance/command/CMakeLists.txt",
    "conformance/python/CMakeLists.txt",
    "optimized/infiniop/CMakeLists.txt",
    "optimized/cuda/CMakeLists.txt",
    "conformance/evidence/adapters/torch.py",
    "conformance/evidence/adapters/cupy.py",
]
NVIDIA_SMI = 'case $1 in -L) echo "GPU 0: Model" ;; *compute_cap) echo 9.0 ;; *) echo "Model, 1.0" ;; esac'
SANITIZER = 'shift 4; echo "$@" >>sanitized; "$@"'
# Each case shrunk to extents of 2, some layouts of the corpus, and few cases timed: the emulator takes microseconds for
# an element.
BENCH = """mode=$1
case $mode in check) set -- 2 ;; corpus) set -- 97 ;; *) set -- tiny_ ;; esac
exec build/cuda/bin/program "$mode" "$@"
"""
# Builds the copies by CCCL, if there are any.
CMAKE = 'echo "$@" >>built; case "$*" in *bench_cccl) cp {}/libbench_cccl.so build/cuda/lib/ || true ;; esac'
NO_CCCL = "CCCL: not compared, libbench_cccl.so is not there"
DLSPEC = """case $2 in
  builtin) ;;
  torch) echo "PyTorch 1: 3 pass"; exit 1 ;;
  *) echo "dlspec: cupy is not there" >&2; exit 3 ;;
esac"""
NO_TORCH = 'echo "PyTorch is not installed" >&2; exit 77'


class Rehearsal:
    """A copy of what the script uses, with doubles of the programs that a GPU machine has."""

    def __init__(self, folder):
        self.folder = folder
        for name in NEEDED:
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), self.path(name))
        self.double("programs/nvidia-smi", NVIDIA_SMI)
        self.double("programs/cmake", CMAKE.format(FAKE))
        self.double("programs/compute-sanitizer", SANITIZER)
        self.double("programs/python3", NO_TORCH)
        self.double("build/cuda/bin/bench_cuda", BENCH)
        shutil.copy(os.path.join(BUILD, "bin/bench_cuda"), self.path("build/cuda/bin/program"))
        os.mkdir(self.path("build/cuda/lib"))
        shutil.copy(os.path.join(FAKE, "libdlspec_cuda.so"), self.path("build/cuda/lib/libdlspec_cuda.so"))
        self.double("build/cuda/bin/dlspec", DLSPEC)

    def path(self, name):
        return os.path.join(self.folder, name)

    def part(self, name):
        return f"build/cuda-parts/unknown/{name}"

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def double(self, name, script):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/bash\n{script}\n")
        os.chmod(self.path(name), 0o755)

    def run(self, *arguments):
        """(exit status, all that was printed, the result file or "")."""
        search = self.path("programs") + os.pathsep + os.environ["PATH"]
        environment = {**os.environ, "PATH": search, "GIT_DIR": self.path("no-repository")}
        command = ["bash", self.path("bench/cuda.sh"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        results = self.path("bench/results")
        written = os.listdir(results) if os.path.isdir(results) else []
        return done.returncode, done.stdout + done.stderr, self.read(f"bench/results/{written[0]}") if written else ""


class CudaScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rehearsal = Rehearsal(folder.name)

    def failing(self, name, script, *parts):
        self.rehearsal.double(name, script)
        status, printed, result = self.rehearsal.run(*parts)
        self.assertEqual(status, 1, printed)
        return result[result.index("## Failed") :]

    def test_the_dry_run_finds_all_that_the_script_uses(self):
        command = ["bash", os.path.join(ROOT, "bench/cuda.sh"), "--dry-run", BUILD]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for step in (
            "cmake --preset cuda",
            "bench_cuda check",
            "--tool racecheck",
            "cuda_peers.py",
            "run cupy --device",
        ):
            self.assertIn(step, done.stdout)

    def test_the_dry_run_names_what_is_missing(self):
        self.rehearsal.double("build/cuda/lib/libbench_cccl.so", "")
        self.assertEqual(self.rehearsal.run("--dry-run")[0], 0)
        self.assertFalse(os.path.exists(self.rehearsal.path("built")), "a dry run builds nothing")
        self.assertTrue(os.path.exists(self.rehearsal.path("build/cuda/lib/libbench_cccl.so")), "and removes nothing")
        os.remove(self.rehearsal.path("bench/cuda_peers.py"))
        os.remove(self.rehearsal.path("conformance/evidence/adapters/cupy.py"))
        for name, word in (("bench/CMakeLists.txt", "bench_cuda "), ("CMakeLists.txt", "DLSPEC_BUILD_FUZZ ")):
            text = self.rehearsal.read(name)
            with open(self.rehearsal.path(name), "w", encoding="utf-8") as file:
                file.write(text.replace(word, "renamed "))
        status, printed, _ = self.rehearsal.run("--dry-run")
        self.assertEqual(status, 1, printed)
        for what in ("file bench/cuda_peers.py", "file conformance/evidence/adapters/cupy.py", "target bench_cuda",
                     "option DLSPEC_BUILD_FUZZ"):  # fmt: skip
            self.assertIn(f"missing: {what}\n", printed)
        self.assertIn("4 missing", printed)

    def test_every_part_is_carried_out_once(self):
        status, printed, result = self.rehearsal.run()
        self.assertEqual(status, 0, printed)
        for line in ("Model, 1.0", "on the GPU: 355 copies of 71 cases, 0 differ",
                     "by the CPU's engines: ", "small and random layouts, 0 differ", "- memcheck: 0 errors",
                     "- initcheck: 0 errors", "| tiny_1_f32 |", "PyTorch: not available", "- torch: PyTorch 1: 3 pass",
                     "- cupy: not judged whole: dlspec: cupy is not there"):  # fmt: skip
            self.assertIn(line, result)
        self.assertNotIn("## Failed", result)
        built = self.rehearsal.read("built")
        self.assertIn("-DDLSPEC_CUDA_ARCHITECTURES=90", built)
        for target in ("bench_cuda", "dlspec_cuda_library", "dlspec_native"):
            self.assertIn(target, built)
        self.assertEqual(self.rehearsal.run()[0], 0)
        self.assertEqual(self.rehearsal.read("built"), built, "a second call does nothing again")
        self.rehearsal.run("build")
        self.assertNotEqual(self.rehearsal.read("built"), built, "a part that is named is done again")

    @unittest.skipUnless(os.path.exists(os.path.join(sys.argv[-1], "libbench_cccl.so")), "CCCL is not here")
    def test_cccl_is_checked_and_timed(self):
        status, printed, result = self.rehearsal.run("check", "time")
        self.assertEqual(status, 0, printed)
        self.assertRegex(result, r"- CCCL \d+\.\d+\.\d+: 69 copies, 0 differ, 2 without a kernel\n")
        self.assertRegex(
            result, r"\nCCCL \d+\.\d+\.\d+, with coalesced axes; no driver with graphs: by the host.s clock\n"
        )
        for case in ("tiny_1_f32", "tiny_4x4_f32", "tiny_2x3x4_f32"):
            self.assertRegex(result, rf"\n\| {case} (\|[^|]+){{7}}\|\n")
        os.environ["FAKE_CUB_FAULT"] = "1"
        self.addCleanup(os.environ.pop, "FAKE_CUB_FAULT")
        status, printed, result = self.rehearsal.run("check")
        self.assertEqual(status, 1, printed)
        self.assertIn("t2d_f32_256 by CCCL, shifted by 0 and 0: differs", result)

    def test_without_cccl_the_result_says_so(self):
        self.rehearsal.double("programs/cmake", 'echo "$@" >>built; case "$*" in *bench_cccl) exit 1 ;; esac')
        status, printed, result = self.rehearsal.run()
        self.assertEqual(status, 0, printed)
        self.assertEqual(result.count(NO_CCCL), 3, "checked twice, and timed")
        self.assertRegex(result, r"\n\| tiny_1_f32 (\|[^|]+){5}\|\n")
        self.assertIn("the copies by CCCL do not compile", self.rehearsal.read(self.rehearsal.part("build.md")))

    def test_a_step_that_fails_is_named(self):
        self.assertIn("- Build failed with status 5",
                      self.failing("programs/cmake", 'echo "$@" >>built; exit 5', "build"))  # fmt: skip
        self.assertEqual(self.rehearsal.read("built").count("--preset"), 2, "configured for two parts")
        self.assertNotIn("--build", self.rehearsal.read("built"), "what fails to configure is not built")

    def test_a_part_that_fails_is_named(self):
        rehearsal = self.rehearsal
        self.assertIn("Against the reference failed with status 1", self.failing("build/cuda/bin/bench_cuda", "exit 1"))
        rehearsal.double("build/cuda/bin/bench_cuda", "exit 0")
        self.assertIn(
            "Beside PyTorch failed with status 4", self.failing("programs/python3", "exit 4", "check", "peers")
        )
        rehearsal.double("programs/python3", NO_TORCH)
        for status in (1, 9):
            self.assertIn("compute-sanitizer failed with status 1",
                          self.failing("programs/compute-sanitizer", f"exit {status}", "sanitize"))  # fmt: skip
        rehearsal.double("programs/compute-sanitizer", SANITIZER)
        self.assertIn("dlspec run --device cuda failed",
                      self.failing("build/cuda/bin/dlspec", "echo lost; exit 139", "suite"))  # fmt: skip
        self.assertIn("- torch: ended with status 139: lost", rehearsal.run()[2])
        rehearsal.double("build/cuda/bin/dlspec", DLSPEC)
        status, printed, result = rehearsal.run()
        self.assertEqual(status, 0, printed)
        self.assertNotIn("failed", result)

    def test_a_tool_that_the_machine_refuses_is_named(self):
        self.rehearsal.double("programs/compute-sanitizer", "echo no permission; exit 3")
        status, printed, result = self.rehearsal.run()
        self.assertEqual(status, 0, printed)
        self.assertIn("- racecheck: refused by this machine, status 3: no permission", result)

    def test_without_a_gpu_nothing_is_done(self):
        self.rehearsal.double("programs/nvidia-smi", "exit 9")
        status, printed, result = self.rehearsal.run()
        self.assertEqual((status, result), (77, ""))
        self.assertIn("no GPU", printed)
        self.assertEqual(self.rehearsal.run("--dry-run")[0], 0)


class Peers(unittest.TestCase):
    def test_peers_are_timed_in_turn(self):
        """Their medians, with a clock that only work advances."""
        spec = importlib.util.spec_from_file_location("cuda_peers", os.path.join(ROOT, "bench/cuda_peers.py"))
        peers = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(peers)
        clock, began = [0.0], []

        class Event:
            def __init__(self, enable_timing):
                self.assigned = enable_timing

            def record(self):
                self.time = clock[0]

            def synchronize(self):
                pass

            def elapsed_time(self, other):
                return other.time - self.time

        captured = []  # milliseconds of the calls of the graph that is being captured

        class CUDAGraph:
            def replay(self):
                began.append(self.name)
                clock[0] += self.milliseconds

        @contextlib.contextmanager
        def graph(made):
            captured.clear()
            yield
            made.name, made.milliseconds = captured[0][0], sum(milliseconds for _, milliseconds in captured)

        def work(name, milliseconds):
            return lambda _: captured.append((name, milliseconds))

        torch = types.SimpleNamespace(
            cuda=types.SimpleNamespace(Event=Event, CUDAGraph=CUDAGraph, graph=graph, synchronize=lambda: None)
        )
        times = peers.times_of(torch, [work("a", 1), work("b", 2), work("c", 4)], 1 << 30)
        self.assertEqual([round(each) for each in times], [1000, 2000, 4000])
        self.assertEqual("".join(began[:9]), "abcbcacab", "each round begins with another one")

    @unittest.skipUnless(os.path.exists(os.path.join(sys.argv[1], "lib/libbench_cccl.so")), "no libbench_cccl.so")
    def test_copies_by_cccl_answer_without_a_gpu(self):
        class Copy(ctypes.Structure):
            _fields_ = [("element_size", ctypes.c_int32), ("rank", ctypes.c_int32)] + [
                (name, ctypes.c_int32 * 8) for name in ("extents", "to", "from_")
            ]

        library = ctypes.CDLL(os.path.join(BUILD, "lib/libbench_cccl.so"))
        self.assertGreaterEqual(library.benchCcclVersion(), 2008000)
        enqueue = lambda size, rank: library.benchCcclEnqueue(  # noqa: E731
            ctypes.byref(Copy(size, rank, (2,) * 8, (1,) * 8, (1,) * 8)), None, None
        )
        self.assertEqual([enqueue(5, 1), enqueue(4, 9), enqueue(4, 0)], [1, 1, 1])
        if not os.path.exists("/dev/nvidiactl"):
            answers = {enqueue(size, rank) for size in (1, 2, 3, 4, 6, 8, 12, 16) for rank in range(1, 9)}
            self.assertEqual(answers, {2}, "an error of CUDA")


if __name__ == "__main__":
    BUILD, FAKE = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
