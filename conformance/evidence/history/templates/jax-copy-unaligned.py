"""copy=True of data that is not aligned to 16 bytes ends the process, once aligned data was copied."""

run_in_a_child()
memory = numpy.zeros(128, "uint8")
aligned = memory[-memory.ctypes.data % 64 :][:64].view("float32")
jax.dlpack.from_dlpack(aligned[:5], copy=True)
array, refusal = attempt(lambda: numpy.asarray(jax.dlpack.from_dlpack(aligned[3:8], copy=True)))
verdict(False, repr(refusal) if refusal else f"imported: {array}")
