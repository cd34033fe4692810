"""Movements by the engine: each happens once, whatever becomes of its reply."""

import json
import re

import pytest
from scripted_server import ECHO, Body, ScriptedServer

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.body import Body as UserBody
from siturec_gym.renderers.unrealcv.calls import function_of
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.reading import load_mapping
from siturec_gym.world.motion import NoRouteError

START = Pose(4.0, 1.0, 90.0)
AHEAD = ToolCall("move_forward", distance_m=0.5)


class Engine:
    """A user on an endless floor. ``spoil`` decides what becomes of the reply to each call, by number from 0."""

    def __init__(self, spoil=lambda number: "answered"):
        self.pose = Pose(0.0, 0.0, 0.0)
        self.calls = []
        self.placed = 0
        self.spoil = spoil
        self.server = ScriptedServer(self.answer)

    def answer(self, connection, command):
        if "echo" in command:
            return ECHO
        if command == "vget /object/User/location":
            return axes.location_text((self.pose.x, self.pose.y, 0.0))
        if command == "vget /object/User/rotation":
            return axes.rotation_text(self.pose.yaw_deg, self.pose.pitch_deg)
        if command.startswith("vset /object/User/location "):
            self.placed += 1
            x, y, _ = axes.location_of(command.split(maxsplit=2)[2])
            self.pose = Pose(x, y, self.pose.yaw_deg, self.pose.pitch_deg)
            return "ok"
        if command.startswith("vset /object/User/rotation "):
            self.pose = Pose(self.pose.x, self.pose.y, *axes.rotation_of(command.split(maxsplit=2)[2]))
            return "ok"
        assert command.startswith("vbp User ")
        return self.called(command)

    def called(self, command):
        fate = self.spoil(len(self.calls))
        self.calls.append(command)
        if fate == "lost before":
            return None
        if fate == "refused":
            return self.told(ok=False, refusal="no_route")
        if fate == "stuck":
            return self.told(ok=False, refusal="door is locked")
        self.pose = Pose(self.pose.x, self.pose.y + 0.5, self.pose.yaw_deg, self.pose.pitch_deg)
        return {
            "answered": self.told(),
            "lost after": None,
            "late": Body(self.told(), after_s=0.5),
            "garbled": self.told()[:-9],
            "error": "error out of memory",
        }[fate]

    def told(self, ok=True, refusal=None):
        numbers = axes.pose_text((self.pose.x, self.pose.y, 1.6), self.pose.yaw_deg, self.pose.pitch_deg).split()
        return f'{{"pose": [{", ".join(numbers)}], {json.dumps({"ok": ok, "refusal": refusal})[1:]}'


@pytest.fixture
def playing(tiny_scene):
    """Puts a body before an engine: ``playing(engine, changes of the mapping)``."""
    engines, links = [], []

    def start(engine, lost=lambda: False, **changes):
        content = load_mapping("ours").model_dump()
        content["connection"] |= {"reply_timeout_s": 0.3, "action_timeout_s": 0.3, "attempts": 4}
        for field, value in changes.items():
            content[field] |= value
        mapping = Mapping.model_validate(content)
        bodies = []
        link = Link(engine.server.endpoint, mapping.connection, lambda exchange: bodies[0].forget())
        bodies.append(UserBody(mapping, Names(tiny_scene, mapping.objects), link))
        engines.append(engine)
        links.append(link)
        return lambda call=AHEAD, start=START: bodies[0].execute(start, call, lost)

    yield start
    for link in links:
        link.close()
    for engine in engines:
        engine.server.close()


def test_the_user_is_put_where_it_should_be_and_then_moves(playing):
    engine = Engine()
    move = playing(engine)
    assert move() == Pose(4.0, 1.5, 90.0)
    assert engine.calls == ["vbp User move_forward 50"]
    assert engine.placed == 1


def test_a_user_who_is_there_is_not_put_there_again(playing):
    engine = Engine()
    move = playing(engine)
    move()
    assert move(start=Pose(4.0, 1.5, 90.0)) == Pose(4.0, 2.0, 90.0)
    assert engine.placed == 1


@pytest.mark.parametrize("fate", ["lost after", "late", "garbled", "error"])
def test_a_movement_that_happened_is_not_repeated(playing, fate):
    engine = Engine(lambda number: fate if number == 0 else "answered")
    assert playing(engine)() == Pose(4.0, 1.5, 90.0)
    assert len(engine.calls) == 1


def test_a_movement_that_did_not_happen_is_repeated(playing):
    engine = Engine(lambda number: "lost before" if number < 2 else "answered")
    assert playing(engine)() == Pose(4.0, 1.5, 90.0)
    assert len(engine.calls) == 3


def test_a_movement_that_never_happens_is_a_renderer_error(playing):
    engine = Engine(lambda number: "lost before")
    with pytest.raises(RendererError, match=r"no whole reply to 'vbp User move_forward 50'.*\(tried 4 times\)"):
        playing(engine)()
    assert len(engine.calls) == 4


