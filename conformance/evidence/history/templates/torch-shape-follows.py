"""The shape of an export changes with the tensor that it was made of, when that is changed in place."""

array = torch.arange(12.0).reshape(3, 4)
capsule = array.__dlpack__(max_version=(1, 0))
tensor = DLManagedTensorVersioned.from_address(capsule_pointer(capsule, b"dltensor_versioned")).tensor


def shape():
    return list((ctypes.c_int64 * tensor.ndim).from_address(tensor.shape))


before = shape()
array.t_()
verdict(shape() != before, f"exported with shape {before}; after t_() of the tensor the export has shape {shape()}")
