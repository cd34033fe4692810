"""The default renderer: a visibility-buffer rasteriser in numba that needs no system package."""
