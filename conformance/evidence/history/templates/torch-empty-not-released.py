"""An empty tensor whose data is NULL is never released."""

import gc

source = Source(shape=(0,))
tensor = torch.from_dlpack(source)
del tensor
gc.collect()
verdict(len(source.releases) != 1, f"{len(source.releases)} calls of the deleter")
