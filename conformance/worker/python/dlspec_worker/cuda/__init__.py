"""CUDA's driver, and what dlspec does with it: memory, streams, slow writers, and sources of arrays on a GPU."""
