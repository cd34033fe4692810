"""Each role points at things by handles of its own, and may not say them (SituRecBench, Section 3.3)."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from siturec_gym.core.actions import AssistantAction, UserAction
from siturec_gym.core.text import NAME_LIMIT, REASON_LIMIT, UTTERANCE_LIMIT
from siturec_gym.envs.situated.spaces import MAP_SIZE
from siturec_gym.scenes.layout_map import draw_map
from siturec_gym.world.view import View
from siturec_gym.wrappers.ablations import PLACE_INDEX, WithoutViewAndCaption
from siturec_gym.wrappers.base import SituatedWrapper, wraps
from siturec_gym.wrappers.role_view import RoleStore, RoleView, with_targets
from siturec_gym.wrappers.spoken_handles import SpokenHandles

SPOKE_HANDLE = {"assistant": "assistant_spoke_handle", "user": "user_spoke_handle"}
_ASSISTANT, _USER = "assistant", "user"
_KEPT_VIEWS = 256
_STATIC = "static_observations"
_PLACE_TEXTS = frozenset(("location_index", PLACE_INDEX))


class RoleHandles(SituatedWrapper):
    """Entity ids leave the roles' views: marks, targets, places and the map go by the role's own handles.

    Handles of places are fixed, those of products are numbered anew in each view (``core.handles``). Product ids of
    the catalog stay what they are in catalog, location index, recommendation and ranking. A handle, or a catalog id,
    that a role says aloud is masked for the other side and flagged in the record of the turn.

    Before: marks, targets, navigation goals and waypoints name entity ids, the same for both roles.
    After: the same spaces; code n of ``target`` is the n-th place for small n, then the n-th product in view.

    Args:
        env: Anything up to an ablation wrapper.
        spoken: False lets roles say handles.

    Example:
        >>> from siturec_gym.supermarket_v0 import raw_env
        >>> from siturec_gym.core.text import parse_lines
        >>> env = RoleHandles(raw_env(images=False))
        >>> env.reset(options={"task": "supermarket/01.1"})
        >>> [parse_lines(env.observe(role)["marks"])[0]["handle"] for role in ("assistant", "user")]
        ['1', 'AA']
    """

    STAGE = "RoleHandles"

    def __init__(self, env: Any, *, spoken: bool = True) -> None:
        super().__init__(env)
        scene = env.scene
        blind = wraps(env, WithoutViewAndCaption) is not None
        self._stores = {
            role: RoleStore(role, scene, sees_products=not (blind and role == _ASSISTANT))
            for role in env.possible_agents
        }
        catalog = frozenset(product.id for product in scene.catalog)
        self._speech = {role: SpokenHandles(role, catalog) for role in env.possible_agents} if spoken else {}
        self._views: OrderedDict[tuple[str, int], tuple[Any, RoleView]] = OrderedDict()
        self._world: Any = None
        self._seen: dict[str, RoleView] = {}
        self._marks: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._texts: dict[str, tuple[str, str]] = {}

    def encode_action(self, agent: str, action: AssistantAction | UserAction) -> dict[str, Any]:
        """The element of ``agent``'s action space that stands for a record in its own handles."""
        codec = self._stores[agent].codec
        if agent == _ASSISTANT and isinstance(action, AssistantAction):
            return codec.encode_assistant(action)
        if agent == _USER and isinstance(action, UserAction):
            return codec.encode_user(action)
        encoded: dict[str, Any] = self.env.encode_action(agent, action)  # says what was expected
        return encoded

    def decode_action(self, agent: str, action: Mapping[str, Any]) -> AssistantAction | UserAction:
        """The record, in ``agent``'s own handles, that an element of its action space stands for."""
        codec = self._stores[agent].codec
        return codec.decode_assistant(action) if agent == _ASSISTANT else codec.decode_user(action)

    def own_action(self, agent: str, action: Mapping[str, Any]) -> dict[str, Any]:
        """An element of the raw environment's action space, as records have it, in ``agent``'s handles of this view."""
        if agent == _ASSISTANT:
            return {**action, "expected_user_action": self._own_call(agent, action["expected_user_action"])}
        return self._own_call(agent, action)

    def _own_call(self, agent: str, call: Mapping[str, Any]) -> dict[str, Any]:
        return {**call, "target": int(self._view(agent).own_code[call["target"]])}

    def step(self, action: Any) -> None:
        """Take the selected agent's move; a handle said in it is masked and noted in the record of the turn."""
        agent = self._raw.agent_selection
        if not isinstance(action, Mapping) or self._raw.terminations[agent] or self._raw.truncations[agent]:
            self.env.step(action)
            return
        inner, spoke = self._silenced(agent, self._action(agent, action))
        flags = (SPOKE_HANDLE[agent],) if spoke else ()
        if flags and agent == _USER:
            self.env.decode_action(agent, inner)  # refuses what is malformed before anything is noted
            self.env.note(flags=flags)
        self.env.step(inner)
        if flags and agent == _ASSISTANT:
            self.env.note(flags=flags)

    def _observation(self, agent: str, observation: dict[str, Any]) -> dict[str, Any]:
        store, view = self._stores[agent], self._view(agent)
        marks, array = observation["marks"], observation["marks_array"]
        observation["marks"] = _kept(self._marks, (agent, marks), lambda: view.marks(marks))
        array[:, 1] = view.own_code[array[:, 1].astype(np.intp)]
        for key in _PLACE_TEXTS & observation.keys():
            observation[key] = self._own_text(key, observation[key])
        if "map_image" in observation:
            observation["map_image"] = draw_map(store.map_scene, self._raw.view.pose, MAP_SIZE)
        return observation

    def _action(self, agent: str, action: Mapping[str, Any]) -> dict[str, Any]:
        view = self._view(agent)
        if agent == _USER:
            return {**action, "target": view.raw_target(action["target"])} if "target" in action else dict(action)
        expected = action.get("expected_user_action")
        if not isinstance(expected, Mapping) or "target" not in expected:
            return dict(action)
        return {**action, "expected_user_action": {**expected, "target": view.raw_target(expected["target"])}}

    def _info(self, agent: str, info: Mapping[str, Any]) -> dict[str, Any]:
        told, view = dict(info), self._view(agent)
        if "action_mask" in info:
            mask = info["action_mask"]
            if agent == _ASSISTANT:
                mask = {**mask, "expected_user_action": with_targets(mask["expected_user_action"], view)}
            else:
                mask = with_targets(mask, view)
            told["action_mask"] = mask
        if _STATIC in info:
            told[_STATIC] = {
                key: self._own_text(key, text) if key in _PLACE_TEXTS else text for key, text in info[_STATIC].items()
            }
        return told

    def _view(self, agent: str) -> RoleView:
        """What is in view now, in the handles of ``agent``."""
        world = self._raw.episode.world
        if world is not self._world:
            self._world, view = world, self._raw.view
            self._seen = {
                role: _kept(self._views, (role, id(view)), partial(_seen, store, view))[1]
                for role, store in self._stores.items()
            }
        return self._seen[agent]

    def _own_text(self, key: str, raw: str) -> str:
        """A static text of the assistant by its own handles."""
        if key not in self._texts or self._texts[key][0] is not raw:
            self._texts[key] = raw, self._stores[_ASSISTANT].text(raw)
        return self._texts[key][1]

    def _silenced(self, agent: str, action: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """The action with every handle that would be heard masked, and whether there was one."""
        if not self._speech:
            return action, False
        speech, known = self._speech[agent], self._stores[agent].known(self._view(agent))
        said = action.get("utterance")
        if not isinstance(said, str):
            return action, False
        if said.strip() or agent == _USER:
            text = speech.masked(said, known, UTTERANCE_LIMIT)
            return {**action, "utterance": text}, text != said
        return _silenced_recommendation(action, lambda text, limit: speech.masked(text, known, limit))


def _silenced_recommendation(action: dict[str, Any], masked: Callable[[str, int], str]) -> tuple[dict[str, Any], bool]:
    """A silent action is worded from its recommendation, so that is where a handle could hide."""
    given = action.get("recommendation")
    if not isinstance(given, Mapping):
        return action, False
    limits = {"display_name": NAME_LIMIT, "reason": REASON_LIMIT}
    texts = {key: given[key] for key in limits if isinstance(given.get(key), str)}
    cleaned = {key: masked(text, limits[key]) for key, text in texts.items()}
    return {**action, "recommendation": {**given, **cleaned}}, cleaned != texts


def _seen(store: RoleStore, view: View) -> tuple[View, RoleView]:
    return view, store.view(view)  # the view is kept too, so that its identity stays its own


def _kept(memory: OrderedDict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    if key not in memory:
        memory[key] = make()
        if len(memory) > _KEPT_VIEWS:
            memory.popitem(last=False)
    return memory[key]
