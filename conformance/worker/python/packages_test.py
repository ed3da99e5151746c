"""The worker's packages: imports in one direction, no cycle, and modules of at most 300 lines."""

import ast
import os
import unittest

import testing

WORKER = os.path.join(testing.HERE, "dlspec_worker")
LONGEST = 300  # lines of a module

# Each may import from those to its left, and within itself; the variants of one role do not import those of another.
ORDER = ("facts", "channel", "trial", "subject", "observing", "exchange_api", "exports", "imports", "cuda", "sequence")
ROLES = ("producer", "consumer", "exchange")


def modules():
    """name -> path, of every module; a package stands for its __init__."""
    found = {}
    for folder, _, files in os.walk(WORKER):
        for file in files:
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                name = os.path.relpath(path, testing.HERE)[: -len(".py")].replace(os.sep, ".")
                found[name[: -len(".__init__")] if file == "__init__.py" else name] = path
    return found


def imports(path, known):
    """The worker's own modules that a file imports, at its top or within functions."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in known)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                whole = f"{node.module}.{each.name}"
                if whole in known or node.module in known:
                    yield whole if whole in known else node.module


def graph():
    known = modules()
    return {name: sorted(set(imports(path, known))) for name, path in known.items()}


def package(module):
    """ "facts" of dlspec_worker.facts.elements; "" for what stands above all packages."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ORDER + ROLES else ""


def allowed(module):
    """The packages that a module may import from; None where it may import from all."""
    own = package(module)
    if not own:
        return None
    below = ORDER if own in ROLES else ORDER[: ORDER.index(own)]
    return {*below, own}


def against_the_direction(edges):
    return [
        f"{module} imports {target}"
        for module, targets in edges.items()
        for target in targets
        if allowed(module) is not None and package(target) not in allowed(module)
    ]


def cycle(edges):
    """The modules of one import cycle, or []."""
    done = set()

    def visit(module, path):
        if module in path:
            return path[path.index(module) :]
        if module in done:
            return []
        for target in edges.get(module, ()):
            found = visit(target, [*path, module])
            if found:
                return found
        done.add(module)
        return []

    return next((found for found in (visit(module, []) for module in sorted(edges)) if found), [])


class Packages(unittest.TestCase):
    def test_every_package_has_its_place(self):
        folders = {name for name in os.listdir(WORKER) if os.path.isdir(os.path.join(WORKER, name))}
        self.assertEqual(folders - {"__pycache__"}, {*ORDER, *ROLES})

    def test_imports_go_in_one_direction(self):
        edges = graph()
        self.assertGreater(sum(map(len, edges.values())), 200)
        self.assertEqual(against_the_direction(edges), [])

    def test_no_module_imports_itself_by_way_of_others(self):
        self.assertEqual(cycle(graph()), [])

    def test_faults_are_seen(self):
        up = {"dlspec_worker.facts.elements": ["dlspec_worker.trial.case"]}
        self.assertEqual(len(against_the_direction(up)), 1)
        across = {"dlspec_worker.consumer.asking": ["dlspec_worker.producer.keywords"]}
        self.assertEqual(len(against_the_direction(across)), 1)
        self.assertEqual(len(against_the_direction({"dlspec_worker.imports.source": ["dlspec_worker.main"]})), 1)
        self.assertEqual(cycle({"a": ["b"], "b": ["c"], "c": ["b"]}), ["b", "c"])

    def test_no_module_is_too_long(self):
        for name, path in modules().items():
            with open(path, encoding="utf-8") as file:
                self.assertLessEqual(sum(1 for _ in file), LONGEST, name)


if __name__ == "__main__":
    unittest.main()
