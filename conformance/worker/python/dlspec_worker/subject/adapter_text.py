"""The text of the adapter that `dlspec init` writes, from what it found out."""

import sys

from dlspec_worker.facts.idioms import LAYOUTS, VIEW


def refusal(what):
    return f'raise NotImplementedError("init: {what}")'


def make_lines(found, of):
    if not found.maker:
        return [f"    {refusal(f'how is an array of {of} made from spec.bytes?')}"]
    lines = ["    if spec.dtype not in DTYPES:", f"        {refusal('not tried, or not made by the line below')}"]
    if not found.lock:
        lines += ["    if spec.readonly:", f"        {refusal('how is an array made read-only?')}"]
    if "values" in found.maker:
        lines.append("    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)")
    if found.strider:
        lines += ["    array = strided(spec, values) if spec.strides is not None else " + found.maker]
    else:
        lines += ["    if spec.strides is not None or spec.offset:", f"        {refusal('how are strides ordered?')}"]
        lines += [f"    array = {found.maker}"]
    return [*lines, *([f"    if spec.readonly:\n        {found.lock}"] if found.lock else []), "    return array"]


def text_of(found, module, version):
    lines = [f'"""An adapter for {module}, written by `dlspec init`. What it could not find out says "init:"."""', ""]
    body = "\n".join(filter(None, (found.maker, found.reader, found.strider)))
    names = {module} | ({"numpy"} if "numpy" in body or "values" in body else set())
    names |= {line.rpartition(".from_dlpack")[0] for line in (found.importer or "",) if line.count(".") > 2} & set(
        sys.modules
    )
    lines += [f"import {name}" for name in sorted(names)]
    if found.maker:
        lines += ["", f'DTYPES = "{" ".join(found.dtypes)}".split()']
    if not found.claims:
        lines += ['standard = "dlpack"  # its arrays have no __array_namespace__']
    lines += ["", "", "def version():", f"    return {version}", "", "", "def make(spec):", *make_lines(found, module)]
    if found.strider:
        used = VIEW if "view" in found.strider.replace("view.strides", "steps") else VIEW.rpartition("    steps")[0]
        lines += ["", "", "def strided(spec, values):", VIEW.rstrip() if used else ""]
        if "negative" not in found.layouts:
            lines += ["    if min(spec.strides, default=0) < 0:", f"        {refusal('are there negative strides?')}"]
        if {*found.layouts, "negative"} == set(LAYOUTS):
            lines += [f"    return {found.strider}"]
        else:
            lines += ["    try:", f"        return {found.strider}", "    except Exception as error:"]
            lines += ['        raise NotImplementedError(f"init: {error}") from error']
    lines += ["", "", "def from_dlpack(source, **kwargs):"]
    lines += [f"    return {found.importer}" if found.importer else f"    {refusal('how is a tensor imported?')}"]
    lines += ["", "", "def contents(array):"]
    lines += [f"    return {found.reader}" if found.reader else f"    {refusal('how are the elements had as bytes?')}"]
    return "\n".join(lines) + "\n"
