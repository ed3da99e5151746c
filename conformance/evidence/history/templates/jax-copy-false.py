"""copy=False is not forwarded to the source."""


class MustCopy:
    def __dlpack__(self, *, copy=None, **keywords):
        print("asked for copy =", copy)
        if copy is False:
            raise BufferError("this source can only copy")
        return (jax.numpy.arange(3.0) + 0).__dlpack__()

    def __dlpack_device__(self):
        return jax.numpy.zeros(1).__dlpack_device__()


array, refusal = attempt(lambda: jax.dlpack.from_dlpack(MustCopy(), copy=False))
verdict(not refusal, repr(refusal) if refusal else f"imported: {array}")
