"""The exhibits that are put under conditions, and which conditions make no sense for which of them.

A row's tags say what the fault needs; a tag names the conditions under which the fault cannot show, and why. Rule,
role and twin are those of the zoo's tables.
"""

import ast
import functools
import pathlib
import re
import sys

import predicates

ZOO = pathlib.Path(__file__).resolve().parents[2] / "zoo"
sys.path[:0] = [str(ZOO)]

import exhibit_rows  # noqa: E402

TENSOR = tuple(name for name, row in predicates.PREDICATES.items() if row[1] == predicates.TENSOR)
TENSOR_BUT_READ_ONLY = tuple(name for name in TENSOR if name != "readonly")
GENERATIONS, REQUESTS = ("legacy", "versioned"), ("copy", "no-copy", "own-device")

# tag: (conditions under which the fault cannot show, why)
TAGS = {
    "producer": ((), ""),
    "consumer": (("own-device", "dropped"), "a consumer is not told of them"),
    "native": (
        (*REQUESTS, "refused", "thread", "dropped"),
        "a C table has no keywords, and plug-ins are used on one thread",
    ),
    "native producer": (("alive", "released"), "releases of exports are not seen by a plug-in that makes them"),
    "not at the end": (("dropped",), "what the fault changes is done by then"),
    "versioned": (("legacy",), "legacy structs have no such member, or are asked for otherwise"),
    "legacy": (
        ("versioned", "readonly", "no-copy", "own-device", "copy"),
        "the fault is in legacy structs of today's consumers",
    ),
    "copies": (("copy", "no-copy"), "the fault is in copies: the exhibit itself, or never"),
    "shares": (("copy", "no-copy"), "the fault is in copy=False: the exhibit itself, or never"),
    "not copies": (("copy",), "a copy has its own fields"),
    "own": (
        ("own-device", "legacy", "copy", "no-copy"),
        "the fault is in that request, which comes with a version and says nothing of copies",
    ),
    "elements": (("empty",), "there is no element"),
    "only read-only": (TENSOR_BUT_READ_ONLY, "an array of the plan that is read-only has none of these"),
    "foreign": (TENSOR, "a struct of another major version says nothing of its tensor"),
    "no strides": (("negative", "broadcast", "strided"), "a struct without strides is compact"),
    "offset itself": (("offset",), "that is the exhibit"),
    "broadcast itself": (("broadcast",), "that is the exhibit"),
    "negative itself": (("negative",), "that is the exhibit"),
    "readonly itself": (("readonly",), "that is the exhibit"),
    "axes": (("scalar",), "there is no axis"),
    "two axes": (("scalar", "vector"), "there is no second axis"),
    "one dtype": (("int16", "eight-bytes"), "the fault is in another dtype"),
    "writable": (("readonly",), "nothing is written there"),
    "device": ((*GENERATIONS, *REQUESTS), "__dlpack_device__ takes no request"),
    "asks": ((*TENSOR, *GENERATIONS), "the tensor is not known when it is asked for"),
}