def test_a_store_that_was_lost_is_no_movement(playing):
    """A new engine puts its user somewhere; that is not where the movement led."""
    lost = []
    engine = Engine(lambda number: "lost after" if number == 0 else "answered")
    move = playing(engine, lost=lambda: bool(lost) and lost.pop())
    original = engine.called

    def restarts(command):
        if not engine.calls:
            engine.calls.append(command)
            engine.pose = Pose(30.0, 30.0, 0.0)
            lost.append(True)
            return None
        return original(command)

    engine.called = restarts
    assert move() == Pose(4.0, 1.5, 90.0)
    assert len(engine.calls) == 2


def test_a_movement_from_elsewhere_does_not_count(playing):
    """Somebody pushed the user after it was put down: it is put down again and moves again."""
    engine = Engine()
    original, pushes = engine.answer, []

    def pushed(connection, command):
        if command.startswith("vget /object/User/location") and len(pushes) < 4:
            pushes.append(command)
            if len(pushes) == 2:  # the first look checks the placing, the second goes with the movement
                engine.pose = Pose(4.3, 1.0, 90.0)
        return original(connection, command)

    engine.server._answer = pushed
    assert playing(engine)() == Pose(4.0, 1.5, 90.0)
    assert engine.placed == 2


def test_no_way_is_told_as_such(playing):
    with pytest.raises(NoRouteError):
        playing(Engine(lambda number: "refused"))(ToolCall("move_to_fixture", target="F01", approach="front"))


def test_another_refusal_is_a_renderer_error(playing):
    with pytest.raises(RendererError, match="refuses 'vbp User move_forward 50': door is locked"):
        playing(Engine(lambda number: "stuck"))()


def test_a_tool_without_a_function_names_the_field():
    ours = load_mapping("ours")
    mapping = ours.model_copy(update={"tools": {name: value for name, value in ours.tools.items() if name != "turn"}})
    with pytest.raises(RendererError, match=r"the mapping has no function for turn: add tools\.turn"):
        function_of(ToolCall("turn"), mapping)


@pytest.mark.parametrize(
    ("call", "arguments", "words"),
    [
        (ToolCall("move_forward", distance_m=0.29), ["distance_cm"], "29"),
        (ToolCall("move_forward", distance_m=0.29), ["distance_m"], "0.29"),
        (ToolCall("move_forward", duration_s=1.5), ["distance_cm"], "150"),
        (ToolCall("move_forward", distance_m=2.0), ["duration_s", "=fast"], "2 fast"),
        (ToolCall("turn", direction="left", angle_deg=30.0), ["signed_angle_deg"], "-30"),
        (ToolCall("turn", direction="right", angle_deg=30.0), ["signed_angle_deg"], "30"),
        (ToolCall("look_up_down", direction="down", angle_deg=12.5), ["direction", "angle_deg"], "down 12.5"),
        (ToolCall("look_up_down", direction="up", angle_deg=12.5), ["signed_angle_deg"], "12.5"),
        (ToolCall("move_to_fixture", target="F02", approach="back"), ["approach", "target"], "back F02"),
    ],
)
def test_arguments_in_the_order_and_units_of_the_mapping(playing, call, arguments, words):
    engine = Engine()
    playing(engine, tools={call.tool: {"function": "Do", "arguments": arguments}})(call)
    assert engine.calls == [f"vbp User Do {words}"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (ToolCall("move_forward"), "move_forward needs distance_m or duration_s"),
        (ToolCall("turn", direction="left"), "turn needs angle_deg"),
        (ToolCall("move_to_area"), "move_to_area needs target"),
    ],
)
def test_a_call_without_its_arguments_is_the_callers_mistake(playing, call, message):
    engine = Engine()
    with pytest.raises(ValueError, match=message):
        playing(engine)(call)
    assert engine.calls == []


def test_an_engine_that_answers_nothing_is_asked_until_the_user_stands(playing):
    engine = Engine()
    walked = iter([0.1, 0.25, 0.4, 0.5])

    def walking(connection, command):
        if re.match(r"vget /object/User/location", command) and engine.calls:
            engine.pose = Pose(4.0, 1.0 + next(walked, 0.5), 90.0)
        return original(connection, command)

    def starts(command):
        engine.calls.append(command)
        return "ok"

    original, engine.called = engine.answer, starts
    engine.server._answer = walking
    move = playing(
        engine,
        tools={"move_forward": {"function": "Walk", "arguments": ["distance_cm"], "result": "pose"}},
        user={"settle_s": 0.01, "tolerance_m": 0.001},
        connection={"action_timeout_s": 5.0},
    )
    assert move() == Pose(4.0, 1.5, 90.0)


def test_a_user_who_never_stands_still_is_a_renderer_error(playing):
    engine = Engine()
    original, steps = engine.answer, []

    def walking(connection, command):
        steps.append(1)
        engine.pose = Pose(4.0, 1.0 + 0.1 * len(steps), 90.0) if engine.calls else engine.pose
        return original(connection, command)

    engine.server._answer = walking
    move = playing(
        engine,
        tools={"move_forward": {"function": "Walk", "arguments": [], "result": "pose"}},
        user={"settle_s": 0.01},
    )
    with pytest.raises(RendererError, match="the user is still moving"):
        move()
