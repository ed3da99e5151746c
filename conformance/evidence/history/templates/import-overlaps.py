"""A part of an import that is written onto a part that begins one element later overwrites what is still to be read.

SOURCE: what is offered, five elements
IMPORT: the import of `source`
"""

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
_, refusal = (None, refusal) if refusal else attempt(lambda: array.__setitem__(slice(1, None), array[:-1]))
found, wanted = array.numpy().tolist(), [0.0, 0.0, 2.0, 4.0, 6.0]
verdict(not refusal and found != wanted, repr(refusal) if refusal else f"{found}, not {wanted}")
