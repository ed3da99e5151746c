"""Mutation operators: each yields (the fault in words, the wrong line) for a line of C++.

They work on text, one physical line at a time, in the format that .clang-format gives the project (binary operators
between spaces, one statement per line). A wrong line that does not compile is not a mutant, and the run says so.
"""

import functools
import re

COMPARISONS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "}
ARITHMETIC = {
    " + ": " - ",
    " - ": " + ",
    " * ": " + ",
    " / ": " * ",
    " % ": " / ",
    " << ": " >> ",
    " >> ": " << ",
    " & ": " | ",
    " | ": " & ",
    " += ": " -= ",
    " -= ": " += ",
    " *= ": " += ",
    " |= ": " &= ",
}
WORDS = {
    "ceil_divide": "floor_divide",
    "floor_divide": "ceil_divide",
    "ceil_bytes": "floor_bytes",
    "std::min": "std::max",
    "std::max": "std::min",
    "low_bytes": "high_bytes",
    "high_bytes": "low_bytes",
    "Known::yes": "Known::no",
    "Known::no": "Known::yes",
    "all_of": "any_of",
    "any_of": "all_of",
    "return true": "return false",
    "return false": "return true",
    "Overlap::yes": "Overlap::no",
    "Overlap::no": "Overlap::yes",
    "Overlap::unknown": "Overlap::yes",
    "allocation_begin": "allocation_end",
    "allocation_end": "allocation_begin",
    "Kind::blocked": "Kind::pass",
    "std::copy_backward": "std::copy",
}
OPENING, CLOSING = "([{", ")]}"


@functools.lru_cache(None)
@functools.lru_cache(None)
def blanked(line):
    """The line with comments and the insides of strings and characters replaced by as many dots."""

    def dots(match):
        text = match.group()
        return text[0] + "." * (len(text) - 2) + text[-1] if text[0] in "\"'" else " " * len(text)

    return re.sub(r'"(?:\\.|[^"\\])*"|(?<!\d)\'(?:\\.|[^\'\\])+\'|//.*', dots, line)


def operand_start(code, end):
    """Where the operand that ends at `end` begins: behind the last thing that binds less tightly than && and ||."""
    depth = 0
    for i in range(end - 1, -1, -1):
        if code[i] in CLOSING:
            depth += 1
        elif code[i] in OPENING:
            depth -= 1
            if depth < 0:
                return i + 1
        elif depth == 0:
            for stop in (" && ", " || ", " ? ", " : ", "; ", ", ", " = ", "return "):
                if code.endswith(stop, 0, i + 1):
                    return i + 1
    return len(code) - len(code.lstrip())


def operand_end(code, start):
    """Where the operand that begins at `start` ends; None when it may go on in the next line."""
    depth = 0
    for i in range(start, len(code)):
        if code[i] in OPENING:
            depth += 1
        elif code[i] in CLOSING:
            depth -= 1
            if depth < 0:
                return i
        elif depth == 0 and (code[i] in ";," or re.match(r" (&&|\|\||\?|:)( |$)", code[i:])):
            return i
    return None


def replaced(line, start, end, text):
    return line[:start] + text + line[end:]


def comparisons(line, code):
    if code.lstrip().startswith("for ("):
        return
    for match in re.finditer(r" (<|<=|>|>=|==|!=) ", code):
        wrong = COMPARISONS[match.group()]
        yield f"{match.group().strip()} becomes {wrong.strip()}", replaced(line, *match.span(), wrong)


def loops(line, code):
    if not code.lstrip().startswith("for ("):
        return
    for pattern, text, what in (
        (r"= 0(?=;)", "= 1", "the loop leaves out the first"),
        (r"-- > 0(?=;)", "-- > 1", "the loop leaves out the last of its way down"),
        (r"; (\w+) < ", r"; \1 + 1 < ", "the loop leaves out the last"),
    ):
        match = re.search(pattern, code)
        if match:
            yield what, replaced(line, *match.span(), match.expand(text))


def dropped_operands(line, code):
    for match in re.finditer(r" (&&|\|\|)( |$)", code):
        start = operand_start(code, match.start())
        if code[start : match.start()].strip():
            yield f"condition dropped: {line[start : match.start()]}", replaced(line, start, match.end(), "")
        end = operand_end(code, match.end())
        if end is not None and match.group().endswith(" "):
            yield f"condition dropped: {line[match.end() : end]}", replaced(line, match.start(), end, "")


def negations(line, code):
    for match in re.finditer(r"(?<![\w)!])!(?=[\w(*])", code):
        yield "negation dropped", replaced(line, *match.span(), "")
    for match in re.finditer(r" \? ", code):
        start = operand_start(code, match.start())
        if code[start : match.start()].strip():
            wrong = replaced(line, start, match.start(), f"!({line[start : match.start()]})")
            yield "the choice is turned round", wrong


def conditions(line, code):
    match = re.match(r"\s+(?:} else )?if (?:constexpr )?\(", code)
    if not match or "constexpr" in match.group():
        return
    end = operand_end(
        code.replace(";", ".")
        .replace(",", ".")
        .replace(" && ", "....")
        .replace(" || ", "....")
        .replace(" ? ", "...")
        .replace(" : ", "..."),
        match.end(),
    )
    if end is None:
        return
    if ";" in code[match.end() : end] or re.search(r"[^=!<>]= ", code[match.end() : end]):
        if re.search(r"\) (return|continue|break)\b.*;$", code):
            yield "the statement is dropped", ""
        return
    yield "the condition never holds", replaced(line, match.end(), end, "false")
    yield "the condition always holds", replaced(line, match.end(), end, "true")


