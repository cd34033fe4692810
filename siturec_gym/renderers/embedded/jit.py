"""One way to compile kernels, so that all of them are exact, unsigned-friendly and cached on disk alike."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

_njit: Callable[..., Any] = numba.njit
_KERNELS = ("camera", "cull", "draw", "jit", "layout", "raster", "runs", "shade", "tally", "vectors")


def _digest_of_kernels() -> str:
    folder = Path(__file__).parent
    content = b"".join((folder / f"{name}.py").read_bytes() for name in _KERNELS)
    return hashlib.sha256(content).hexdigest()[:10]


_DIGEST = _digest_of_kernels()


def kernel(function: Function) -> Function:
    """Compile ``function`` for the machine, cached on disk. It may not make arrays.

    numba looks for a changed file only where the compiled function itself stands; kernels call each other across
    files. The digest of all of them therefore goes into the name under which each one is cached. Without its runtime
    (``_nrt``) numba counts no references to the arrays that kernels pass on, which took a third of the time. Other
    threads go on meanwhile (``nogil``): a renderer writes to arrays of its own alone.
    """
    return _compiled(function)


def inlined(function: Function) -> Function:
    """Like ``kernel``, and always copied into its callers: for what runs once a polygon, a run or a pixel."""
    return _compiled(function, forceinline=True)


def _compiled(function: Function, **options: bool) -> Function:
    function.__qualname__ = f"{function.__qualname__}_{_DIGEST}"
    return cast(Function, _njit(cache=True, nogil=True, error_model="numpy", _nrt=False, **options)(function))
