"""The table of variants: which function judges which one."""

_FUNCTIONS = {}


def variant(role, *names):
    """Enters the function below under these names of variants."""

    def enter(function):
        for name in names:
            _FUNCTIONS[role, name] = function
        return function

    return enter


def find(role, name):
    """The function that judges a variant, or None."""
    return _FUNCTIONS.get((role, name))


def known():
    """All (role, name) of the table."""
    return sorted(_FUNCTIONS)
