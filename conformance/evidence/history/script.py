#!/usr/bin/env python3
"""Writes the stand-alone script that shows a fault of faults.json.

  script.py ID              the script of this fault, to standard output
  script.py --all FOLDER    each fault's, as FOLDER/ID.py

A row names a template of templates/ and its parameters; what a row leaves out, libraries.json says for its package.
The script uses nothing of dlspec. It ends with 1 where the fault is there and with 0 where it is not.
"""

import ast
import functools
import json
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = next(folder for folder in HERE.parents if folder.name == "conformance")
TEMPLATES = HERE / "templates"
SHARED = ("shared.py", "nanobind.py")  # definitions; a script gets those that it uses
sys.path.insert(0, str(CONFORMANCE / "reproducers"))
import make_facts  # noqa: E402  (scripts of --emit-reproducer have their facts of DLPack from here, too)


class Wrong(Exception):
    """A row that no script can be made of; the message says why."""


class Module:
    """A file of definitions or a template: its docstring, its imports, and the rest statement by statement."""

    def __init__(self, text):
        tree, lines = ast.parse(text), text.splitlines(keepends=True)
        self.docstring = ast.get_docstring(tree) or ""
        self.imports, self.statements, end = [], [], 0
        for node in tree.body:
            source = "".join(lines[end : node.end_lineno]).strip("\n") + "\n"  # with the comments before it
            end = node.end_lineno
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.append(source)
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                self.statements.append(source)


@functools.cache
def shared(name):
    """A file of definitions."""
    return Module((TEMPLATES / name).read_text(encoding="utf-8"))


def names_used(text):
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def names_bound(text):
    """What a definition binds; `x.restype = ...` belongs to x."""
    names = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        for target in getattr(node, "targets", ()):
            names |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return names


def name_of_import(line):
    """The name that an import binds."""
    node = ast.parse(line).body[0].names[0]
    return node.asname or node.name.partition(".")[0]


@functools.cache
def definitions():
    """(names, text) of every definition that a script can use, in the order in which a script has them."""
    texts = [text for _, text in make_facts.python_pieces(make_facts.Facts())]
    for name in SHARED:
        texts += shared(name).statements
    return [(names_bound(text), text) for text in texts]


def with_definitions(body):
    """The definitions that the body needs, and those that they need, before the body."""
    chosen, used = [], names_used("".join(body))
    for names, text in reversed(definitions()):
        if names & used:
            chosen.insert(0, text)
            used |= names_used(text)
    return chosen + body


def templates():
    """The names of all templates."""
    return sorted(path.stem for path in TEMPLATES.glob("*.py") if path.name not in SHARED)


def read_template(name):
    if name not in templates():
        raise Wrong(f"there is no template {name}")
    return Module((TEMPLATES / f"{name}.py").read_text(encoding="utf-8"))


def parameters_of(template):
    """The parameters that a template's docstring declares, a line each."""
    return re.findall(r"^([A-Z_]+): ", template.docstring, re.M)


def values_of(fault, template):
    """The value of each parameter: the row's, else the library's. A row gives no more than the template takes."""
    own = {key: value for key, value in fault["script"].items() if key != "template"}
    known = {**libraries().get(fault["package"], {}), **own}
    wanted = [name.lower() for name in parameters_of(template)]
    missing = [name for name in wanted if name not in known]
    surplus = [name for name in own if name not in wanted and name != "setup"]
    if missing or surplus or "setup" not in known:
        raise Wrong(f"{fault['id']}: without a value: {missing}; not in the template: {surplus}")
    return {name.upper(): known[name] for name in wanted}, known["setup"]


@functools.cache
def libraries():
    return json.loads((HERE / "libraries.json").read_text(encoding="utf-8"))


def filled_in(text, values):
    return re.sub(r"\b[A-Z_]+\b", lambda match: values.get(match.group(), match.group()), text)


def heading(fault, library):
    """The docstring: whose fault it is, what happens, why it is a fault."""
    paragraphs = (f"{library} {fault['version']}: {fault['what']}", fault["why"])
    lines = [textwrap.fill(text, 110, break_long_words=False, break_on_hyphens=False) for text in paragraphs]
    status = f"Rule {fault['rule']} of dlspec, {fault['role']}.\nExit status: 1 the fault is there, 0 it is not there."
    mark = 'r"""' if any("\\" in line for line in lines) else '"""'
    return mark + "\n\n".join([*lines, status]) + '\n"""\n'


def joined(statements):
    """Statements with the blank lines that Python has between them."""
    text, was_block = "", False
    for statement in statements:
        is_block = re.match(r"(#.*\n)*(@.*\n)?(class|def) ", statement) is not None
        gap = 2 if is_block or was_block else 0
        text = (text.rstrip("\n") + "\n" * (gap + 1) if gap and text else text) + statement
        was_block = is_block
    return text


def make(fault):
    """The text of the script."""
    template = read_template(fault["script"]["template"])
    values, setup = values_of(fault, template)
    body = [filled_in(statement, values) for statement in template.statements]
    of_library = Module("\n".join(setup) + "\n")
    statements = with_definitions(of_library.statements + body)
    used = names_used("".join(statements))
    standard = {line for module in (template, *map(shared, SHARED)) for line in module.imports}
    groups = [
        [line for line in sorted(lines, key=order_of_import) if name_of_import(line) in used]
        for lines in (standard, of_library.imports)
    ]
    imports = "\n".join("".join(group) for group in groups if group)
    head = heading(fault, display_name(fault["package"])) + "\n" + imports + "\n"
    return joined([head, *statements])


def order_of_import(line):
    return line.startswith("from"), line


@functools.cache
def display_name(package):
    """How the library is called, as its adapter says."""
    for path in sorted((HERE.parent / "adapters").glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if re.search(rf'^distribution = "{re.escape(package)}["\[]', text, re.M):
            return re.search(r'^display = "(.+)"', text, re.M).group(1)
    return package


def complaints(fault):
    """What is wrong with a row's template and parameters, a sentence each."""
    try:
        compile(make(fault), f"{fault['id']}.py", "exec")
    except (Wrong, SyntaxError, KeyError) as why:
        yield f"{fault['id']}: no script can be made: {why}"


def faults():
    """The rows that a script is made of."""
    rows = json.loads((HERE / "faults.json").read_text(encoding="utf-8"))
    return [row for row in rows if "script" in row]


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--all":
        for fault in faults():
            pathlib.Path(arguments[1], f"{fault['id']}.py").write_text(make(fault), encoding="utf-8")
        return 0
    chosen = [fault for fault in faults() if [fault["id"]] == arguments]
    if not chosen:
        print(__doc__ if len(arguments) != 1 else f"no fault with a script has the id {arguments[0]}", file=sys.stderr)
        return 2
    sys.stdout.write(make(chosen[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
