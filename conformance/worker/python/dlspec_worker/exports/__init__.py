"""Calls of __dlpack__, and what their capsules hold."""
