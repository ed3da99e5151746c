#!/usr/bin/env python3
"""The structure of the project, read from its include lines.

  structure_test.py [ROOT]

- A room of conformance/ includes rooms of its own floor and of floors below, and rooms of one floor form no cycle.
- reference and optimized include neither each other nor conformance; the vocabulary includes neither of them.
- CUDA's headers are included in optimized/cuda/launch only, and the kernels' phases include nothing but each other and
  the plan.
- What only one system has (/proc, eventfd, affinity masks, …) is used in conformance/platform and in AFFINITY alone.
- No include leads upwards by a path.
- No file of code is longer than LONGEST lines. Tables (.def) and what is generated may be.
Floors, rooms and what each may use stand in conformance/CMakeLists.txt; this test reads them there.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]
SOURCES = {".cc", ".h", ".def", ".c", ".cu"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
ROOM = re.compile(r"dlspec_conformance_room\((\w+)\s+([\w/]+)([^)]*)\)")
CODE = SOURCES - {".def"} | {".py", ".sh", ".cmake"}
LONGEST = 300
OF_ONE_SYSTEM = re.compile(
    r'"/proc|\b(?:eventfd|prctl|prlimit|pidfd_open|sched_getaffinity|pthread_setaffinity_np|pipe2|kqueue|sysctl)\s*\('
    r"|\b(?:cpu_set_t|SOCK_CLOEXEC|MSG_NOSIGNAL|REG_ERR|SYS_\w+)\b"
)
AFFINITY = "optimized/rearrange/engines/affinity"
FOLDERS = ("bench", "conformance", "fuzz", "optimized", "reference")
LOWER = ("vocabulary", "reference", "optimized")  # layers below conformance, each with the layers that it may include
MAY_INCLUDE = {
    "vocabulary": {"vocabulary"},
    "reference": {"vocabulary", "reference"},
    "optimized": {"vocabulary", "optimized"},
}


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES and "build" not in path.parts)


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def read_rooms(text):
    """Floor and used rooms of each room, in the order of the file: floors from the ground up."""
    rooms = {}
    for floor, room, rest in ROOM.findall(text):
        uses = re.search(r"USES([^A-Z]*)", rest)
        rooms[room] = (floor, uses.group(1).split() if uses else [])
    return rooms


def room_of(name, rooms):
    """The room that has this header or file; None for what is in none."""
    found = [room for room in rooms if name.startswith(room + "/")]
    return max(found, key=len) if found else None


def cycle(edges):
    """Nodes of a cycle, the first one repeated; [] where there is none."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return []
        path.append(node)
        found = next(filter(None, (visit(other) for other in sorted(edges.get(node, ())))), [])
        path.pop()
        done.add(node)
        return found

    return next(filter(None, (visit(node) for node in sorted(edges))), [])


def is_script(path):
    """A program without a suffix."""
    if path.suffix or not path.is_file():
        return False
    with path.open("rb") as program:
        return program.read(2) == b"#!"


