"""A consumed capsule that dies while an exception is in flight clears the exception, and the interpreter aborts.

ARRAY: an array of the library
EXPORT: the export of `array`, in a capsule "dltensor"
"""


def consumed(capsule):
    """As a consumer leaves it; the tensor is leaked."""
    rename_capsule(capsule, USED)
    return capsule


run_in_a_child()
array = ARRAY
try:
    # The capsule dies on its way up, with the ZeroDivisionError in flight.
    (consumed(EXPORT), 1 // 0)
except ZeroDivisionError:
    print("the exception arrived")
