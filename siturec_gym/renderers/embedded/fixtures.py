"""Bodies of shelves, freezers, coolers and stands, built around the free space that ``scenes.interiors`` states."""

from collections.abc import Callable

from siturec_gym.renderers.embedded.bay import Bay, Part
from siturec_gym.renderers.embedded.bodies import Body, shape_of
from siturec_gym.renderers.embedded.cabinets import chest_freezer, open_cooler, upright_freezer
from siturec_gym.renderers.embedded.shelving import produce_stand, shelf
from siturec_gym.renderers.embedded.tags import price_tags
from siturec_gym.scenes.interiors import compartments
from siturec_gym.scenes.scene import Place, Scene

_BUILDERS: dict[str, Callable[[Bay], list[Part]]] = {
    "shelf": shelf,
    "upright_freezer": upright_freezer,
    "open_cooler": open_cooler,
    "chest_freezer": chest_freezer,
    "produce_stand": produce_stand,
}


def fixture_bodies(scene: Scene, fixture: Place) -> list[Body]:
    """The bodies of one fixture: for each of its sides the parts, which occlude, and the price tags, which do not.

    Raises:
        ValueError: The scene names a kind of fixture that does not exist.
    """
    if fixture.form not in _BUILDERS:
        raise ValueError(f"fixture {fixture.id} is a {fixture.form!r}; kinds are {', '.join(_BUILDERS)}")
    mine = [instance for instance in scene.instances if instance.place_id == fixture.id]
    levels, bodies = compartments(fixture), []
    for side in dict.fromkeys(level.side for level in levels):
        bay = Bay(fixture, [level for level in levels if level.side == side])
        bodies += [_body(bay, part, True) for part in _BUILDERS[fixture.form](bay)]
        tags = [price_tags(scene, bay, level, mine) for level in bay.levels]
        bodies += [_body(bay, part, False) for part in tags if part]
    return bodies


def _body(bay: Bay, part: Part, occludes: bool) -> Body:
    place = (*bay.fixture.center_m, 0.0)
    return Body(shape_of(part), bay.fixture.object_id, place, bay.levels[0].yaw_deg, occludes)
