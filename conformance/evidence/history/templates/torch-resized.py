"""The memory of an export is freed when the tensor is resized in place, and the export shows what comes after."""

array = torch.arange(12.0)
shown = numpy.from_dlpack(array)
before, place = shown.tolist(), array.data_ptr()
array.resize_(48)
others = [torch.full((12,), 7.0) for _ in range(64)]  # the allocator gives the memory to one of them
moved, kept = array.data_ptr() != place, shown.tolist() == before
verdict(moved and not kept, f"the tensor moved: {moved}; the export shows the elements that it had: {kept}")
