"""Embedders: one module each, found by its file name (`embedder.type`)."""