def constants(line, code):
    if code.lstrip().startswith("for ("):
        return
    for match in re.finditer(r"(?<![\w.'])(0x)?([0-9A-F]+)(?=u?\b)(?![\w.'])", code):
        base = 16 if match.group(1) else 10
        if base == 10 and not match.group(2).isdigit():
            continue
        wrong = int(match.group(2), base) + 1
        text = hex(wrong) if base == 16 else str(wrong)
        yield f"{match.group()} becomes {text}", replaced(line, *match.span(), text)


def arithmetic(line, code):
    if '"' in code or "'" in code or "std::to_string" in code or re.match(r"\s*(template|using|auto\*)", code):
        return
    for match in re.finditer(r" (\+|-|\*|/|%|<<|>>|&|\||\+=|-=|\*=|\|=) ", code):
        wrong = ARITHMETIC[match.group()]
        yield f"{match.group().strip()} becomes {wrong.strip()}", replaced(line, *match.span(), wrong)


def words(line, code):
    for word, wrong in WORDS.items():
        for match in re.finditer(rf"(?<![\w:]){re.escape(word)}\b(?!\w)", code):
            if match.group() in ("low_bytes", "high_bytes") and code[: match.start()].rstrip().endswith("Wide"):
                continue
            yield f"{word} becomes {wrong}", replaced(line, *match.span(), wrong)
    for match in re.finditer(r"(?<=return )Status::(?!ok\b)\w+|(?<=: )Status::(?!ok\b)\w+(?=;)", code):
        yield f"{match.group()} becomes Status::ok", replaced(line, *match.span(), "Status::ok")
    match = re.search(r"(?<=return )Verdict::\w+(?=;)|(?<== )Verdict::\w+(?=;)", code)
    if match:
        wrong = "Verdict::fail" if match.group() == "Verdict::pass" else "Verdict::pass"
        yield f"{match.group()} becomes {wrong}", replaced(line, *match.span(), wrong)
    match = re.search(r"(\w+(?:\[i\])?) <=> (\w+(?:\[i\])?)(?=;)", code)
    if match:
        yield "the order is turned round", replaced(line, *match.span(), f"{match.group(2)} <=> {match.group(1)}")


def texts(line, code):
    match = re.search(r'return "\.+";', code)
    if match:
        yield "the text is empty", replaced(line, *match.span(), 'return "";')


def rows(line, code):
    if re.fullmatch(r"\s+case [\w:]+:", code):
        yield "the case is left out", ""
    if re.fullmatch(r"(\s+(?:checks::)?\w+,)+", code):
        for match in re.finditer(r"(?:checks::)?\w+,", code):
            yield f"row left out: {match.group()[:-1]}", replaced(line, *match.span(), "")


def codes(line, code):
    """Enumerators of dtypes and devices that are passed to a function."""
    for match in re.finditer(r"(?<=, )kDL\w+(?=[,)])|(?<=\()kDL\w+(?=[,)])", code):
        wrong = "kDLUInt" if match.group() == "kDLInt" else "kDLInt"
        yield f"{match.group()} becomes {wrong}", replaced(line, *match.span(), wrong)


OPERATORS = (
    comparisons,
    loops,
    dropped_operands,
    negations,
    conditions,
    constants,
    arithmetic,
    words,
    texts,
    rows,
    codes,
)


def table_row(line):
    """The same for rows of device.def, dtype.def, infini_dtype.def and finding.def: version edges, widths, verdicts."""
    match = re.match(r"(DLSPEC_DEVICE\(\d+, \w+, \w+, )(\d+), (\d+), (\w+), (\w+)\)$", line)
    if match:
        head, major, minor, host, data = match.groups()
        yield "released one minor version later", f"{head}{major}, {int(minor) + 1}, {host}, {data})"
        other = {"true": "false", "false": "true"}
        yield "host turned round", f"{head}{major}, {minor}, {other[host]}, {data})"
        other = {"address": "handle", "handle": "unknown", "unknown": "handle"}
        yield "another kind of data", f"{head}{major}, {minor}, {host}, {other[data]})"
    match = re.match(r"(DLSPEC_DTYPE_CODE\(\d+, \w+, \w+, )(\d+), (\d+), (\d+)\)$", line)
    if match:
        head, bits, major, minor = match.groups()
        yield "released one minor version later", f"{head}{bits}, {major}, {int(minor) + 1})"
        yield "another width", f"{head}{int(bits) + 1}, {major}, {minor})"
    match = re.match(r"(DLSPEC_INFINI_DTYPE\(\d+, \w+, )(\d+)(, \w+, \w+, )(\d+), (\w+)\)$", line)
    if match:
        head, size, middle, bits, bridge = match.groups()
        yield "another size", f"{head}{int(size) + 1}{middle}{bits}, {bridge})"
        yield "another width", f"{head}{size}{middle}{int(bits) + 8}, {bridge})"
    match = re.match(r"(DLSPEC_FINDING\(\w+, \d+, )(\w+)(,.*)$", line)
    if match:
        wrong = {"fail": "warn", "warn": "info", "info": "warn", "unsupported": "fail"}[match.group(2)]
        yield f"{match.group(2)} becomes {wrong}", match.group(1) + wrong + match.group(3)


def mutations(line, table=False):
    """All (what it breaks, wrong line) of a line, each wrong line once."""
    if table:
        found = table_row(line)
    else:
        code = blanked(line)
        if (
            re.match(r"\s*(#|template|static_assert|\[\[nodiscard\]\].*;$|friend .*;$|using |namespace )", code)
            or not code.strip()
        ):
            return
        found = (mutation for operator in OPERATORS for mutation in operator(line, code.rstrip()))
    seen = {" ".join(line.split())}
    for breaks, wrong in found:
        words_only = " ".join(wrong.split())
        if words_only not in seen:
            seen.add(words_only)
            yield breaks, wrong
