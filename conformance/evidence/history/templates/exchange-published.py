"""A type publishes its exchange table in a way that DLPack does not allow.

ARRAY: an array of the library
SEEN: what its type shows, as a text
IS_WRONG: a condition on `kind`, the type
"""

kind = type(ARRAY)
seen = SEEN
verdict(IS_WRONG, seen)
