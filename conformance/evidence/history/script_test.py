"""Every row of faults.json makes a script: its template, its parameters, and what the script is made of."""

import ast
import builtins
import contextlib
import io
import json
import unittest

import script


def undefined_names(text):
    """Names that a script reads and binds nowhere."""
    tree = ast.parse(text)
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler):
            bound.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    return script.names_used(text) - bound - set(dir(builtins)) - {"__file__"}


def row(**parameters):
    return {
        "id": "x",
        "package": "numpy",
        "version": "1",
        "role": "producer",
        "rule": "a.b",
        "what": "What.",
        "why": "Why.",
        "script": parameters,
    }


class ScriptTest(unittest.TestCase):
    def test_every_row_makes_a_script(self):
        for fault in script.faults():
            with self.subTest(fault["id"]):
                self.assertEqual(list(script.complaints(fault)), [])
                text = script.make(fault)
                self.assertEqual(undefined_names(text), set())
                self.assertLessEqual(max(map(len, text.splitlines())), 120)
                self.assertTrue(text.startswith(('"""', 'r"""')))

    def test_every_fault_has_a_script_or_an_exhibit(self):
        rows = json.loads((script.HERE / "faults.json").read_text(encoding="utf-8"))
        self.assertEqual([fault["id"] for fault in rows if ("script" in fault) == ("exhibit" in fault)], [])

    def test_every_template_is_used_and_says_what_it_takes(self):
        used = {fault["script"]["template"] for fault in script.faults()}
        self.assertEqual(used, set(script.templates()))
        for name in used:
            template = script.read_template(name)
            body = script.names_used("".join(template.statements))
            self.assertTrue(template.docstring, name)
            self.assertEqual(set(script.parameters_of(template)) - body, set(), f"{name}: parameters it does not use")

    def test_a_row_has_exactly_the_parameters_of_its_template(self):
        good = {"template": "exported-tensor", "is_wrong": "tensor.data"}
        self.assertEqual(list(script.complaints(row(**good))), [])
        for wrong, word in (
            ({"template": "exported-tensor"}, "is_wrong"),
            ({**good, "wanted": "1"}, "wanted"),
            ({**good, "template": "export"}, "no template export"),
            ({**good, "template": "shared"}, "no template shared"),
            ({**good, "is_wrong": "tensor.data ="}, "invalid syntax"),
        ):
            (told,) = script.complaints(row(**wrong))
            self.assertIn(word, told)

    def test_a_script_has_the_definitions_that_it_uses(self):
        text = script.make(row(template="export-accepted", export="array.__dlpack__(dl_device=(kDLROCM, 0))"))
        self.assertIn("\nkDLROCM = 10\n", text)
        for unused in ("kDLCUDA", "class ", "import ctypes", "new_capsule"):
            self.assertNotIn(unused, text)

    def test_the_command(self):
        first = script.faults()[0]
        printed, told = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
            self.assertEqual(script.main([first["id"]]), 0)
            self.assertEqual(script.main(["no-such-id"]), 2)
            self.assertEqual(script.main([]), 2)
        self.assertEqual(printed.getvalue(), script.make(first))
        self.assertIn("no-such-id", told.getvalue())


if __name__ == "__main__":
    unittest.main()
