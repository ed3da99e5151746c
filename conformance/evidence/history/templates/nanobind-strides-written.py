"""An import writes strides into the struct of the producer."""

source = Source(strides=None)
array = probe.take(source)
written = source.managed.tensor.strides != 0
verdict(written, f"strides, which were NULL, are {'written' if written else 'still NULL'}")
