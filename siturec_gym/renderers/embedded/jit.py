"""One way to compile kernels, so that all of them are exact, unsigned-friendly and cached on disk alike."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

_KERNEL_FILES = ("camera.py", "cull.py", "jit.py", "layout.py", "raster.py", "runs.py", "shade.py", "tally.py", "vectors.py")


def _digest_of_kernels() -> str:
    folder = Path(__file__).parent
    content = b"".join((folder / name).read_bytes() for name in _KERNEL_FILES)
    return hashlib.sha256(content).hexdigest()[:10]


_DIGEST = _digest_of_kernels()


def kernel(function: Function) -> Function:
    """Compile ``function`` for the machine, cached on disk.

    numba looks for a changed file only where the compiled function itself stands; kernels call each other across
    files. The digest of all of them therefore goes into the name under which each one is cached.
    """
    function.__qualname__ = f"{function.__qualname__}_{_DIGEST}"
    return cast(Function, numba.njit(cache=True, error_model="numpy", _nrt=False)(function))


def inlined(function: Function) -> Function:
    """Like ``kernel``, and always copied into its callers: for what runs once a polygon, a run or a pixel."""
    function.__qualname__ = f"{function.__qualname__}_{_DIGEST}"
    return cast(Function, numba.njit(cache=True, error_model="numpy", forceinline=True, _nrt=False)(function))


def allocating(function: Function) -> Function:
    """Like ``kernel``, for what makes new arrays."""
    function.__qualname__ = f"{function.__qualname__}_{_DIGEST}"
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))
