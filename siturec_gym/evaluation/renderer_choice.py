"""What a run keeps of its renderer: everything that another machine needs to go on with it."""

from typing import Any

from siturec_gym.renderers import RENDERERS


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
