"""A store through UnrealCV is the store itself: our server and the real client against the embedded renderer."""

import dataclasses
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, Direction, Tool, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import to_json
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.interface import Frame, Renderer
from siturec_gym.scenes.scene import Scene
from siturec_gym.users import make_user
from siturec_gym.world.motion import NoRouteError

SIZE = (320, 240)
DEPTH_SLACK_M = 0.00001
FACADES = {"supermarket": "siturec_gym.supermarket_v0", "home_furnishings": "siturec_gym.home_furnishings_v0"}


@dataclasses.dataclass(frozen=True)
class Both:
    """One store, embedded and through a server of its own."""

    embedded: Renderer
    unrealcv: Renderer


@pytest.fixture
def both(serve: Any) -> Iterator[Callable[..., Both]]:
    made: list[Both] = []

    def make(scene: Scene, width: int = SIZE[0], height: int = SIZE[1], preset: str = "rl") -> Both:
        served = serve(scene, width, height, preset=preset)
        made.append(
            Both(
                make_renderer("embedded", scene, width, height, preset),
                make_renderer("unrealcv", scene, width, height, preset, socket=served.path),
            )
        )
        return made[-1]

    yield make
    for pair in made:
        pair.embedded.close()
        pair.unrealcv.close()


def views(scene: Scene, count: int, seed: int) -> Iterator[Pose]:
    """Poses at waypoints in every direction, looking up and down too."""
    rng = np.random.default_rng(seed)
    for waypoint in rng.choice(np.array([(point.x, point.y) for point in scene.waypoints]), count):
        yield Pose(*map(float, waypoint), float(rng.uniform(-180, 180)), float(rng.uniform(-60, 60)))


def assert_same(one: Frame, other: Frame) -> None:
    """Equal colours and ids; depth within a hundredth of a millimetre, and infinite at the same pixels."""
    assert np.array_equal(one.rgb, other.rgb)
    assert np.array_equal(one.ids, other.ids)
    hit = np.isfinite(one.depth)
    assert np.array_equal(hit, np.isfinite(other.depth))
    assert np.abs(one.depth[hit] - other.depth[hit]).max() <= DEPTH_SLACK_M


def assert_same_visibility(pair: Both, pose: Pose) -> None:
    one, other = pair.embedded.visibility(pose), pair.unrealcv.visibility(pose)
    assert np.array_equal(one.object_ids, other.object_ids)
    assert np.array_equal(one.pixels, other.pixels)
    assert np.array_equal(one.boxes, other.boxes)


@pytest.mark.parametrize(("width", "height", "preset"), [(320, 240, "rl"), (640, 480, "rl"), (200, 150, "vlm")])
def test_the_same_pictures_from_everywhere(shop, both, width, height, preset):
    pair = both(shop, width, height, preset)
    for pose in views(shop, 12, seed=width):
        assert_same(pair.embedded.render(pose), pair.unrealcv.render(pose))
        assert_same_visibility(pair, pose)


@pytest.mark.long
def test_no_pixel_goes_to_another_item_from_any_viewpoint_or_waypoint(shop, both):
    """Items of a product share a colour; depth tells them apart."""
    pair = both(shop)
    poses = [pose for place in shop.navigation_targets for pose in place.approaches.values()]
    poses += [Pose(point.x, point.y, yaw_deg) for point in shop.waypoints for yaw_deg in (0.0, 90.0, 180.0, -90.0)]
    for pose in poses:
        assert np.array_equal(pair.embedded.render(pose).ids, pair.unrealcv.render(pose).ids)


