"""By which rule each subject is to be found: the rows of the zoo's tables, and the faults made without a check."""

import ast
import functools
import pathlib
import re
import sys

import predicates

ZOO = pathlib.Path(__file__).resolve().parents[2] / "zoo"
sys.path[:0] = [str(ZOO)]

import exhibit_rows  # noqa: E402

# What the self-test shows otherwise: subject: (rule, role, twin).
OTHERS = {
    "plugin:makes major 0": ("version_filled", "producer", "plugin:clean"),
    "plugin:makes major 2": ("version_major_published", "producer", "plugin:clean"),
    "plugin:makes unknown flags": ("flags_undefined_bits_zero", "producer", "plugin:clean"),
    "plugin:makes padded bytes": ("flags_padded_only_subbyte", "producer", "plugin:clean"),
    "plugin:makes nothing read-only": ("flags_read_only_set", "producer", "plugin:clean"),
    "plugin:makes an unknown code": ("dtype_code_known", "producer", "plugin:clean"),
    "plugin:makes another dtype": ("dtype_truthful", "producer", "plugin:clean"),
    "plugin:makes no lanes": ("dtype_lanes_positive", "producer", "plugin:clean"),
    "plugin:makes no bits": ("dtype_bits_nonzero", "producer", "plugin:clean"),
    "plugin:makes an unknown device": ("device_type_known", "producer", "plugin:clean"),
    "plugin:makes host memory 3": ("device_id_zero_host", "producer", "plugin:clean"),
    "plugin:makes device -1": ("device_id_nonnegative", "producer", "plugin:clean"),
    "plugin:makes a negative rank": ("tensor_ndim_nonnegative", "producer", "plugin:clean"),
    "plugin:makes no shape": ("tensor_shape_nonnull", "producer", "plugin:clean"),
    "plugin:makes no strides": ("tensor_strides_not_null", "producer", "plugin:clean"),
    "plugin:makes no data": ("tensor_data_nonnull_nonempty", "producer", "plugin:clean"),
    "plugin:makes a shorter axis": ("tensor_shape_truthful", "producer", "plugin:clean"),
    "plugin:makes strides in bytes": ("tensor_strides_unit", "producer", "plugin:clean"),
    "plugin:makes other elements": ("tensor_element_address", "producer", "plugin:clean"),
}


@functools.cache
def zoo_rows():
    """{subject: (rule, role, twin)}; rules as their enumerators."""
    row = re.compile(r'^DLSPEC_EXHIBIT\((\w+), (\w+), "([^"]+)",\s*"([^"]+)"\)$', re.MULTILINE)
    found = {}
    for rule, role, subject, twin in row.findall(exhibit_rows.whole_table()):
        if not subject.startswith("cuda_"):  # what --device asks has no paths
            found.setdefault((subject, role), (rule, role, twin))
    return {**{subject: row for (subject, _), row in found.items()}, **OTHERS}


@functools.cache
def ids():
    """{enumerator: id} of the rule table."""
    text = (ZOO.parents[2] / "reference" / "vocabulary" / "rules.def").read_text(encoding="utf-8")
    return dict(re.findall(r'^DLSPEC_RULE\((\w+),\s*"([^"]+)"', text, re.MULTILINE))


def rule_id(enumerator):
    return ids()[enumerator]


def facts(subject, condition):
    """(role, ids of the rules that name the fault)."""
    if condition == "unseen":
        return unseen_rows()[subject]
    rule, role, _ = zoo_rows()[subject]
    return role, (rule_id(rule), *predicates.RULES.get(condition, ()))


@functools.cache
def unseen_rows():
    """{"module.Class": (role, rules)} of the faults that no check was made for, from FAULTS of their modules."""
    found = {}
    for role in ("producer", "consumer"):
        module = f"unseen_{role}s"
        tree = ast.parse((pathlib.Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
        (table,) = (node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "FAULTS")
        for kind, meant in (row.elts for row in table.elts):
            found[f"{module}.{kind.id}"] = (role, ast.literal_eval(meant))
    return found


def unseen():
    """(subject, "unseen") of these: the condition is their own."""
    for subject in unseen_rows():
        yield subject, "unseen"
