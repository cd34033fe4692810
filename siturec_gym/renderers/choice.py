"""Which renderers there are; each is imported only when it is made."""

from collections.abc import Callable
from functools import partial
from typing import Any

from siturec_gym.core.errors import RendererError
from siturec_gym.core.options import check_options
from siturec_gym.renderers.interface import Renderer
from siturec_gym.scenes.scene import Scene


def _embedded() -> Callable[..., Renderer]:
    try:
        from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer  # noqa: PLC0415
    except ImportError as error:
        raise RendererError(
            f"the embedded renderer needs numba and pillow: pip install siturec-gym ({error})"
        ) from error
    return EmbeddedRenderer


def _unrealcv() -> Callable[..., Renderer]:
    try:
        import unrealcv  # noqa: F401, PLC0415  an extra, looked for before anything is made

        from siturec_gym.renderers.unrealcv.renderer import UnrealCVRenderer  # noqa: PLC0415
    except ImportError as error:
        raise RendererError(
            f"the unrealcv renderer needs the unrealcv client: pip install 'siturec-gym[unreal]' ({error})"
        ) from error
    return UnrealCVRenderer


RENDERERS: dict[str, Callable[[], Callable[..., Renderer]]] = {"embedded": _embedded, "unrealcv": _unrealcv}


def make_renderer(name: str, scene: Scene, width: int, height: int, preset: str = "rl", **config: Any) -> Renderer:
    """A renderer of ``scene`` by name.

    Args:
        name: A key of ``RENDERERS``.
        scene: What it draws.
        width: Image width, pixels.
        height: Image height, pixels.
        preset: "rl" for speed or "vlm" for finer colour.
        config: Further arguments of that renderer.

    Raises:
        ValueError: The name or an argument is unknown.
        RendererError: The renderer cannot be had on this machine.
    """
    if name not in RENDERERS:
        raise ValueError(f"unknown renderer {name!r}; valid names: {', '.join(sorted(RENDERERS))}")
    build = partial(RENDERERS[name](), scene, width, height, preset=preset)
    check_options(f"renderer {name!r}", build, config)
    return build(**config)
