"""A tiny hand-made store, small enough to check every distance by hand."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from siturec_gym.catalog import Appearance, Catalog, Product
from siturec_gym.core.actions import SUPERMARKET_TOOLS, Approach, AssistantAction, ToolCall, UserAction
from siturec_gym.core.pose import Pose, bearing_deg, distance_m
from siturec_gym.scenes.scene import Instance, Place, Scene, Structure, Waypoint

pytest_plugins = ("vllm_fixtures",)

# The same examples each time, and no failure for a machine that is busy with something else.
settings.register_profile("project", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

PRODUCTS = (
    ("P001", "Alder Whole Milk 1 L", "dairy", "milk", ("whole", "fresh"), 1.49, "carton"),
    ("P002", "Alder Lactose-Free Milk 1 L", "dairy", "milk", ("lactose-free", "fresh"), 1.99, "carton"),
    ("P003", "Brook Oat Drink 1 L", "dairy", "milk", ("vegan", "lactose-free"), 2.29, "carton"),
    ("P004", "Cedar Tomato Soup 400 g", "pantry", "soup", ("vegan",), 2.49, "can"),
    ("P005", "Cedar Chicken Soup 400 g", "pantry", "soup", (), 2.79, "can"),
)
# id, product, fixture, x, y, z, yaw, side
INSTANCES = (
    ("I0001", "P001", "F01", 3.6, 2.4, 1.0, -90.0, "front"),
    ("I0002", "P001", "F01", 3.7, 2.4, 1.0, -90.0, "front"),
    ("I0003", "P002", "F01", 4.0, 2.4, 1.0, -90.0, "front"),
    ("I0004", "P003", "F01", 4.4, 2.6, 1.0, 90.0, "back"),
    ("I0005", "P004", "F02", 7.6, 2.0, 1.0, 180.0, "front"),
    ("I0006", "P005", "F02", 7.6, 2.3, 1.0, 180.0, "front"),
)


def _product(index: int) -> Product:
    id_, name, department, category, tags, price, shape = PRODUCTS[index]
    details: dict[str, Any] = {
        "brand": name.split()[0],
        "size": " ".join(name.split()[-2:]),
        "flavour": "",
        "packaging": shape,
        "allergens": ["milk"] if "whole" in tags else [],
        "nutrition": {"energy_kcal": 60.0, "fat_g": 3.0, "sugar_g": 5.0, "protein_g": 3.0, "salt_g": 0.1},
        "storage": "shelf",
    }
    appearance = Appearance(shape, (0.08, 0.08, 0.2), ("#ffffff", "#3366aa"))
    color = (10 + index, 100, 200 - index)
    return Product(id_, name, department, category, tags, price, color, appearance, details)


def _instance(index: int) -> Instance:
    id_, product, fixture, x, y, z, yaw, side = INSTANCES[index]
    return Instance(id_, index + 1, product, fixture, (x, y, z), yaw, side, 1)


def _fixtures() -> tuple[Place, ...]:
    shelf = Place(
        id="F01", name="Milk Shelf", kind="fixture", form="shelf", object_id=20_001, segmentation_color=(200, 10, 10),
        center_m=(4.0, 2.5), yaw_deg=-90.0, size_m=(2.0, 0.6, 1.8), levels_m=(0.2, 1.0),
        approaches={Approach.FRONT: Pose(4.0, 1.0, 90.0), Approach.BACK: Pose(4.0, 4.0, -90.0)},
        product_ids=("P001", "P002", "P003"), sign="Milk",
    )  # fmt: skip
    wall_shelf = Place(
        id="F02", name="Soup Shelf", kind="fixture", form="shelf", object_id=20_002, segmentation_color=(10, 200, 10),
        center_m=(7.7, 2.5), yaw_deg=180.0, size_m=(2.0, 0.6, 1.8), levels_m=(0.2, 1.0),
        approaches={Approach.FRONT: Pose(6.2, 2.5, 0.0)}, product_ids=("P004", "P005"), sign="Soup",
    )  # fmt: skip
    return shelf, wall_shelf


def _structures() -> tuple[Structure, ...]:
    return (
        Structure("X01", "floor", 30_001, (1, 1, 1), (0.0, 0.0, -0.1, 8.0, 5.0, 0.0), False),
        Structure("X02", "wall", 30_002, (2, 2, 2), (-0.2, -0.2, 0.0, 0.0, 5.2, 3.0), True),
        Structure("X03", "pillar", 30_003, (3, 3, 3), (1.2, 3.8, 0.0, 1.6, 4.2, 3.0), True),
        Structure("X04", "sign", 30_004, (4, 4, 4), (3.5, 2.4, 2.3, 4.5, 2.6, 2.7), False, "Milk"),
    )


def _waypoints() -> tuple[Waypoint, ...]:
    return (
        Waypoint("W01", 1.5, 1.0, ("W02", "W04")),
        Waypoint("W02", 6.0, 1.0, ("W01", "W03")),
        Waypoint("W03", 6.0, 4.0, ("W02", "W04")),
        Waypoint("W04", 2.2, 4.0, ("W01", "W03")),
    )


@pytest.fixture(scope="session")
def tiny_scene() -> Scene:
    """A room of 8 x 5 m: "Milk Shelf" (x 3..5, y 2.2..2.8, front south, back north) and "Soup Shelf" on the east
    wall (x 7.4..8, y 1.5..3.5, front west), a pillar (x 1.2..1.6, y 3.8..4.2), four waypoints in a ring."""
    return Scene(
        name="tiny",
        title="Tiny Store",
        catalog=Catalog(_product(index) for index in range(len(PRODUCTS))),
        instances=tuple(_instance(index) for index in range(len(INSTANCES))),
        navigation_targets=_fixtures(),
        waypoints=_waypoints(),
        structures=_structures(),
        bounds_m=(0.0, 0.0, 8.0, 5.0),
        start_pose=Pose(1.0, 1.0, 0.0),
        tools=SUPERMARKET_TOOLS,
        fingerprint="tiny",
    )


class FlatRenderer:
    """Sees by geometry alone: whatever lies within 90 degrees of view, nothing hides anything. Fast and exact."""

    def __init__(self, scene: Scene, width: int = 32, height: int = 24) -> None:
        from siturec_gym.world.motion import Motion

        self.scene, self.motion, self.size = scene, Motion(scene), (height, width)
        self.pose = scene.start_pose
        self.hidden: set[int] = set()
        self.passes = self.captures = 0

    def connect(self) -> None:
        pass

    def close(self) -> None:
        pass

    @property
    def user_pose(self) -> Pose:
        return self.pose

    @property
    def camera_pose(self) -> Pose:
        return self.pose

    def set_user_pose(self, pose: Pose) -> None:
        self.pose = pose

    def set_camera_pose(self, pose: Pose) -> None:
        self.pose = pose

    def execute(self, primitive: Any) -> Pose:
        self.pose = self.motion.execute(self.pose, primitive)
        return self.pose

    def objects(self) -> dict[int, Any]:
        return {}

    def set_object(self, object_id: int, *, visible: bool) -> None:
        (self.hidden.discard if visible else self.hidden.add)(object_id)

    def capture(self, modalities: Any = ("rgb", "depth", "ids")) -> Any:
        from siturec_gym.renderers.interface import Frame

        self.captures += 1
        seed = int(self.pose.x * 7 + self.pose.y * 13 + self.pose.yaw_deg) % 200 + len(self.hidden)
        rgb = (np.arange(self.size[0] * self.size[1] * 3) + seed).astype(np.uint8).reshape(*self.size, 3)
        depth = np.full(self.size, 3.0, np.float32) if "depth" in modalities else None
        return Frame(rgb, depth, np.zeros(self.size, np.uint16) if "ids" in modalities else None)

    def render(self, pose: Pose) -> Any:
        self.pose = pose
        return self.capture()

    def visibility(self, pose: Pose) -> Any:
        from siturec_gym.renderers.interface import Visibility

        self.passes += 1
        objects = [(i.object_id, *i.position_m[:2]) for i in self.scene.instances if i.object_id not in self.hidden]
        objects += [(fixture.object_id, *fixture.center_m) for fixture in self.scene.navigation_targets]
        rows = []
        for object_id, x, y in sorted(objects):
            bearing, distance = bearing_deg(pose, x, y), distance_m(pose, x, y)
            if abs(bearing) < 45.0:
                centre, half = 0.5 - bearing / 90.0, min(0.05, 0.1 / max(distance, 0.1))
                box = (max(0.0, centre - half), 0.4, min(1.0, centre + half), 0.6)
                rows.append((object_id, int(1 + 600 / max(distance, 0.3)), box))
        ids, pixels, boxes = zip(*rows, strict=True) if rows else ((), (), ())
        return Visibility(
            np.array(ids, np.uint16), np.array(pixels, np.int32), np.array(boxes, np.float32).reshape(-1, 4)
        )


@pytest.fixture
def flat_renderer(tiny_scene: Scene) -> FlatRenderer:
    return FlatRenderer(tiny_scene)


@pytest.fixture(scope="session")
def make_flat_renderer() -> type[FlatRenderer]:
    return FlatRenderer


def _tiny_task(number: int, target: str) -> Any:
    from siturec_gym.tasks.records import Goal, Task

    goal = Goal(
        request="I need something for breakfast.",
        category="milk",
        use="breakfast",
        required_labels=("milk",),
        unwanted_labels=(),
        soft_labels=(),
        needs={"milk": "milk"},
        budget=3.0,
        budget_tier="moderate",
        disclosure=("category", "use", "budget", "unwanted", "needs"),
        acceptance={"substitutes": True, "explanations": 0, "rejection": "reason"},
    )
    return Task(f"tiny/01.{number}", "tiny/01", goal, target, (target,))


@pytest.fixture(scope="session")
def tiny_bank() -> Any:
    """One shopper with four tasks, "tiny/01.1" to "tiny/01.4"."""
    from siturec_gym.tasks.records import InteractionSettings, Profile, TaskBank

    settings = InteractionSettings("decisive", "medium", "low", "low", "high", 0.9, "medium")
    profile = Profile(
        "tiny/01", "A test shopper.", "home", ("price",), {"housing": "flat"}, {"openness": "low"}, settings
    )
    tasks = tuple(_tiny_task(number, target) for number, target in enumerate(("P001", "P002", "P003", "P004"), 1))
    return TaskBank("tiny", (profile,), tasks)


CANARY = "CANARY"


def _planted(kind: type, counter: list[int], **given: Any) -> Any:
    """An instance of a private record with a canary in every field not given."""
    shapes = {
        "tuple[str, ...]": lambda word: (word,),
        "dict[str, str]": lambda word: {word: word},
        "dict[str, Any]": lambda word: {word: word},
    }
    values = dict(given)
    for field in dataclasses.fields(kind):
        if field.name not in values:
            counter[0] += 1
            word = f"{CANARY}{counter[0]}"
            values[field.name] = shapes.get(str(field.type), lambda word: word)(word)
    return kind(**values)


@pytest.fixture(scope="session")
def plant_canaries() -> Callable[..., Any]:
    """Builds a bank of one task whose every private field holds a canary; numbers are ones that occur nowhere else."""
    from siturec_gym.tasks.records import Goal, InteractionSettings, Profile, Task, TaskBank

    def build(scene: str, **task_fields: Any) -> TaskBank:
        count = [0]
        settings = _planted(InteractionSettings, count, navigation_following=0.987123)
        profile = _planted(Profile, count, settings=settings)
        goal = _planted(Goal, count, budget=987124.0)
        task = _planted(Task, count, goal=goal, profile_id=profile.id, **task_fields)
        assert count[0] >= 20 - len(task_fields)
        return TaskBank(scene, (profile,), (task,))

    return build


def _texts(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_texts(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return " ".join(_texts(part) for part in value)
    if isinstance(value, np.ndarray):
        return value.tobytes().decode("latin-1") + " " + repr(value.tolist())
    return value if isinstance(value, str) else repr(value)


@pytest.fixture(scope="session")
def texts_of() -> Callable[[Any], str]:
    """Everything in a nested value as one text, arrays as their bytes and numbers."""
    return _texts


@pytest.fixture(scope="session")
def play_turn() -> Callable[..., None]:
    """Plays one turn: the assistant's action (a plain greeting by default), then the user's call."""

    def play(
        env: Any, call: ToolCall | None = None, action: AssistantAction | None = None, reply: str = "Okay."
    ) -> None:
        said = action or AssistantAction("Hello there!", "Greet", ToolCall("idle"))
        env.step(env.encode_action("assistant", said))
        env.step(env.encode_action("user", UserAction(reply, call or ToolCall("idle"))))

    return play


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """The folder of a tiny model with random weights, "text" or "vision"; needs torch and transformers."""
    made: dict[str, Any] = {}

    def folder(kind: str) -> Any:
        if kind not in made:
            import tiny_models
            import torchvision_ops  # noqa: F401  before torchvision is looked for

            made[kind] = tmp_path_factory.mktemp("models") / kind
            tiny_models.MAKERS[kind](made[kind])
        return made[kind]

    return folder
