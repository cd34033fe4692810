"""What a server is told about things, in which order, and what a new connection costs."""

import pytest

from siturec_gym.renderers.unrealcv.colors import Paint
from siturec_gym.renderers.unrealcv.mapping import Objects
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.shelves import LostStateError, Shelves

PAINTS = [Paint(1, "P001", ("I0001", "I0002"), (20, 30, 40)), Paint(20_001, "F01", ("F01",), (200, 16, 16))]


@pytest.fixture
def shelves(tiny_scene):
    objects = Objects()
    return Shelves(objects, Names(tiny_scene, objects), PAINTS)


@pytest.fixture
def ready(shelves):
    """Set up whole."""
    shelves.begin()
    shelves.done(len(shelves.pending(1000)))
    shelves.confirm()
    return shelves


def test_the_setup_paints_shows_and_then_does_the_rest(shelves):
    shelves.begin(["SkyLight_0"], ["vset /camera/0/fov 90"])
    assert list(shelves.pending(100)) == [
        "vset /object/I0001/color 20 30 40",
        "vset /object/I0002/color 20 30 40",
        "vset /object/F01/color 200 16 16",
        "vset /object/SkyLight_0/color 0 0 0",
        *(f"vset /object/I000{number}/show" for number in range(1, 7)),
        "vset /camera/0/fov 90",
    ]


def test_the_setup_goes_on_where_it_was(shelves):
    shelves.begin()
    assert shelves.carried_out == 0
    shelves.done(2)
    assert list(shelves.pending(1)) == ["vset /object/F01/color 200 16 16"]
    assert shelves.carried_out == 2


def test_nothing_is_told_before_the_setup_is_done(shelves):
    shelves.begin()
    with pytest.raises(LostStateError):
        shelves.commands()


def test_only_changes_are_told_and_again_until_confirmed(ready):
    ready.show(3, False)
    ready.show(5, False)
    ready.show(5, True)
    for _ in range(2):
        assert ready.commands() == ["vset /object/I0003/hide"]
    ready.confirm()
    assert ready.commands() == []
    ready.show(3, True)
    assert ready.commands() == ["vset /object/I0003/show"]
    assert ready.hidden == frozenset()


def colors_of(answers):
    """The exchange of a connection that tells these colours."""
    asked = []

    def exchange(commands):
        asked.extend(commands)
        return [answers[command.split("/")[2]] for command in commands]

    return exchange, asked


def test_a_new_connection_to_the_same_store_is_told_all_that_was_ever_touched(ready):
    ready.show(3, False)
    ready.show(5, False)
    ready.confirm()
    ready.show(5, True)
    ready.confirm()
    same = {"I0001": "(R=20,G=30,B=40,A=255)", "I0002": "20 30 40", "F01": "200,16,16"}
    exchange, asked = colors_of(same)
    ready.renewed(exchange)
    assert asked == [f"vget /object/{name}/color" for name in ("I0001", "I0002", "F01")]
    assert ready.commands() == ["vset /object/I0003/hide", "vset /object/I0005/show"]


@pytest.mark.parametrize("other", ["I0001", "I0002", "F01"])
def test_one_other_colour_means_another_store(ready, other):
    told = {"I0001": "(R=20,G=30,B=40,A=255)", "I0002": "20 30 40", "F01": "200,16,16"}
    exchange, _ = colors_of(told | {other: "(R=1,G=30,B=40,A=255)"})
    ready.renewed(exchange)
    with pytest.raises(LostStateError):
        ready.commands()
    assert ready.carried_out == 0


def test_what_was_not_yet_painted_is_not_asked_for(shelves):
    shelves.begin()
    exchange, asked = colors_of({"I0001": "0 0 0"})
    shelves.renewed(exchange)
    assert asked == []
    shelves.done(1)
    shelves.renewed(exchange)
    assert asked == ["vget /object/I0001/color"] * 3
    assert shelves.carried_out == 0


def test_an_answer_that_is_no_colour(ready):
    exchange, _ = colors_of({"I0001": "20 30", "I0002": "", "F01": ""})
    with pytest.raises(ValueError, match="expected a colour, got '20 30'"):
        ready.renewed(exchange)


def test_the_colour_of_a_thing(shelves):
    assert shelves.color_of("I0002") == (20, 30, 40)
    assert shelves.color_of("Nobody") == (0, 0, 0)
