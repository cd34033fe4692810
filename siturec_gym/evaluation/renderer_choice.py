"""What a run keeps of its renderer, so that another machine can go on with it, and whether that renderer answers."""

import os
from collections.abc import Mapping
from typing import Any

from siturec_gym.core.errors import RunError
from siturec_gym.renderers import RENDERERS, make_renderer
from siturec_gym.scenes import Scene

_ADDRESS = ("host", "port", "socket")
_PLACE = ("connection", "launch")
"""Parts of a mapping that say where a store is and how it is started, and nothing of what it shows."""


def renderer_settings(name: str, source: str | None) -> dict[str, Any]:
    """The settings of a renderer as a manifest holds them.

    Args:
        name: The renderer.
        source: The mapping file of "unrealcv", the name of a shipped mapping, or a file of settings that says which
            mapping and where the store is; None for the one of our own server.

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


def drawing_part(config: Mapping[str, Any]) -> dict[str, Any]:
    """Of a renderer's settings those that episodes depend on: all but where it is and how it is started."""
    mapping = config.get("mapping")
    kept = _without(_ADDRESS, config)
    return kept | ({"mapping": _without(_PLACE, mapping)} if isinstance(mapping, Mapping) else {})


def place_part(config: Mapping[str, Any]) -> dict[str, Any]:
    """The rest of them, as a manifest keeps it: of variables for the store's environment the names alone, since values
    may be secret.
    """
    place = {name: config[name] for name in _ADDRESS if name in config}
    mapping = config.get("mapping")
    if isinstance(mapping, Mapping):
        place["mapping"] = {name: mapping[name] for name in _PLACE if name in mapping}
        launch = mapping.get("launch")
        if launch and launch.get("environment"):
            place["mapping"]["launch"] = {**launch, "environment": sorted(launch["environment"])}
    return place


def whole_settings(drawing: Mapping[str, Any], place: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of which a manifest keeps these two parts; values of variables are those of this process.

    Raises:
        RunError: Such a variable is not set.
    """
    settings = {**drawing, **place}
    if "mapping" not in place:
        return settings
    settings["mapping"] = {**drawing["mapping"], **place["mapping"]}
    launch = settings["mapping"].get("launch")
    if launch and launch.get("environment"):
        settings["mapping"]["launch"] = {**launch, "environment": _values(launch["environment"])}
    return settings


def _values(variables: list[str]) -> dict[str, str]:
    unset = [name for name in variables if name not in os.environ]
    if unset:
        raise RunError(
            f"the run starts its store with the environment variable {unset[0]}, whose value it does not keep: set it, "
            "or give --renderer-config"
        )
    return {name: os.environ[name] for name in variables}


def _without(names: tuple[str, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


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
