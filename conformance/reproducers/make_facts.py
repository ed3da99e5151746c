"""Writes the facts of DLPack that reproducers need, as Python and as C, from the tables of reference/vocabulary.

  make_facts.py FOLDER    writes FOLDER/facts.py and FOLDER/facts.c

Each fact is a piece of its own behind a line `#: fact NAME` (`//: fact NAME` in C): a script gets those whose names it
uses, in the order of the file. The sources: abi.h (structs, newest version), flags.h, dtype.def, device.def, and
plugin.h for the table of a plug-in. conformance/evidence/history makes its scripts from the same pieces.
"""

import pathlib
import re
import sys

CONFORMANCE = pathlib.Path(__file__).resolve().parent.parent
VOCABULARY = CONFORMANCE.parent / "reference" / "vocabulary"
sys.path.insert(0, str(VOCABULARY))
import abi_structs  # noqa: E402


def read(*path):
    return CONFORMANCE.parent.joinpath(*path).read_text(encoding="utf-8")


def rows(file, macro, columns):
    """The rows of a table that a release has: tuples of strings."""
    text = re.sub(r"^//.*$", "", read("reference", "vocabulary", file), flags=re.M)
    found = [tuple(cell.strip() for cell in row.split(",")) for row in re.findall(rf"{macro}\((.*?)\)", text, re.S)]
    if not found or any(len(row) != columns for row in found):
        raise SystemExit(f"{file} has another form than this script knows")
    return found


def released(found, major):
    """(value, name, (major, minor)) of the rows that a release has; `major`: the column of the release."""
    versions = [(row, (int(row[major]), int(row[major + 1]))) for row in found]
    return [(int(row[0]), row[1], since) for row, since in versions if since[0] < 99]


class Facts:
    """What both languages write."""

    def __init__(self):
        devices, dtypes = rows("device.def", "DLSPEC_DEVICE", 7), rows("dtype.def", "DLSPEC_DTYPE_CODE", 6)
        self.devices, self.dtypes = released(devices, 3), released(dtypes, 4)
        self.hosts = [row[1] for row in devices if row[5] == "true" and row[3] != "99"]
        text = read("reference", "vocabulary", "flags.h")
        bits = {name: int(shift) for name, shift in re.findall(r" (\w+) = std::uint64_t\{1\} << (\d+);", text)}
        table = re.findall(r'\{(\w+), "(\w+)", "\w+", \{(\d+), (\d+)\}\}', text)
        self.flags = [(1 << bits[bit], name, (int(major), int(minor))) for bit, name, major, minor in table]
        newest = re.search(r"newest_version\{(\d+), (\d+)\}", read("reference", "vocabulary", "abi.h"))
        self.newest = tuple(map(int, newest.groups()))

    @property
    def known_flags(self):
        return sum(value for value, _, _ in self.flags)

    def constants(self):
        return [(value, name) for value, name, _ in (*self.devices, *self.dtypes, *self.flags)]


def mapping(table):
    """A dict of Python: value -> release."""
    return "{\n" + "".join(f"    {value}: {since},  # {name}\n" for value, name, since in table) + "}"


def python_pieces(facts):
    """(name, text) of each fact in Python."""
    for value, name in facts.constants():
        yield name, f"{name} = {value}\n"
    yield "HOST_DEVICES", f"HOST_DEVICES = ({', '.join(facts.hosts)})  # memory that the host owns: device_id is 0\n"
    for name, table in (("DEVICES", facts.devices), ("DTYPE_CODES", facts.dtypes), ("FLAGS", facts.flags)):
        yield name, f"# What dlpack.h defines, and since which release.\n{name} = {mapping(table)}\n"
    yield "KNOWN_FLAGS", f"KNOWN_FLAGS = {facts.known_flags}\n"
    yield "NEWEST", f"NEWEST = {facts.newest}  # the newest release of DLPack\n"
    for name in abi_structs.STRUCTS:
        yield name, abi_structs.python_class(name)


def c_pieces(facts):
    """(name, text) of each fact in C."""
    for value, name in facts.constants():
        yield name, f"enum {{ {name} = {value} }};\n"
    hosts = ", ".join(facts.hosts)
    yield "HOST_DEVICES", f"static const int HOST_DEVICES[] = {{{hosts}}};  // the host's memory: device_id is 0\n"
    yield "Since", "typedef struct Since {\n  int value, major, minor;  // the release that it came with\n} Since;\n"
    for name, table in (("DEVICES", facts.devices), ("DTYPE_CODES", facts.dtypes), ("FLAGS", facts.flags)):
        lines = "".join(f"  {{{value}, {since[0]}, {since[1]}}},  // {known}\n" for value, known, since in table)
        yield name, f"static const Since {name}[] = {{\n{lines}}};\n"
    yield "KNOWN_FLAGS", f"enum {{ KNOWN_FLAGS = {facts.known_flags} }};\n"
    yield "NEWEST_MAJOR", f"enum {{ NEWEST_MAJOR = {facts.newest[0]}, NEWEST_MINOR = {facts.newest[1]} }};\n"
    for name in abi_structs.STRUCTS:
        yield name, abi_structs.c_struct(name)
    header = re.sub(r"/\*.*?\*/", "", read("conformance", "plugin", "plugin.h"), flags=re.S)
    for name in ("DlspecSpec", "DlspecPlugin"):
        text = re.search(rf"^typedef struct {name} \{{.*?^\}} {name};\n", header, re.M | re.S).group()
        text = re.sub(r" +$", "", re.sub(r"\n\s*\n", "\n", text), flags=re.M)
        bridge = "typedef struct DlspecBridge DlspecBridge;\n" if "DlspecBridge" in text else ""
        yield name, bridge + text
    found = re.findall(r"^  (DLSPEC_LEGACY|DLSPEC_VERSIONED) = (\d+)", header, re.M)
    for name, value in found:
        yield name, f"enum {{ {name} = {value} }};\n"


def text_of(pieces, mark):
    gap = {True: "\n\n", False: ""}
    return "".join(f"{mark}: fact {name}\n{gap[text.startswith('class ')]}{text}" for name, text in pieces)


def texts():
    """File name -> its text."""
    facts = Facts()
    return {"facts.py": text_of(python_pieces(facts), "#"), "facts.c": text_of(c_pieces(facts), "//")}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, text in texts().items():
        path = pathlib.Path(sys.argv[1], name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