class Structure(unittest.TestCase):
    def setUp(self):
        self.conformance = ROOT / "conformance"
        self.rooms = read_rooms((self.conformance / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.floors = list(dict.fromkeys(floor for floor, _ in self.rooms.values()))

    def edges(self):
        """(file, its room, room of what it includes) for every include between rooms."""
        for path in sources(self.conformance):
            name = path.relative_to(self.conformance).as_posix()
            room = room_of(name, self.rooms)
            for header in includes(path):
                other = room_of(header.removeprefix("dlspec/conformance/"), self.rooms)
                if room and other and header.startswith("dlspec/conformance/") and other != room:
                    yield name, room, other

    def test_rooms_include_what_they_name(self):
        wrong = []
        for name, room, other in self.edges():
            below = self.floors.index(self.rooms[other][0]) < self.floors.index(self.rooms[room][0])
            is_test = name.endswith("_test.cc")
            allowed = other in self.rooms[room][1] or (
                is_test and (below or self.rooms[other][0] == self.rooms[room][0])
            )
            if not allowed:
                wrong.append(f"conformance/{name} includes {other}, which {room} does not USE")
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_floors_are_used_from_above(self):
        for room, (floor, uses) in self.rooms.items():
            for other in uses:
                self.assertIn(other, self.rooms, f"{room} uses {other}, which is no room")
                self.assertLessEqual(
                    self.floors.index(self.rooms[other][0]), self.floors.index(floor), f"{room} uses {other} above it"
                )

    def test_rooms_of_a_floor_form_no_cycle(self):
        edges = {}
        for name, room, other in self.edges():
            if not name.endswith("_test.cc"):
                edges.setdefault(room, set()).add(other)
        self.assertEqual(cycle(edges), [])

    def test_every_folder_with_code_is_a_room(self):
        outside = {
            "command",
            "docs/generator",
            "python/examples",
            "python/native",
            "plugin",
            "plugin/examples",
            "plugin/subjects",
            "reproducers",
            "worker/coverage",
        }
        for path in sources(self.conformance):
            name = path.relative_to(self.conformance).as_posix()
            folder = name.rpartition("/")[0]
            known = room_of(name, self.rooms) or folder in outside or folder.startswith("setup/")
            self.assertTrue(known, f"conformance/{name} is in no room")

    def test_nothing_below_includes_the_command(self):
        for path in sources(ROOT):
            inside = path.is_relative_to(self.conformance) or path.relative_to(ROOT).parts[0] in ("fuzz", "bench")
            for header in includes(path):
                self.assertFalse(header.startswith("dlspec/conformance/") and not inside, f"{path} includes {header}")

    def test_layers_point_down(self):
        folders = {"vocabulary": "reference/vocabulary", "reference": "reference", "optimized": "optimized"}
        for layer, folder in folders.items():
            for path in sources(ROOT / folder):
                name = path.relative_to(ROOT).as_posix()
                if "testing" in name or name.endswith("_test.cc") or (layer == "reference" and "vocabulary" in name):
                    continue
                for header in includes(path):
                    other = header.split("/")[1] if header.startswith("dlspec/") and header.count("/") > 1 else None
                    if other in (*LOWER, "conformance"):
                        self.assertIn(other, MAY_INCLUDE[layer], f"{name} includes {header}")

    def test_cuda_stays_in_its_folder(self):
        launch, phases = ROOT / "optimized/cuda/launch", ROOT / "optimized/cuda/phases"
        own = "dlspec/optimized/cuda/"
        for path in sources(ROOT):
            name = path.relative_to(ROOT).as_posix()
            for header in includes(path):
                if not path.is_relative_to(launch):
                    self.assertFalse(re.match(r"cuda(_\w+)?\.h$", header), f"{name} includes {header}")
                    self.assertFalse(header.startswith(own + "launch/"), f"{name} includes {header}")
                if path.is_relative_to(phases) and not name.endswith("_test.cc") and header.startswith("dlspec/"):
                    known = header.startswith(own + "phases/") or header == own + "schedule/plan.h"
                    self.assertTrue(known, f"{name} includes {header}")

    def test_what_one_system_has_stays_in_its_room(self):
        for folder in ("conformance", "optimized", "reference"):
            for path in sources(ROOT / folder):
                name = path.relative_to(ROOT).as_posix()
                if not name.startswith(("conformance/platform/", AFFINITY)) and not name.endswith("_test.cc"):
                    found = OF_ONE_SYSTEM.search(path.read_text(encoding="utf-8"))
                    self.assertFalse(found, f"{name} has {found and found[0]}")

    def test_files_of_code_are_short(self):
        long = []
        for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*")):
            if path.suffix in CODE or path.name == "CMakeLists.txt" or is_script(path):
                lines = path.read_text(encoding="utf-8").count("\n")
                if lines > LONGEST:
                    long.append(f"{path.relative_to(ROOT)} has {lines} lines: divide it by what it is about")
        self.assertFalse(long, "\n" + "\n".join(long))

    def test_headers_come_through_their_roots(self):
        for path in sources(ROOT):
            for header in includes(path):
                name = path.relative_to(ROOT).as_posix()
                self.assertNotIn("..", header.split("/"), f"{name} includes {header}")

    def test_cycles_are_found(self):
        self.assertEqual(cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}), ["a", "b", "c", "a"])
        self.assertEqual(cycle({"a": {"b", "c"}, "b": {"c"}}), [])


if __name__ == "__main__":
    unittest.main()
