"""dlspec header as a user meets it: a conforming header of each release, and the same with one fault each.

Usage: header_test.py BUILD_DIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
VOCABULARY = pathlib.Path(__file__).resolve().parents[2] / "reference" / "vocabulary"
STRUCTS = """
typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct {
  void* data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t* shape; int64_t* strides; uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor; void* manager_ctx; void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;
"""
VERSIONED = """
typedef struct { uint32_t major; uint32_t minor; } DLPackVersion;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version; void* manager_ctx; void (*deleter)(struct DLManagedTensorVersioned* self); uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
"""
EXCHANGE = """
typedef struct DLPackExchangeAPIHeader { DLPackVersion version; struct DLPackExchangeAPIHeader* prev_api;
} DLPackExchangeAPIHeader;
typedef int (*Function)(void);
typedef struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header; Function managed_tensor_allocator; Function managed_tensor_from_py_object_no_sync;
  Function managed_tensor_to_py_object_no_sync; Function dltensor_from_py_object_no_sync; Function current_work_stream;
} DLPackExchangeAPI;
"""
FLAGS = {"READ_ONLY": (1, (1, 0)), "IS_COPIED": (2, (1, 0)), "IS_SUBBYTE_TYPE_PADDED": (4, (1, 1))}
OLD_VERSIONS = {2: "010", 3: "030", 4: "040", 5: "050", 6: "60", 7: "70", 8: "80"}
VALUES = dict(
    row[::-1]
    for table in ("device.def", "dtype.def")
    for row in re.findall(r"^DLSPEC_\w+\((\d+), (kDL\w+),", (VOCABULARY / table).read_text("utf-8"), re.M)
)


def line(name, value=None):
    """An enumerator as the header has it, or with another value."""
    return f"{name} = {value or VALUES[name]}"


# What is replaced in the header of 1.3 -> the rules that this breaks, and the exit status.
FAULTS = {
    ("int64_t* shape; int64_t* strides", "int64_t* strides; int64_t* shape"): ({"abi.sizes-offsets"}, 1),
    ("int64_t* shape", "int32_t* shape"): ({"abi.shape-int64"}, 1),
    ("int64_t* strides", "uint64_t* strides"): ({"abi.shape-int64"}, 1),
    ("uint64_t byte_offset;", ""): ({"abi.sizes-offsets"}, 1),
    ("int32_t device_type", "int8_t device_type"): ({"abi.device-type-32bit"}, 1),
    ("uint16_t lanes", "uint32_t lanes"): ({"abi.dtype-4-bytes", "abi.sizes-offsets"}, 1),
    ("uint64_t flags;", "uint32_t flags;"): ({"abi.stable-prefix"}, 0),
    ("DLPackVersion version; struct", "struct"): ({"exchange.header-stable", "abi.sizes-offsets"}, 1),
    (line("kDLCUDA"), line("kDLCUDA", 5)): ({"device.type-known"}, 1),
    (line("kDLComplex"), line("kDLComplex", 4)): ({"dtype.code-known"}, 1),
    (line("kDLBool") + ",", ""): ({"version.not-blindly-header-macro"}, 0),
    (line("kDLCPU"), line("kDLCPU") + ", " + line("kDLMine", 77)): ({"abi.private-enum-space"}, 0),
    (line("kDLTrn"), line("kDLTrn") + ", " + line("kDLTPU")): ({"abi.private-enum-space"}, 0),
    ("MINOR_VERSION 3", "MINOR_VERSION 1"): ({"version.truthful-minor"}, 0),
    ("MINOR_VERSION 3", "PATCH 3"): ({"version.compile-time-macros"}, 0),
    ("#define DLPACK_MAJOR", "#define DLPACK_VERSION 80\n#define DLPACK_MAJOR"): ({"version.compile-time-macros"}, 0),
    ("MAJOR_VERSION 1", "MAJOR_VERSION 2"): ({"version.major-published"}, 0),
    ("READ_ONLY 1", "READ_ONLY 8"): ({"flags.read-only-set"}, 0),
    ("IS_COPIED 2", "IS_COPIED 1"): ({"flags.is-copied-honest"}, 1),
    ("PADDED 4", "PADDED 2"): ({"flags.padded-set-when-padded"}, 1),
    (EXCHANGE, ""): ({"version.not-blindly-header-macro"}, 0),
}


def rows(table, release):
    """The enumerators of a release, from a table of the vocabulary."""
    found = re.findall(r"^DLSPEC_\w+\((\d+), (kDL\w+), (.*)\)$", (VOCABULARY / table).read_text("utf-8"), re.M)
    for value, name, rest in found:
        fields = rest.split(", ")
        since = tuple(map(int, fields[1:3] if table == "device.def" else fields[2:4]))
        if since <= release:
            yield name, value


def enumeration(name, table, release):
    return f"typedef enum {{ {', '.join(f'{one} = {value}' for one, value in rows(table, release))} }} {name};\n"


def header(release):
    """A conforming dlpack.h of a release."""
    major, minor = release
    version = f"#define DLPACK_MAJOR_VERSION {major}\n#define DLPACK_MINOR_VERSION {minor}\n"
    if major == 0:
        version = f"#define DLPACK_VERSION {OLD_VERSIONS[minor]}\n"
        version += "#define DLPACK_ABI_VERSION 1\n" if minor >= 7 else ""
    flags = "".join(f"#define DLPACK_FLAG_BITMASK_{n} {v}\n" for n, (v, since) in FLAGS.items() if since <= release)
    text = "#include <stdint.h>\n" + version + flags
    text += enumeration("DLDeviceType", "device.def", release) + enumeration("DLDataTypeCode", "dtype.def", release)
    text += STRUCTS + (VERSIONED if major else "") + (EXCHANGE if release >= (1, 2) else "")
    if release < (0, 4):
        text = text.replace("DLDevice device;", "DLContext ctx;").replace("} DLDevice;", "} DLContext;")
    return text.replace("kDLCUDAHost", "kDLCPUPinned").replace("kDLCUDA ", "kDLGPU ") if release < (0, 5) else text


@unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
class Header(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def judge(self, text, *options, environment=None):
        path = self.folder / "dlpack.h"
        path.write_text(text, encoding="utf-8")
        return self.run_header(path, *options, environment=environment)

    @staticmethod
    def run_header(*arguments, environment=None):
        return subprocess.run(
            [str(BUILD / "bin" / "dlspec"), "header", *map(str, arguments)],
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    @staticmethod
    def rules(done):
        return set(re.findall(r"^(?:fail|warn|info)  (\S+)", done.stdout, re.M))

    def test_every_release_conforms(self):
        releases = [(0, minor) for minor in OLD_VERSIONS] + [(1, minor) for minor in range(4)]
        for release in releases:
            with self.subTest(release=release):
                done = self.judge(header(release))
                self.assertEqual((done.returncode, self.rules(done)), (0, set()), done.stdout + done.stderr)
                self.assertIn(f"DLPack {release[0]}.{release[1]}", done.stdout)
                self.assertNotIn("remarks", done.stdout)

    def test_each_fault_is_found_alone(self):
        for (now, then), (rules, status) in FAULTS.items():
            with self.subTest(now=now, then=then):
                text = header((1, 3))
                self.assertIn(now, text)
                done = self.judge(text.replace(now, then, 1))
                self.assertEqual((self.rules(done), done.returncode), (rules, status), done.stdout + done.stderr)

    def test_packed_structs_are_measured(self):
        text = header((1, 3)).replace("typedef struct {", "#pragma pack(1)\ntypedef struct {", 1)
        done = self.judge(text.replace("int32_t device_id;", "int32_t device_id; char more;"))
        self.assertIn("abi.sizes-offsets", self.rules(done))

    def test_decimal_version_is_no_release(self):
        done = self.judge(header((0, 4)).replace("DLPACK_VERSION 040", "DLPACK_VERSION 40"))
        self.assertIn("DLPack 0.5", done.stdout)  # 050 is 40
        done = self.judge(header((0, 4)).replace("DLPACK_VERSION 040", "DLPACK_VERSION 41"))
        self.assertIn("version.compile-time-macros", self.rules(done))

    def test_namespaces_of_cpp(self):
        wrapped = "#include <stdint.h>\nnamespace mine { inline namespace v1 {\n" + header((1, 1)) + "} }\n"
        done = self.judge(wrapped.replace("#include <stdint.h>\n#def", "#def"))
        self.assertEqual((done.returncode, self.rules(done)), (0, set()), done.stdout + done.stderr)
        self.assertIn("sizes as C++", done.stdout)

    def test_strict_makes_warnings_fail(self):
        text = header((1, 3)).replace("MINOR_VERSION 3", "MINOR_VERSION 1")
        self.assertEqual(self.judge(text).returncode, 0)
        self.assertEqual(self.judge(text, "--strict").returncode, 1)

    def test_warnings_are_shown(self):
        done = self.judge(header((1, 3)) + "static int unused(void) { int left; return 0; }\n")
        self.assertIn("remarks", done.stdout)
        self.assertIn("left", done.stdout)

    def test_what_cannot_be_judged(self):
        for text, sentence in (
            ("int one;\n", "declares no struct DLTensor"),
            ("struct {{{\n", "neither as C nor as C++"),
            ('#include "nowhere.h"\n', "neither as C nor as C++"),
        ):
            with self.subTest(text=text):
                done = self.judge(text)
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
                self.assertIn(sentence, done.stderr)
        self.assertEqual(self.judge(header((1, 3)), "--compiler", "no-such-compiler").returncode, 3)
        self.assertEqual(self.judge(header((1, 3)), "--compiler", "true").returncode, 3)
        nothing = self.judge(header((1, 3)), environment={"PATH": str(self.folder), "CC": ""})
        self.assertEqual(nothing.returncode, 3)
        self.assertIn("--compiler", nothing.stderr)

    def test_wrong_usage(self):
        for arguments in ((), ("no/such/file",), (self.folder,)):
            with self.subTest(arguments=arguments):
                done = self.run_header(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_included_files_are_found(self):
        inner = self.folder / "include"
        inner.mkdir()
        (inner / "structs.h").write_text(header((1, 3)), encoding="utf-8")
        text = "#include <structs.h>\n"
        self.assertEqual(self.judge(text).returncode, 3)
        done = self.judge(text, "-I", inner)
        self.assertEqual((done.returncode, self.rules(done)), (0, set()), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
