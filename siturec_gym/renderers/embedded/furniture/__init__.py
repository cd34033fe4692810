"""Furniture and ornaments of parametric parts: one builder for each kind, told apart by the parameters of a shape."""
