"""Evaluates one expression for `dlspec inspect`, at the other end of descriptor 3, and describes what it exports.

One line comes in, {"inspect": {"native", "expression", "setup", "paths"}}; one goes out: {"inspected": {...}} or
{"failed": {"message", "detail", "missing"}}.
"""

import importlib
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import traceback

CHANNEL = 3


class Failed(Exception):
    """Nothing can be inspected. The message is a sentence; the detail a traceback, or nothing.

    `missing` is the expression's module, where that is not installed.
    """

    def __init__(self, message, detail="", missing=""):
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.missing = missing


def load_native(path):
    name = "dlspec._native"
    try:
        loader = importlib.machinery.ExtensionFileLoader(name, path)
        spec = importlib.util.spec_from_file_location(name, path, loader=loader)
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except Exception as error:
        raise Failed(f"dlspec's extension does not load in this interpreter: {first_line(error)}") from None
    return module


def first_line(error):
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def own_traceback():
    """The traceback without the frames of this file; nothing where the expression's own line is all of it."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    if trace is not None and trace.tb_next is None and trace.tb_frame.f_code.co_filename == "<expression>":
        return ""
    return "".join(traceback.format_exception(kind, error, trace))


def evaluate(request):
    """The object that the expression gives."""
    sys.path[:0] = request["paths"]
    names = {"__name__": "__main__", "__builtins__": __builtins__}
    sys.path.insert(len(request["paths"]), os.getcwd())
    try:
        exec(compile(request["setup"], "<setup>", "exec"), names)
        import_leading_module(request["expression"], names)
        return eval(compile(request["expression"].strip(), "<expression>", "eval"), names)
    except Failed:
        raise
    except BaseException as error:
        raise Failed(f"the expression raised {first_line(error)}", own_traceback()) from None


def import_leading_module(expression, names):
    """Lets `numpy.arange(6)` do without an import: imports the modules that the leading dotted name begins with."""
    found = re.match(r"\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*[.(]", expression)
    parts = found.group(1).split(".") if found else []
    if not parts or parts[0] in names or hasattr(names["__builtins__"], parts[0]):
        return
    if importlib.util.find_spec(parts[0]) is None:
        if len(parts) == 1:
            return  # a plain name: the evaluation raises a NameError, which says it better
        wanted = f"no module {parts[0]} is installed for {sys.executable}"
        raise Failed(f"{wanted}; install it, or choose another interpreter by --python", "", parts[0])
    names[parts[0]] = importlib.import_module(parts[0])
    for end in range(2, len(parts) + 1):
        try:
            importlib.import_module(".".join(parts[:end]))
        except ImportError:
            return


def export(thing, newest):
    """The newest capsule that the object exports, and the keywords of that call."""
    if type(thing).__name__ == "PyCapsule":
        return thing, "the expression gives a capsule"
    method = getattr(thing, "__dlpack__", None)
    if method is None:
        raise Failed(f"the expression gives a {type(thing).__name__}, which exports nothing: it has no __dlpack__")
    try:
        return method(max_version=newest), f"__dlpack__(max_version={newest})"
    except TypeError:
        pass  # older than the keyword
    except Exception as error:
        raise Failed(f"__dlpack__(max_version={newest}) raised {first_line(error)}", own_traceback()) from None
    try:
        return method(), "__dlpack__(), for it does not know max_version"
    except Exception as error:
        raise Failed(f"__dlpack__() raised {first_line(error)}", own_traceback()) from None


def inspect(request):
    native = load_native(request["native"])
    thing = evaluate(request)
    capsule, asked = export(thing, native.vocabulary()["newest_version"])
    if type(capsule).__name__ != "PyCapsule":
        raise Failed(f"__dlpack__ gives a {type(capsule).__name__} instead of a capsule")
    try:
        facts = native.look(capsule)
        # A consumed capsule, or one with an unknown name, holds no struct.
        findings = native.validate(capsule) if facts["generation"] is not None else []
    except (TypeError, ValueError) as error:
        raise Failed(f"the capsule cannot be taken apart: {first_line(error)}") from None
    facts.update(asked=asked, type=f"{type(thing).__module__}.{type(thing).__qualname__}", findings=findings)
    return facts


def send(message):
    text = json.dumps(message, default=str, ensure_ascii=False)
    line = (text + "\n").encode("utf-8", "replace")  # half a surrogate pair is no UTF-8
    while line:
        line = line[os.write(CHANNEL, line) :]


def main():
    with os.fdopen(os.dup(CHANNEL), encoding="utf-8") as channel:
        request = json.loads(channel.readline())["inspect"]
    try:
        send({"inspected": inspect(request)})
    except Failed as failure:
        send({"failed": {"message": failure.message, "detail": failure.detail, "missing": failure.missing}})


if __name__ == "__main__":
    main()
