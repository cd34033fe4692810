"""What a run keeps of its renderer, so that another machine can go on with it, and whether that renderer answers."""

from collections.abc import Mapping
from typing import Any

from siturec_gym.renderers import RENDERERS, make_renderer
from siturec_gym.scenes import Scene


def renderer_settings(name: str, source: str | None) -> dict[str, Any]:
    """The settings of a renderer as a manifest holds them.

    Args:
        name: The renderer.
        source: The mapping file of "unrealcv", or the name of a shipped mapping; None for the one of our own server.

    Raises:
        ValueError: There is no such renderer, or it takes no file.
        DataError: The mapping file is wrong.
        RendererError: What the renderer needs is not installed.
    """
    if name not in RENDERERS:
        raise ValueError(f"unknown renderer {name!r}; valid names: {', '.join(sorted(RENDERERS))}")
    if name != "unrealcv":
        if source is not None:
            raise ValueError(f"--renderer-config: the {name} renderer takes no file, received {source!r}")
        return {}
    from siturec_gym.renderers.unrealcv.reading import load_mapping  # noqa: PLC0415  only Unreal has mapping files

    return {"mapping": load_mapping(source or "ours").model_dump(mode="json")}


def reach_renderer(name: str, config: Mapping[str, Any], scene: Scene, size: tuple[int, int]) -> None:
    """Connect once and close again where the renderer is another program, so that a run is not begun in vain.

    Args:
        name: The renderer.
        config: Its settings, as a manifest holds them.
        scene: The store it shows.
        size: Width and height of its pictures.

    Raises:
        ValueError: There is no such renderer, or it does not take these settings.
        DataError: The mapping does not fit the scene.
        RendererError: No server answers, it does not start, or it lacks something that the mapping names.
    """
    if name == "embedded":
        return
    renderer = make_renderer(name, scene, *size, **config)
    try:
        renderer.connect()
    finally:
        renderer.close()
