"""Lets torchvision be imported beside a torch that was built for the processor alone.

The published torchvision wheel is linked against CUDA, so its compiled operators do not load beside such a torch, and
importing it ends with "operator torchvision::nms does not exist". What prepares images for a model needs none of them.
Here the two whose absence is an error are declared, without a body: calling one fails, importing does not.

An environment takes this up as a start file: this module and a file torchvision_ops.pth that holds the line
"import torchvision_ops", both in its site-packages. Nothing is done before torchvision is asked for.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MISSING = ("nms", "qnms")
_declared: list[Any] = []


def declare() -> None:
    """Declare the operators, unless torch was built for CUDA and will load the real ones."""
    import torch

    if torch.version.cuda is not None or _declared:
        return
    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in MISSING:
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _declared.append(library)


class _BeforeTorchvision(MetaPathFinder):
    """Finds nothing; declares the operators when torchvision is looked for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "torchvision":
            declare()
        return None


sys.meta_path.insert(0, _BeforeTorchvision())