ALTERED = "producer_fields.Altered:"
# subject, tags. Those of producers first.
ROWS = (
    (ALTERED + "major 2", "versioned"),
    (ALTERED + "rubbish above the device", ""),
    (ALTERED + "unknown device", ""),
    (ALTERED + "cpu 1", ""),
    (ALTERED + "cpu -1", ""),
    (ALTERED + "data in the first page", "elements"),
    (ALTERED + "unknown dtype", ""),
    (ALTERED + "no bits", ""),
    (ALTERED + "no lanes", ""),
    (ALTERED + "negative rank", ""),
    (ALTERED + "null shape", "axes"),
    (ALTERED + "shape between numbers", "axes"),
    (ALTERED + "negative extent", "axes"),
    (ALTERED + "extent beyond all", "two axes, elements"),
    (ALTERED + "stride beyond all", "one dtype, axes, elements"),
    (ALTERED + "null data", "axes, elements"),
    (ALTERED + "read-only without reason", "versioned, writable, not copies"),
    (ALTERED + "padded without reason", "versioned, one dtype"),
    (ALTERED + "narrow floats", "one dtype"),
    ("producer_fields.NullDeleter", "not at the end, not copies"),
    ("producer_fields.FlagsCopies", "not at the end, versioned, not copies, elements"),
    ("doubles.Array:major 0", "not at the end, versioned, not copies"),
    ("doubles.Array:wrong dtype", "not at the end, one dtype, not copies"),
    ("doubles.Array:null strides", "not at the end, versioned, axes, not copies"),
    ("doubles.Array:wrong bytes", "not at the end, elements, not copies"),
    ("doubles.Array:undefined flag", "not at the end, versioned, not copies"),
    ("doubles.Array:references kept", "not at the end, not copies"),
    ("doubles.Array:copy unflagged", "not at the end, versioned, copies, elements"),
    ("doubles.Array:copy read-only", "not at the end, versioned, copies, writable"),
    ("doubles.Array:copy=True aliases", "not at the end, copies, elements"),
    ("doubles.Array:copy differs", "not at the end, copies, elements"),
    ("doubles.Array:copy=False copies", "not at the end, shares, elements"),
    ("doubles.Array:copy=False runtime error", "not at the end, shares"),
    ("doubles.Array:legacy misnamed", "not at the end, legacy"),
    ("doubles.Array:versioned misnamed", "not at the end, versioned, not copies"),
    ("doubles.Array:swapped name", "not at the end, not copies"),
    ("doubles.Array:no destructor", "not at the end, not copies"),
    ("doubles.Array:destructor releases used", "not at the end, not copies"),
    ("doubles.Array:destructor releases twice", "not at the end, not copies"),
    ("doubles.Array:destructor frees used", "not at the end, not copies"),
    ("doubles.Array:stored capsule", "not at the end, not copies"),
    ("doubles.Array:versioned for none", "not at the end, legacy"),
    ("doubles.Array:legacy for 1.0", "not at the end, versioned, not copies, writable"),
    ("doubles.Array:future refused", "not at the end, versioned"),
    ("doubles.Array:own device refused", "not at the end, own"),
    ("doubles.Array:own device moved", "not at the end, own"),
    ("doubles.Array:own device copied", "not at the end, own, elements"),
    ("doubles.Array:device none", "not at the end, device"),
    ("doubles.Array:device list", "not at the end, device"),
    ("doubles.Array:other device", "not at the end, device"),
    ("doubles.Array:device enum", "not at the end, device"),
    ("doubles.Array:export alters", "not at the end, elements"),
    ("doubles.Array:locked by the export", "not at the end, elements, writable"),
    ("producer_elements.ForeignOrder", "not at the end, elements, not copies"),
    ("producer_struct_layout.OneStrideShort", "not at the end, axes"),
    ("producer_struct_layout.WideDtype", "not at the end"),
    ("producer_struct_layout.TensorInside", "not at the end"),
    ("producer_protocol.OneThread", "not at the end"),
    ("producer_protocol.FailingDeleter", "not at the end"),
    ("producer_protocol.FailingDestructor", "not at the end, not copies"),
    ("producer_protocol.NameOfTheArray", "not at the end"),
    ("producer_protocol.ShapeOfTheArray", "not at the end, axes"),
    ("producer_protocol.MemoryOfTheArray", "not at the end, elements, writable, not copies"),
    ("producer_protocol.SharedShape", "not at the end, axes"),
    ("producer_protocol.OneCopy", "not at the end, copies"),
    ("process_faults.OddDeleter:throws", "not at the end"),
    ("process_faults.OddDeleter:leaves memory", "not at the end"),
    ("process_faults.LeavesObjects", "not at the end"),
    ("doubles.Consumer:null strides misread", "elements, axes, no strides"),
    ("doubles.Consumer:byte_offset ignored", "elements, offset itself"),
    ("doubles.Consumer:zero strides misread", "elements, axes, broadcast itself"),
    ("doubles.Consumer:negative strides misread", "elements, axes, negative itself"),
    ("doubles.Consumer:copies", "elements"),
    ("doubles.Consumer:never released", ""),
    ("doubles.Consumer:released twice", ""),
    ("doubles.Consumer:released at once", "elements"),
    ("doubles.Consumer:copied struct released", ""),
    ("doubles.Consumer:null deleter called", ""),
    ("doubles.Consumer:writes after release", "elements"),
    ("doubles.Consumer:leaks when refusing", ""),
    ("doubles.Consumer:read-only refused", "versioned, readonly itself"),
    ("doubles.Consumer:scribbles", "elements"),
    ("doubles.Consumer:legacy not renamed", "legacy"),
    ("doubles.Consumer:versioned not renamed", "versioned"),
    ("doubles.Consumer:legacy destructor cleared", "legacy"),
    ("doubles.Consumer:versioned destructor cleared", "versioned"),
    ("doubles.Consumer:released by the capsule", ""),
    ("doubles.Consumer:released with the source", ""),
    ("doubles.Consumer:reinterprets", ""),
    ("doubles.Consumer:minor refused", "versioned"),
    ("doubles.Consumer:keeps a foreign major", "versioned, foreign"),
    ("doubles.Consumer:unknown values taken", "one dtype"),
    ("consumer_structs.FillsStrides", "axes, no strides"),
    ("consumer_structs.MarksTheStruct", "versioned"),
    ("consumer_structs.WritesLate:24", "versioned"),
    ("consumer_structs.NeedsContext", ""),
    ("consumer_structs.KeepsOrphans", ""),
    ("consumer_structs.WholeFlags", "versioned, readonly itself"),
    ("consumer_structs.WritesLegacy", "legacy"),
    ("consumer_memory.AlignsData", "elements"),
    ("consumer_memory.WholeElements", "elements"),
    ("consumer_memory.WritesUnguarded", "elements, writable"),
    ("consumer_reexports.Narrows", "elements"),
    ("consumer_reexports.ForgetsOffset", "elements, offset itself"),
    ("consumer_keywords.OnwardWritable", "versioned, readonly itself"),
    ("process_faults.Straying:one byte beyond", "elements"),
    ("process_faults.Straying:one byte before", "elements"),
    ("process_faults.TouchesAfterRelease:data read late", "elements, axes"),
    ("process_faults.TouchesAfterRelease:struct read late", "elements, axes"),
    ("consumer_capsules.NamesInPassing", ""),
    ("consumer_capsules.ConsumesLater", ""),
    ("consumer_requests.IgnoresCopy", "asks"),
    ("consumer_requests.AsksForTwo", "asks"),
    ("consumer_requests.AsksForZero", "asks"),
    ("consumer_requests.ForeignKeyword", "asks"),
    ("consumer_requests.StreamForTheHost", "asks"),
    ("consumer_requests.WrapsBufferError", "asks"),
    ("plugin:makes major 0", "native producer, versioned"),
    ("plugin:makes major 2", "native producer, versioned"),
    ("plugin:makes unknown flags", "native producer, versioned"),
    ("plugin:makes padded bytes", "native producer, versioned, one dtype"),
    ("plugin:makes nothing read-only", "native producer, versioned, only read-only"),
    ("plugin:makes an unknown code", "native producer, versioned"),
    ("plugin:makes another dtype", "native producer, versioned"),
    ("plugin:makes no lanes", "native producer, versioned"),
    ("plugin:makes no bits", "native producer, versioned"),
    ("plugin:makes an unknown device", "native producer, versioned"),
    ("plugin:makes host memory 3", "native producer, versioned"),
    ("plugin:makes device -1", "native producer, versioned"),
    ("plugin:makes a negative rank", "native producer, versioned"),
    ("plugin:makes no shape", "native producer, versioned, axes"),
    ("plugin:makes no strides", "native producer, versioned, axes"),
    ("plugin:makes no data", "native producer, versioned, elements"),
    ("plugin:makes a shorter axis", "native producer, versioned, elements, axes"),
    ("plugin:makes strides in bytes", "native producer, versioned, elements, axes"),
    ("plugin:makes other elements", "native producer, versioned, elements"),
    ("plugin:leaks", "native producer"),
    ("plugin:null strides misread", "elements, axes, no strides"),
    ("plugin:byte_offset misread", "elements, offset itself"),
    ("plugin:zero strides misread", "elements, axes, broadcast itself"),
    ("plugin:negative strides misread", "elements, axes, negative itself"),
    ("plugin:reads wrongly", "elements"),
    ("plugin:writes read-only", "versioned, elements, readonly itself"),
    ("plugin:rewrites the shape", "axes"),
    ("plugin:never releases", ""),
    ("plugin:releases twice", ""),
    ("plugin:calls a NULL deleter", ""),
    ("plugin:releases a copy", ""),
    ("plugin:touches after release", "axes"),
    ("plugin:keeps a foreign major", "versioned, foreign"),
    ("plugin:keeps unknown dtypes", "one dtype"),
    ("plugin:minor refused", "versioned"),
)

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


def tags_of(subject, written, role):
    native = ("native",) if subject.startswith("plugin:") else ()
    return (role, *native, *filter(None, written.split(", ")))


def excluded(tags):
    """{condition: why} for these tags."""
    return {name: TAGS[tag][1] for tag in reversed(tags) for name in TAGS[tag][0]}


def combinations():
    """(subject, condition) of all that is measured."""
    zoo = zoo_rows()
    for subject, written in ROWS:
        never = excluded(tags_of(subject, written, zoo[subject][1]))
        for name in predicates.PREDICATES:
            if name not in never:
                yield subject, name
