"""Shared by the worker's tests: the plan's tables, read from their sources, and cases made from them."""

import functools
import itertools
import json
import os
import re
import socket
import struct
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
ZOO = os.path.join(ROOT, "conformance", "selfcheck", "zoo", "python")
sys.path[:0] = [HERE, ZOO]  # the worker, and faulty subjects

from dlspec_worker.facts import elements  # noqa: E402

NATIVE = os.environ.get("DLSPEC_NATIVE", "")

_STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def _read(*place):
    with open(os.path.join(ROOT, *place), encoding="utf-8") as file:
        return re.sub(r"^//.*$", "", file.read(), flags=re.MULTILINE)


class Rule(types.SimpleNamespace):
    """id, interval, coverage, violated."""


@functools.cache
def rules():
    """The rule table, by C++ identifier."""
    text = _read("reference", "vocabulary", "rules.def")
    row = re.compile(
        rf"DLSPEC_RULE\(\s*(\w+),\s*{_STRINGS},\s*{_STRINGS},\s*\w+,\s*{_STRINGS},\s*\w+,\s*"
        rf"(interval::\w+(?:\((?:[^()]|\{{[^}}]*\}})*\))?),\s*{_STRINGS},\s*{_STRINGS},\s*\w+,\s*(\w+),\s*(\w+),"
    )
    found = {}
    for name, identity, _, _, interval, _, _, coverage, violated in row.findall(text):
        found[name] = Rule(id=identity.strip().strip('"'), interval=interval, coverage=coverage, violated=violated)
    return found


@functools.cache
def mitigations():
    """id -> verdict, of the table of mitigations."""
    row = re.compile(rf"DLSPEC_MITIGATION\({_STRINGS}, \w+,\s*{_STRINGS},\s*(\w+),")
    text = _read("reference", "vocabulary", "mitigations.def")
    return {identity.strip().strip('"'): verdict for identity, _, verdict in row.findall(text)}


class Verdict(str):
    """A status that is equal to "" as well where it is the rule's own."""

    own = ""

    def __eq__(self, other):
        return str.__eq__(self, other) or (other == "" and str.__eq__(self, self.own))

    __hash__ = str.__hash__


def verdict(rule, answer):
    """The status of a deviation: that of its mitigation, that of a wrong value, or the rule's own."""
    own = next(row.violated for row in rules().values() if row.id == rule)
    if answer["outcome"] == "info":
        own = "info"
    found = Verdict(mitigations()[answer["mitigation"]] if "mitigation" in answer else answer.get("verdict", own))
    found.own = own
    return found


def violations(answer, kinds=("violated",)):
    """{rule: status} of an answer or of its outcomes; "" where it is what the rule's level gives."""
    outcomes = answer.get("outcomes", answer)
    return {rule: verdict(rule, each) for rule, each in outcomes.items() if each["outcome"] in kinds}


@functools.cache
def struct_rules():
    """Ids of the rules that can be read off a struct."""
    table = rules()
    names = re.findall(r"^DLSPEC_FINDING\((\w+),", _read("reference", "vocabulary", "finding.def"), re.MULTILINE)
    return list(dict.fromkeys(table[name].id for name in names))


@functools.cache
def layouts():
    """name -> (shape, strides or None, offset, readonly, rule ids)."""
    table = rules()
    row = re.compile(
        r'DLSPEC_LAYOUT\("(\w+)", (\(.*?\)), (DEFAULT|STRIDES(\(.*?\))), (\d+), (true|false),\s*\((.*?)\)\)'
    )
    found = {}
    for name, shape, _, strides, offset, readonly, tried in row.findall(_read("conformance", "plan", "layouts.def")):
        found[name] = (
            _numbers(shape),
            _numbers(strides) if strides else None,
            int(offset),
            readonly == "true",
            [table[each].id for each in re.findall(r"\w+", tried)],
        )
    return found


def _numbers(text):
    return tuple(int(number) for number in re.findall(r"-?\d+", text))


@functools.cache
def variants(kinds_asked=("python", "both")):
    """(role, variant, layout) -> rule ids, of what Python subjects are asked on the host."""
    table = rules()
    row = re.compile(
        r'DLSPEC_VARIANT\((\w+), "([^"]+)", (\w+), \w+, \((.*?)\),\s*\((.*?)\),\s*(\w+),\s*(\w+),\s*\((.*?)\)\)',
        re.DOTALL,
    )
    found = {}
    text = _read("conformance", "plan", "variants.def")
    for role, name, kinds, _, places, primary, plus, others in row.findall(text):
        if kinds not in kinds_asked:
            continue
        for layout in _places(places):
            ids = [table[each].id for each in [primary, *re.findall(r"\w+", others)]]
            if plus == "structs":
                ids += [each for each in struct_rules() if each != "tensor.data-256-aligned"]
            ids += layouts()[layout][4] if plus == "layout" else []
            # One variant may have several rows, for different dtypes: a test asks for what any of them decides.
            found[role, name, layout] = list(dict.fromkeys(found.get((role, name, layout), []) + ids))
    return found


def _places(text):
    if text == "writable":
        return [name for name, row in layouts().items() if not row[3]]
    return list(layouts()) if text == "all" else re.findall(r'"(\w+)"', text)


def device_variants():
    """The same, of what --device adds."""
    return variants(("device",))


@functools.cache
def paths():
    """(role, dtype, layout, variant) of the cases of paths that Python subjects are asked."""
    row = re.compile(rf'^DLSPEC_PATH\(python, (\w+), "(\w+)", "(\w+)",\s*{_STRINGS}\)$', re.MULTILINE)
    found = row.findall(_read("conformance", "plan", "path_rows.def"))
    whole = [(role, dtype, layout, re.sub(r'[\s"]', "", levels)) for role, dtype, layout, levels in found]
    return [(role, dtype, layout, f"path:{levels}") for role, dtype, layout, levels in whole]