def test_the_same_pictures_whatever_is_asked_for_first(shop, both):
    """Visibility, then one modality, then another: what was fetched ahead is what would have been drawn."""
    pair = both(shop)
    rng = np.random.default_rng(5)
    for pose in views(shop, 12, seed=9):
        wanted = [("rgb",), ("ids",), ("depth",), ("depth", "ids")][int(rng.integers(4))]
        for renderer in (pair.embedded, pair.unrealcv):
            renderer.set_user_pose(pose)
        if rng.random() < 0.5:
            assert_same_visibility(pair, pose)
        one, other = pair.embedded.capture(wanted), pair.unrealcv.capture(wanted)
        for name in ("rgb", "ids"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        assert_same(pair.embedded.capture(), pair.unrealcv.capture())


def calls(scene: Scene, rng: np.random.Generator) -> Iterator[ToolCall]:
    """One call of each movement of the store, with arguments from their whole range."""
    distance, angle = (lambda: float(rng.uniform(0, 5))), (lambda: float(rng.uniform(0, 180)))
    side = lambda: (Direction.LEFT, Direction.RIGHT)[int(rng.integers(2))]  # noqa: E731
    yield ToolCall(Tool.MOVE_FORWARD, distance_m=distance())
    yield ToolCall(Tool.MOVE_FORWARD, duration_s=distance())
    yield ToolCall(Tool.MOVE_BACKWARD, distance_m=distance())
    yield ToolCall(Tool.SIDE_STEP, direction=side(), distance_m=distance())
    yield ToolCall(Tool.TURN, direction=side(), angle_deg=angle())
    yield ToolCall(Tool.TURN_AND_MOVE, direction=side(), angle_deg=angle(), distance_m=distance())
    yield ToolCall(Tool.MOVE_AND_TURN, direction=side(), angle_deg=angle(), distance_m=distance())
    up = (Direction.UP, Direction.DOWN)[int(rng.integers(2))]
    yield ToolCall(Tool.LOOK_UP_DOWN, direction=up, angle_deg=angle() / 2)
    places = [place for place in scene.navigation_targets if MOVE_OF_KIND[place.kind] in scene.tools]
    for place in rng.choice(np.array([place.id for place in places]), 4):
        target = next(one for one in places if one.id == place)
        ways = [way for way in APPROACHES_OF_MOVE.get(MOVE_OF_KIND[target.kind], ()) if way in target.approaches]
        approach = ways[int(rng.integers(len(ways)))] if ways else None
        yield ToolCall(MOVE_OF_KIND[target.kind], target=target.id, approach=approach)


def test_the_same_pose_after_every_movement(shop, both):
    pair = both(shop)
    rng = np.random.default_rng(3)
    tools = set()
    for start in views(shop, 12, seed=4):
        for renderer in (pair.embedded, pair.unrealcv):
            renderer.set_user_pose(start)
        for call in calls(shop, rng):
            reached = []
            for renderer in (pair.embedded, pair.unrealcv):
                try:
                    reached.append(renderer.execute(call))
                except NoRouteError:
                    reached.append(None)
            assert reached[0] == reached[1], call
            assert pair.embedded.user_pose == pair.unrealcv.user_pose
            tools.add(call.tool)
    assert len(tools) == len([tool for tool in shop.tools if tool.startswith(("move", "turn", "side", "look"))])


def test_held_items_leave_their_shelves_and_come_back(shop, both):
    pair = both(shop)
    pose = next(pose for pose in views(shop, 50, seed=1) if len(pair.embedded.visibility(pose).object_ids) > 8)
    visible = pair.embedded.visibility(pose)
    items = [int(id_) for id_ in visible.object_ids if id_ <= len(shop.instances)]
    hidden = items[::2]
    for id_ in hidden:
        for renderer in (pair.embedded, pair.unrealcv):
            renderer.set_object(id_, visible=False)
    after = pair.unrealcv.render(pose)
    assert not np.isin(after.ids, hidden).any()
    assert_same(pair.embedded.render(pose), after)
    assert_same_visibility(pair, pose)
    for id_ in hidden:
        for renderer in (pair.embedded, pair.unrealcv):
            renderer.set_object(id_, visible=True)
    assert_same(pair.embedded.render(pose), pair.unrealcv.render(pose))
    assert_same_visibility(pair, pose)


def test_a_camera_that_leaves_the_user(shop, both):
    pair = both(shop)
    stand, *looks = views(shop, 4, seed=2)
    for look in looks:
        for renderer in (pair.embedded, pair.unrealcv):
            renderer.set_user_pose(stand)
            renderer.set_camera_pose(look)
            assert (renderer.user_pose, renderer.camera_pose) == (stand, look)
        assert_same(pair.embedded.capture(), pair.unrealcv.capture())
        reached = [one.execute(ToolCall(Tool.MOVE_FORWARD, distance_m=1.0)) for one in (pair.embedded, pair.unrealcv)]
        assert reached[0] == reached[1]
        assert_same(pair.embedded.capture(), pair.unrealcv.capture())


def record(scene: str, task: str, seed: int, assistant: str = "heuristic", **keywords: Any) -> str:
    """An episode as its record is written."""
    env = import_module(FACADES[scene]).env(image_size=SIZE, **keywords)
    try:
        return to_json(play(env, make_assistant(assistant), make_user("agenda"), task, seed))
    finally:
        env.close()


@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize(("assistant", "task", "seed"), [("heuristic", "03.2", 7), ("random", "11.1", 8)])
def test_equal_episodes_for_equal_seeds(shop, serve, images, assistant, task, seed):
    server = {"renderer": "unrealcv", "renderer_config": {"socket": serve(shop, *SIZE).path}}
    task = f"{shop.name}/{task}"
    expected = record(shop.name, task, seed, assistant, images=images)
    assert record(shop.name, task, seed, assistant, images=images, **server) == expected
    assert expected.count('"turn":') > 3


def test_two_episodes_after_each_other_in_one_store(serve, supermarket):
    """What the first leaves behind, an item in a hand or the cart, is back on its shelf."""
    served = serve(supermarket, *SIZE)
    server = {"renderer": "unrealcv", "renderer_config": {"socket": served.path}}
    tasks = [f"supermarket/0{number}.1" for number in range(1, 4)]
    told = [record("supermarket", task, 5, images=False, **server) for task in tasks]
    assert told == [record("supermarket", task, 5, images=False) for task in tasks]


def test_one_environment_plays_episode_after_episode(serve, shop):
    """Through reset, not through closing; observations compared bit by bit."""
    path = serve(shop, *SIZE).path
    module = import_module(FACADES[shop.name])
    envs = [
        module.env(image_size=SIZE, **keywords)
        for keywords in ({}, {"renderer": "unrealcv", "renderer_config": {"socket": path}})
    ]
    for episode in range(3):
        seen = []
        for env in envs:
            env.reset(seed=40 + episode)
            env.action_space("assistant").seed(1)
            env.action_space("user").seed(2)
            seen.append(list(observations(env, 12)))
            assert env.agents or episode >= 0
        for one, other in zip(*seen, strict=True):
            assert one.keys() == other.keys()
            for key in one:
                assert np.array_equal(one[key], other[key]), key
    for env in envs:
        env.close()


def observations(env: Any, steps: int) -> Iterator[dict[str, Any]]:
    for _ in range(steps):
        if not env.agents:
            return
        agent = env.agent_selection
        observation, _, terminated, truncated, info = env.last()
        yield observation
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
