"""copy=True of a column-major array gives other elements, once a row-major one was copied."""

rows = numpy.arange(12, dtype="float32").reshape(3, 4)
columns = numpy.asfortranarray(rows)
jax.dlpack.from_dlpack(rows, copy=True)  # what was compiled for this layout is used again for the other
copy, refusal = attempt(lambda: numpy.asarray(jax.dlpack.from_dlpack(columns, copy=True)))
verdict(not refusal and not numpy.array_equal(copy, columns), refusal or f"offered:\n{columns}\nimported:\n{copy}")