@functools.cache
def path_rules():
    """role -> ids of the rules that every path decides, but for those of its layout."""
    table = rules()
    row = re.compile(r"^DLSPEC_PATH_RULES\(python, (\w+), (\w+), (\w+),\s*\(([^)]*)\)\)$", re.MULTILINE)
    found = {}
    for role, primary, plus, others in row.findall(_read("conformance", "plan", "paths.def")):
        ids = [table[each].id for each in [primary, *re.findall(r"\w+", others)]]
        if plus == "structs":
            ids += [each for each in struct_rules() if each != "tensor.data-256-aligned"]
        found[role] = list(dict.fromkeys(ids))
    return found


@functools.cache
def exchanges():
    """(variant, layout) -> rule ids, of what pairs are asked."""
    table = rules()
    row = re.compile(r'DLSPEC_EXCHANGE\("([^"]+)", (.*?),\s+\(([^()]*)\),\s*(\w+),\s*\(([^()]*)\)\)', re.DOTALL)
    found = {}
    for variant, _, places, primary, others in row.findall(_read("conformance", "plan", "exchanges.def")):
        for layout in re.findall(r'"(\w+)"', places):
            ids = [table[each].id for each in [primary, *re.findall(r"\w+", others)]]
            found[variant, layout] = list(dict.fromkeys(found.get((variant, layout), []) + ids))
    return found


PARTS = {"complex32": "2e", "complex64": "2f", "complex128": "2d"}


def element(dtype, number):
    """An element of the dtype that differs by its number."""
    if dtype == "bool":
        return bytes([number * 7 % 3 % 2])
    if dtype in PARTS:
        return struct.pack(PARTS[dtype], number + 0.5, -number - 0.25)
    if dtype in ("bfloat16", "bcomplex32"):
        parts = (number + 1.0,) if dtype == "bfloat16" else (number + 1.5, -number - 2.0)
        return b"".join(struct.pack("f", part)[2:] for part in parts)
    if dtype == "float32x4":
        return struct.pack("4f", *(4 * number + lane + 0.5 for lane in range(4)))
    if dtype.startswith("float8"):
        return bytes([(number * 5 + 8) % 256])
    formats = {"float16": "e", "float32": "f", "float64": "d"}
    if dtype in formats:
        return struct.pack(formats[dtype], number + 0.5)
    return struct.pack({"8": "b", "6": "h", "2": "i", "4": "q"}[dtype[-1]], number % 100 + 3)


def contents(dtype, places):
    """The elements at these places; those narrower than a byte are packed as DLPack demands."""
    bits = elements.bits_of(dtype)
    if bits >= 8:
        return b"".join(element(dtype, place) for place in places)
    return elements.pack([(place + 3) % (1 << bits) for place in places], bits)


def make_case(role, variant, layout="c", dtype="float32", only=None):
    """A case as the parent sends it. `only`: the rules, in place of the table's."""
    shape, strides, offset, readonly, _ = layouts()[layout]
    steps = strides or tuple(_row_major(shape))
    places = [offset + sum(map(lambda a, b: a * b, index, steps)) for index in itertools.product(*map(range, shape))]
    spec = {
        "dtype": dtype,
        "shape": list(shape),
        "strides": None if strides is None else list(strides),
        "offset": offset,
        "readonly": readonly,
        "device": [1, 0],
        "bytes": contents(dtype, places).hex(),
    }
    case = {
        "n": 1,
        "id": f"{role}/{dtype}/{layout}/{variant}",
        "role": role,
        "dtype": dtype,
        "layout": layout,
        "variant": variant,
        "spec": spec,
        "rules": only or _rules_of(role, variant, layout),
    }
    stimulus = variant.startswith("path:") and stimulus_of(variant)
    if stimulus:
        places = [place for of, name, place in variants() if (of, name) == (role, stimulus)]
        plain = make_case(role, stimulus, "c" if "c" in places else places[0])
        case["plain"], case["ordinary"] = plain["spec"], []
    return case


def _rules_of(role, variant, layout):
    if role == "exchange":
        return exchanges()[variant, layout]
    if not variant.startswith("path:"):
        return {**variants(), **device_variants()}[role, variant, layout]
    stimulus = stimulus_of(variant)
    if stimulus:
        # As the plan does it, in the places of its first row.
        return next(ids for (of, name, _), ids in variants().items() if (of, name) == (role, stimulus))
    return path_rules()[role] + (layouts()[layout][4] if role == "consumer" and layout in layouts() else [])


def stimulus_of(variant):
    """The variant that a path tries, or ""."""
    return next((word[9:] for word in variant[5:].split("+") if word.startswith("stimulus=")), "")


def _row_major(shape):
    step, strides = 1, []
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return strides


def load_native():
    """The extension that the tests were built with."""
    from dlspec_worker.channel import loading

    return loading.load_native(NATIVE)


def fate(act, native):
    """Forks a process that does this. Returns (its signal or 0, what its extension reported of the fault or None)."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        native.channel_open(theirs.detach())
        native.receive()  # as a worker does before each case: this sets the handlers
        try:
            act()
        finally:
            os._exit(0)
    theirs.close()
    ours.sendall(b"go\n")
    said = b"".join(iter(lambda: ours.recv(4096), b""))
    ours.close()
    status = os.waitpid(child, 0)[1]
    fault = json.loads(said)["fault"] if said else None
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, fault
