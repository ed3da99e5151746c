"""Offers nothing at all."""
