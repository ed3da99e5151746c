"""The copy of a tensor with gaps holds other elements."""

# In the middle of a larger array, because what is copied reaches beyond the tensor's own elements.
whole = numpy.arange(40.0, dtype="float32").reshape(5, 8)
tensor = pyarrow.Tensor.from_numpy(whole[:3, ::2])


class Copied:
    def __dlpack__(self, **keywords):
        return tensor.__dlpack__(max_version=(1, 0), copy=True)

    def __dlpack_device__(self):
        return tensor.__dlpack_device__()


copy = numpy.from_dlpack(Copied())
wanted, found = tensor.to_numpy().tolist(), copy.tolist()
verdict(found != wanted, f"the tensor: {wanted}\nits copy:   {found} with strides {copy.strides}")
