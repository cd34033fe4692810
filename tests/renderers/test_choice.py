"""Renderers are chosen by name; every mistake is one clear line."""

import pytest

from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers import RENDERERS, make_renderer


def test_unknown_name_lists_the_valid_ones(tiny_scene):
    with pytest.raises(ValueError, match=r"unknown renderer 'unity'; valid names: .*embedded"):
        make_renderer("unity", tiny_scene, 160, 120)


def test_every_listed_renderer_can_be_imported():
    for importer in RENDERERS.values():
        assert callable(importer())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "ultra"}, "preset must be one of rl, vlm, received 'ultra'"),
        ({"light": "candle"}, "light must be one of auto, baked, plain, received 'candle'"),
        ({"width": 8}, "width must be an integer from 16 to 4096, received 8"),
        ({"height": 120.0}, "height must be an integer from 16 to 4096, received 120.0"),
        ({"fog": True}, "renderer 'embedded' does not take the options.*fog"),
    ],
)
def test_bad_arguments(tiny_scene, arguments, message):
    with pytest.raises(ValueError, match=message):
        make_renderer("embedded", tiny_scene, **{"width": 160, "height": 120, "light": "plain", **arguments})


def test_missing_light_warns_and_names_the_command(tiny_scene):
    with pytest.warns(RuntimeWarning, match="python -m siturec_gym.renderers.embedded.bake tiny"):
        renderer = make_renderer("embedded", tiny_scene, 64, 48)
    plain = make_renderer("embedded", tiny_scene, 64, 48, light="plain")
    pose = Pose(4.0, 1.0, 90.0)
    assert (renderer.render(pose).rgb == plain.render(pose).rgb).all()


def test_missing_light_is_an_error_where_it_was_asked_for(tiny_scene):
    with pytest.raises(RendererError, match="no baked light for scene 'tiny'"):
        make_renderer("embedded", tiny_scene, 64, 48, light="baked")
