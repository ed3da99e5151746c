"""The text of the adapter that `dlspec init` writes, from what it found out."""

import sys

from dlspec_worker.facts.idioms import LAYOUTS, MOST_AXES, UNPACK, VIEW

WIDTH = 116  # columns behind the indentation


def refusal(what):
    return f'raise NotImplementedError("init: {what}")'


def guard_lines(found):
    """What make() refuses, in one condition: an adapter is to be read at a glance."""
    refused = {"spec.dtype not in DTYPES": "other dtypes"}
    if not found.lock:
        refused["spec.readonly"] = "read-only arrays"
    if not found.strider:
        refused["spec.strides is not None or spec.offset"] = "strides"
    elif "negative" not in found.layouts:
        refused["min(spec.strides or (0,)) < 0"] = "negative strides"
    if found.rank < MOST_AXES:
        refused[f"len(spec.shape) > {found.rank}"] = "more axes"
    *others, last = refused.values()
    words = ", ".join(others) + " and " * bool(others) + last
    return [f"    if {' or '.join(refused)}:", f"        {refusal(f'how are {words} made?')}"]


def make_lines(found, of):
    if not found.maker:
        return [f"    {refusal(f'how is an array of {of} made from spec.bytes?')}"]
    lines = guard_lines(found)
    if "values" in found.maker:
        lines.append("    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)")
    array = found.maker
    if found.strider:
        ordered = "spec.strides is not None" if found.scalar else "spec.strides"  # a scalar's are ()
        ordered += "" if found.empty else " and values.size"
        array = f"strided(spec, values) if {ordered} else {array}"
    if not found.lock:
        return [*lines, f"    return {array}"]
    return [*lines, f"    array = {array}", "    if spec.readonly:", f"        {found.lock}", "    return array"]


def text_of(found, module, version):
    lines = [f'"""An adapter for {module}, written by `dlspec init`. What it could not find out says "init:"."""', ""]
    body = "\n".join(filter(None, (found.maker, found.reader, found.strider)))
    names = {module} | ({"numpy"} if "numpy" in body or "values" in body else set())
    names |= {"importlib.metadata"} if version.startswith("importlib.metadata.") else set()
    names |= {line.rpartition(".from_dlpack")[0] for line in (found.importer or "",) if line.count(".") > 2} & set(
        sys.modules
    )
    lines += [f"import {name}" for name in sorted(names)]
    lines += ["", found.switch] if found.switch else []
    if found.maker:
        lines += ["", f'DTYPES = "{" ".join(found.dtypes)}".split()']
    if not found.claims:
        lines += ['standard = "dlpack"  # its arrays have no __array_namespace__']
    lines += ["", "", "def version():", f"    return {version}", "", "", "def make(spec):", *make_lines(found, module)]
    if found.strider:
        used = VIEW if "view" in found.strider.replace("view.strides", "steps") else VIEW.rpartition("    steps")[0]
        lines += ["", "", "def strided(spec, values):", VIEW.rstrip() if used else ""]
        if {*found.layouts, "negative"} == set(LAYOUTS):
            lines += [f"    return {found.strider}"]
        else:
            lines += ["    try:", f"        return {found.strider}", "    except Exception as error:"]
            lines += ['        raise NotImplementedError(f"init: {error}") from error']
    lines += ["", "", "def from_dlpack(source, **kwargs):"]
    if found.narrowed:
        lines.append(f"    # init: {', '.join(found.narrowed)} become smaller here; which setting keeps them?")
    lines += [f"    return {found.importer}" if found.importer else f"    {refusal('how is a tensor imported?')}"]
    if found.exporter:
        lines += ["", "", "def to_dlpack(array):", f"    return {found.exporter}"]
    lines += ["", "", "def contents(array):"]
    lines += [f"    return {found.reader}" if found.reader else f"    {refusal('how are the elements had as bytes?')}"]
    if found.writer:
        line = found.writer.replace("values", UNPACK)
        whole = [line] if len(line) <= WIDTH else [f"values = {UNPACK}", found.writer]
        lines += ["", "", "def write(array, data):", *(f"    {each}" for each in whole)]
    else:
        lines += ["", "", "# init: how are elements overwritten? By write(array, data), data: bytes."]
    return "\n".join(lines) + "\n"
