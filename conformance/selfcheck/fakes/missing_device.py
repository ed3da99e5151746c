"""Requires a device that no machine has."""

raise NotImplementedError("its arrays live on a device of 2999")
