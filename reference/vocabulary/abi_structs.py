"""The structs of dlpack.h for Python and C, read from abi.h: the one place that Python has their members from.

  abi_structs.py FILE    writes the ctypes classes as a module

Devices, dtypes and versions are spelt out member by member. Pointers are unsigned integers, so that NULL is 0 and a
test can write any address.
"""

import ctypes
import functools
import pathlib
import re
import sys

VOCABULARY = pathlib.Path(__file__).resolve().parent
# What a member of abi.h becomes: (name where it is not the member's own, type of ctypes, type of C).
FIELDS = {
    "Device": (("device_type", "c_int32", "int32_t"), ("device_id", "c_int32", "int32_t")),
    "DataType": (("code", "c_uint8", "uint8_t"), ("bits", "c_uint8", "uint8_t"), ("lanes", "c_uint16", "uint16_t")),
    "Version": (("major", "c_uint32", "uint32_t"), ("minor", "c_uint32", "uint32_t")),
    "Tensor": (("tensor", "DLTensor", "DLTensor"),),
    "std::int32_t": (("", "c_int32", "int32_t"),),
    "std::uint64_t": (("", "c_uint64", "uint64_t"),),
    "std::int64_t*": (("", "c_uint64", "int64_t*"),),
    "void*": (("", "c_uint64", "void*"),),
    "ExchangeApiHeader": (
        ("major", "c_uint32", "uint32_t"),
        ("minor", "c_uint32", "uint32_t"),
        ("prev_api", "c_uint64", "void*"),
    ),
}
# As dlpack.h calls them: (name in abi.h, its namespace).
STRUCTS = {
    "DLTensor": ("Tensor", ""),
    "DLManagedTensor": ("ManagedTensor", "v0"),
    "DLManagedTensorVersioned": ("ManagedTensor", "v1"),
    "DLPackExchangeAPI": ("ExchangeApi", "v1"),
}
# What stands in the callbacks of abi.h for a type of dlpack.h or of C.
C_TYPES = {"ManagedTensor": "DLManagedTensorVersioned", "Tensor": "DLTensor", "std::int32_t": "int32_t"}
MODULE = '''"""The structs of dlpack.h over ctypes, pointers as integers.

reference/vocabulary/abi_structs.py writes this file from abi.h; tables_test.py compares the two.
"""

import ctypes
'''


class Callback(str):
    """The type of a member that is a function: its declaration in C, where `%s` stands for the struct's own name."""


def callback(result, name, parameters, own):
    """`own`: the struct's name in abi.h, which a deleter takes."""
    types = {**C_TYPES, own: "struct %s"}
    words = re.sub(r"std::int32_t|\w+", lambda word: types.get(word[0], word[0]), " ".join(parameters.split()))
    return Callback(f"{result} (*{name})({words})")


def declared(name, namespace=""):
    """The members of a struct of abi.h: (name, type), functions as a Callback."""
    text = (VOCABULARY / "abi.h").read_text(encoding="utf-8")
    text = text[text.index(f"namespace {namespace} {{") :] if namespace else text
    body = re.search(rf"^struct {name} \{{\n(.*?)^\}};", text, re.M | re.S).group(1)
    members = []
    for line in re.sub(r"//.*$|friend .*$", "", body, flags=re.M).split(";"):
        function = re.fullmatch(r"(\w+) \(\*(\w+)\)\((.*)\)", line.strip(), re.S)
        member = re.fullmatch(r"(.+?) (\w+)", line.strip())
        if function:
            members.append((function[2], callback(*function.groups(), name)))
        elif member:
            members.append((member.group(2), member.group(1)))
    return members


def members(struct):
    """The members of a struct of dlpack.h, one by one: (name, type of ctypes, type of C)."""
    for name, kind in declared(*STRUCTS[struct]):
        for own, python, c in (("", "c_uint64", kind),) if isinstance(kind, Callback) else FIELDS[kind]:
            yield own or name, python, c


def python_class(struct):
    """Its class in ctypes, as text."""
    lines = "".join(
        f'        ("{name}", {kind if kind in STRUCTS else "ctypes." + kind}),\n' for name, kind, _ in members(struct)
    )
    return f"class {struct}(ctypes.Structure):\n    _fields_ = [\n{lines}    ]\n"


def c_struct(struct):
    """Its definition in C, as text."""
    lines = "".join(
        f"  {kind.replace('%s', struct)};\n" if isinstance(kind, Callback) else f"  {kind} {name};\n"
        for name, _, kind in members(struct)
    )
    return f"typedef struct {struct} {{\n{lines}}} {struct};\n"


def module():
    """The module with all of the classes, as text."""
    return "\n\n".join((MODULE, *map(python_class, STRUCTS)))


@functools.cache
def classes():
    """name -> class, for what runs in the source tree."""
    names = {"ctypes": ctypes}
    exec(module(), names)
    return {struct: names[struct] for struct in STRUCTS}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[1]).write_text(module(), encoding="utf-8")
