"""What keeps a release from going out wrong: its tag, its source archive, the hashes of what is compiled in."""

import functools
import hashlib
import http.server
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_release
import check_sdist

SETUP = pathlib.Path(__file__).resolve().parent
VERSION = check_release.version()


def pack(path, files):
    """A tar archive of {name: bytes}."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Tag(Folder):
    def test_a_tag_is_the_version_and_its_changes_are_written_down(self):
        (self.folder / "conformance/docs").mkdir(parents=True)
        (self.folder / "CMakeLists.txt").write_text("project(dlspec VERSION 3.4.5 LANGUAGES C)\n")
        changes = self.folder / "conformance/docs/changes.md"
        changes.write_text("# Changes\n\n## 3.4.5 (2026-01-01)\n")
        self.assertEqual(list(check_release.check("v3.4.5", self.folder)), [])
        self.assertEqual(
            list(check_release.check("v3.4.6", self.folder)), ["the tag is v3.4.6, the version of the sources 3.4.5"]
        )
        changes.write_text("# Changes\n\n## Unreleased (3.4.5)\n")
        self.assertEqual(
            list(check_release.check("v3.4.5", self.folder)), ["conformance/docs/changes.md has no section '## 3.4.5'"]
        )


class SourceArchive(Folder):
    def objections(self, files):
        path = self.folder / f"dlspec-{VERSION}.tar.gz"
        information = f"Name: dlspec\nVersion: {VERSION}\n".encode()
        pack(path, {f"dlspec-{VERSION}/{name}": b"" for name in files} | {f"dlspec-{VERSION}/PKG-INFO": information})
        return [line for line in check_sdist.check(path) if not line.endswith("the mode is another one")]

    def test_everything_is_there_and_nothing_else(self):
        expected = check_sdist.expected()
        if expected is None:
            self.skipTest("no checkout of git")
        self.assertIn("pyproject.toml", expected)
        self.assertEqual(self.objections(expected), [])
        self.assertEqual(self.objections(expected - {"LICENSE"}), ["LICENSE is missing"])
        self.assertEqual(self.objections(expected | {"fuzz/corpus/x"}), ["fuzz/corpus/x is not the project's"])

    def test_without_git(self):
        self.assertIsNone(check_sdist.expected("no-such-git"))

    def test_modes_are_kept(self):
        path = self.folder / f"dlspec-{VERSION}.tar.gz"
        pack(path, {f"dlspec-{VERSION}/conformance/setup/sdist": b""})
        self.assertTrue(any("conformance/setup/sdist: the mode" in line for line in check_sdist.check(path)))


class Notices(unittest.TestCase):
    NAMES = {
        "cli11": "CLI11",
        "fmt": "{fmt}",
        "nlohmann_json": "JSON for Modern C++",
        "pugixml": "pugixml",
        "tomlplusplus": "toml++",
    }

    def test_every_library_that_is_compiled_in_has_its_notice(self):
        table = (SETUP / "dependencies.txt").read_text(encoding="utf-8").splitlines()
        libraries = {line.split()[0] for line in table if line and not line.startswith("#")}
        self.assertEqual(libraries, set(self.NAMES))
        notices = (SETUP / "third-party-notices.txt").read_text(encoding="utf-8")
        for name in self.NAMES.values():
            self.assertRegex(notices, rf"(?m)^{re.escape(name)} +(MIT|BSD-3-Clause) +\S")


class Wheel(unittest.TestCase):
    """Its build makes the targets that pyproject.toml names, and no others."""

    def test_what_is_installed_is_built(self):
        settings = (SETUP.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
        built = re.findall(r'"(\w+)"', re.search(r"(?m)^build\.targets = \[(.*)\]$", settings)[1])
        rules = "".join(path.read_text(encoding="utf-8") for path in sorted(SETUP.parent.rglob("CMakeLists.txt")))
        installed = set(re.findall(r"install\(TARGETS (\w+)", rules))
        self.assertIn("dlspec_zoo", installed)
        self.assertEqual(installed, set(built))


class Portable(Folder):
    """The compiler of the portable wheel, where it was fetched before: it is large."""

    def test_what_is_not_optimised_needs_no_sanitizer(self):
        script = """
            tools_are_there() { [ -e "${cache:?}/wheel/$(sha256sum "$setup/wheel-tools.txt" | cut -c1-16)/complete" ]; }
            source "$1/tools.sh"
            tools_are_there || exit 77
            source "$1/zig.sh"
            use_zig "x86_64-linux-gnu.${glibc:?}"
            printf 'int sum(int a, int b) { return a + b; }' >sum.c
            "$CC" -O0 -c sum.c && readelf -Ws sum.o"""
        done = subprocess.run(
            ["bash", "-e", "-c", script, "bash", SETUP],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode == 77:
            self.skipTest("zig was not fetched yet")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"FUNC.* sum\n")
        self.assertNotIn("ubsan", done.stdout)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        del arguments


class Fetched(Folder):
    """DlspecFetch.cmake with a table of one library, whose archives this test makes."""

    def setUp(self):
        super().setUp()
        self.mirror = self.folder / "mirror"
        self.mirror.mkdir()
        pack(self.mirror / "small-1.tar.gz", {"small-1/include/small.h": b"#define SMALL 1\n"})
        pack(self.mirror / "small-1+ds.tar.gz", {"packed/of/small.h": b"#define SMALL 2\n"})
        self.hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(self.mirror.iterdir())]
        (self.folder / "table.txt").write_text(
            f"small small-1.tar.gz {self.hashes[1]} include http://address.invalid/small-1.tar.gz\n"
            f"small small-1+ds.tar.gz {self.hashes[0]} of apt:small=1\n"
        )
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(fetching NONE)\n"
            f'include("{SETUP}/cmake/DlspecFetch.cmake")\ndlspec_fetched(the::small small SMALL_ONLY=1)\n'
            "get_target_property(folder the::small INTERFACE_INCLUDE_DIRECTORIES)\n"
            'file(READ "${folder}/small.h" text)\nmessage(STATUS "read ${text}")\n'
        )

    def configure(self, mirror, *options):
        command = ["cmake", "-S", self.folder, "-B", self.folder / "build", "-G", "Ninja"]
        command += [f"-DDLSPEC_DEPENDENCY_TABLE={self.folder}/table.txt", f"-DDLSPEC_DEPENDENCY_MIRROR={mirror}"]
        return subprocess.run(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )

    def test_a_folder_with_archives_gives_the_first_that_is_there(self):
        self.assertIn("read #define SMALL 1", self.configure(self.mirror).stdout)
        (self.mirror / "small-1.tar.gz").unlink()
        self.assertIn("read #define SMALL 2", self.configure(self.mirror).stdout)
        (self.mirror / "small-1+ds.tar.gz").unlink()
        self.assertIn("There is no archive of small in", self.configure(self.mirror).stdout)

    def test_an_archive_with_another_hash_is_refused(self):
        pack(self.mirror / "small-1.tar.gz", {"small-1/include/small.h": b"#define SMALL 3\n"})
        done = self.configure(self.mirror)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(self.hashes[1], done.stdout)
        self.assertNotIn("read #define", done.stdout)

    def test_an_unpacked_release_needs_no_archive(self):
        unpacked = self.folder / "unpacked/include"
        unpacked.mkdir(parents=True)
        (unpacked / "small.h").write_text("#define SMALL 4\n")
        done = self.configure("", f"-DFETCHCONTENT_SOURCE_DIR_SMALL={unpacked.parent}")
        self.assertIn("read #define SMALL 4", done.stdout)

    def test_an_address_is_downloaded_from_and_its_hash_checked(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(self.mirror)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        address = f"http://127.0.0.1:{server.server_port}"
        self.assertIn("read #define SMALL 1", self.configure(address).stdout)
        pack(self.mirror / "small-1.tar.gz", {"small-1/include/small.h": b"#define SMALL 5\n"})
        shutil.rmtree(self.folder / "build")
        done = self.configure(address)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(self.hashes[1], done.stdout)
        self.assertNotIn("read #define SMALL 5", done.stdout)


if __name__ == "__main__":
    unittest.main()
