"""dlspec.inspect: what an object exports, field by field, and the rules that it violates."""

from collections import namedtuple

from dlspec import _exchange, _native

Finding = namedtuple("Finding", "rule level status observed allowed source requirement")
Finding.__doc__ = """One rule that an exported struct breaks.

rule: its permanent id; level: how binding it is; status: "fail", "warn", "info" or "unsupported".
"""

_FIELDS = (
    "capsule generation version flags device dtype ndim shape strides byte_offset null_data null_deleter text findings"
)


class Inspection(namedtuple("Inspection", _FIELDS)):
    """The fields of one export. Those that cannot be read are None; text is the one-line form."""

    __slots__ = ()

    @property
    def ok(self):
        """True when no deviation is a failure."""
        return all(finding.status != "fail" for finding in self.findings)

    def __repr__(self):
        lines = [f"{self.capsule}: {self.text}"]
        for finding in self.findings:
            lines.append(f"  {finding.status} {finding.rule} ({finding.level}): {finding.observed}")
            lines.append(f"    allowed: {finding.allowed} [{finding.source}]")
        return "\n".join(lines)


def inspect(x):
    """Exports `x`, or takes the unconsumed capsule `x`, and judges the struct. Nothing is consumed.

    assert dlspec.inspect(array).ok
    """
    capsule = _exchange.newest_export(x) if hasattr(x, "__dlpack__") else x
    facts = _native.look(capsule)
    return Inspection(
        capsule=facts["name"],
        generation=facts["generation"],
        version=facts["version"],
        flags=facts["flags"],
        device=facts["device"],
        dtype=facts["dtype_name"],
        ndim=facts["ndim"],
        shape=facts["shape"],
        strides=facts["strides"],
        byte_offset=facts["byte_offset"],
        null_data=None if facts["data"] is None else facts["data"] == 0,
        null_deleter=facts["null_deleter"],
        text=facts["text"],
        findings=tuple(_finding(found) for found in _native.validate(capsule)),
    )


def _finding(found):
    return Finding(status=found["verdict"], **{name: found[name] for name in Finding._fields if name != "status"})
