"""The rows of the zoo's Python subjects, from EXHIBITS of the modules in python/exhibits/, as rows of exhibits.def.

python3 exhibit_rows.py OUTPUT    writes OUTPUT if it differs
"""

import ast
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
# A rule with several subjects is explained by the first, so the plainest modules come first; others follow by name.
FIRST = (
    "producer_protocol",
    "consumer_dtypes",
    "consumer_keywords",
    "consumer_memory",
    "producer_fields",
    "producer_struct_layout",
    "doubles",
    "producer_elements",
    "consumer_structs",
    "producer_keywords",
    "producer_odd_arrays",
    "process_faults",
    "consumer_requests",
    "consumer_reexports",
    "path_faults",
    "consumer_capsules",
)


def table(path):
    """EXHIBITS of a module, which is not imported."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(getattr(each, "id", "") == "EXHIBITS" for each in node.targets):
            return ast.literal_eval(node.value)
    return ()


def full_name(module, subject):
    """The name with its module: EXHIBITS leaves its own out."""
    return subject if re.match(r"\w+\.", subject) else f"{module}.{subject}"


def place(path):
    return (FIRST.index(path.stem) if path.stem in FIRST else len(FIRST), path.stem)


def python_rows():
    rows = []
    for path in sorted((HERE / "python" / "exhibits").glob("*.py"), key=place):
        for rule, role, subject, twin in table(path):
            enumerator = re.sub("[.-]", "_", rule)
            names = f'"{full_name(path.stem, subject)}", "{full_name(path.stem, twin)}"'
            rows.append(f"DLSPEC_EXHIBIT({enumerator}, {role}, {names})\n")
    return "".join(rows)


def whole_table():
    """Every row, a line each, without comments."""
    written = (HERE / "exhibits.def").read_text(encoding="utf-8")
    return python_rows() + re.sub(r"^//.*\n", "", written, flags=re.M)


def main(output):
    text = "// Made by exhibit_rows.py from EXHIBITS of the zoo's Python modules; do not edit.\n" + python_rows()
    output = pathlib.Path(output)
    if not output.exists() or output.read_text(encoding="utf-8") != text:
        output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
