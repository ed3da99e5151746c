"""Rejects functions of glibc that are newer than the oldest one which wheels are made for.

  python3 glibc_floor.py [--exact] FILE...
  python3 glibc_floor.py --selftest CC

A build on a newer system binds to newer versions of old functions as well (`dlsym` moved into libc.so.6 in 2.34), which
a build on an old one does not. So a symbol counts as new when the system's libraries have no older version of it.
--exact takes the versions as they stand: for wheels, whose binaries are linked against the old glibc.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

FLOOR = (2, 28)  # of manylinux_2_28
SYMBOL = re.compile(r"^\s*\d+: \S+\s+\d+ \w+\s+\w+\s+\w+\s+(\w+) (\w+)@@?GLIBC_(\d+)\.(\d+)", re.MULTILINE)

# New names that stand for older ones: headers of an older glibc, or a compiler configured for it, do not write them.
WRITTEN_BY_HEADERS = {
    "fstat": "inline before 2.33",
    "fstatat": "inline before 2.33",
    "lstat": "inline before 2.33",
    "stat": "inline before 2.33",
    "__libc_single_threaded": "std::shared_ptr asks for it where <sys/single_threaded.h> is",
    "pthread_cond_clockwait": "std::condition_variable asks for it where glibc has it",
    "_dl_find_object": "a static libgcc asks for it where glibc has it",
}
REDIRECTED = re.compile(r"__isoc23_\w+$")


def symbols(path):
    """(name, version, whether it is defined there) of the symbols that have a version of glibc."""
    listing = subprocess.run(["readelf", "-W", "--dyn-syms", path], check=True, stdout=subprocess.PIPE, text=True)
    for section, name, major, minor in SYMBOL.findall(listing.stdout):
        yield name, (int(major), int(minor)), section != "UND"


def oldest_versions():
    """{name: the oldest version} of the libraries of this system."""
    found = {}
    for library in ("libc.so.6", "libm.so.6"):
        path = subprocess.run(["gcc", f"-print-file-name={library}"], check=True, stdout=subprocess.PIPE, text=True)
        for name, version, defined in symbols(path.stdout.strip()):
            if defined:
                found[name] = min(version, found.get(name, version))
    return found


def too_new(path, oldest):
    """{name: version}, of what the file needs."""
    wrong = {}
    for name, version, defined in symbols(path):
        excused = name in WRITTEN_BY_HEADERS or REDIRECTED.match(name)
        needed = version if oldest is None else FLOOR if excused else oldest.get(name, version)
        if not defined and needed > FLOOR:
            wrong[name] = needed
    return wrong


def check(paths, exact):
    oldest = None if exact else oldest_versions()
    if not any(True for path in paths for _ in symbols(path)):
        return ["no file needs any symbol of glibc, so that nothing was checked"]
    return [
        f"{path}: {name} came with glibc {'.'.join(map(str, version))}"
        for path in paths
        for name, version in sorted(too_new(path, oldest).items())
    ]


def selftest(compiler):
    """A program with a new function is found out, and only because of that one."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "new.c"
        source.write_text(
            "#include <dlfcn.h>\n#include <malloc.h>\nint main(void) {\n"
            '  return (int)mallinfo2().uordblks + (dlsym(0, "x") != 0);\n}\n'
        )
        program = str(source.with_suffix(""))
        subprocess.run([compiler, str(source), "-o", program], check=True)
        names = [line.split()[1] for line in check([program], exact=False)]
        return [] if names == ["mallinfo2"] else [f"a program with mallinfo2 is reported for {names}"]


def main(arguments):
    if arguments[:1] == ["--selftest"]:
        wrong = selftest(arguments[1])
    else:
        exact = "--exact" in arguments
        wrong = check([each for each in arguments if each != "--exact"], exact)
    return "\n".join(wrong) or None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
