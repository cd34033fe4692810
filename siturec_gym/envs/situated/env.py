"""The situated shopping environment for two agents, in its raw form (SituRecBench, Sections 2 and 3.3)."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.utils import seeding
from numpy.typing import NDArray

from siturec_gym.core.actions import AssistantAction, UserAction
from siturec_gym.core.legality import legal_actions
from siturec_gym.core.policy import Moderator
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.envs.situated.arguments import RENDER_MODES, check_arguments, check_snapshot, chosen_task
from siturec_gym.envs.situated.encoding import ActionCodec
from siturec_gym.envs.situated.masks import Masks
from siturec_gym.envs.situated.narrate import told
from siturec_gym.envs.situated.observe import Observer, Shared, private_texts, public_texts
from siturec_gym.envs.situated.sight import Sight
from siturec_gym.envs.situated.spaces import AGENTS, MAP_SIZE, Vocabularies, action_spaces, observation_spaces
from siturec_gym.envs.situated.state import EpisodeState, Snapshot
from siturec_gym.envs.situated.termination import TURN_LIMIT, failed
from siturec_gym.envs.situated.transition import Transition, view_record
from siturec_gym.envs.situated.turn_order import TurnOrder
from siturec_gym.renderers.interface import Frame, Renderer
from siturec_gym.scenes.layout_map import draw_map
from siturec_gym.scenes.scene import Scene
from siturec_gym.tasks.records import TaskBank
from siturec_gym.world.state import initial_state
from siturec_gym.world.view import View

_ASSISTANT, _USER = AGENTS


class SituatedEnv(TurnOrder):
    """An assistant talks a shopper through a 3D store.

    ## Description
    The agents "assistant" and "user" alternate, the assistant first; one turn is a move of each. The assistant speaks
    and annotates what it means; the user hears the words alone, replies, and makes one tool call, which the world
    executes. Nothing of the user's profile or goal reaches the assistant.

    ## Action Space
    A Dict for each agent (``spaces.action_spaces``); ``encode_action`` turns an action record into an element. A tool
    call that is not legal is refused: the turn is spent idle and the reason is recorded.

    ## Observation Space
    A flat Dict for each agent (``spaces.observation_spaces``). Text holds one JSON object a line.
    ``infos[agent]["action_mask"]`` holds what is legal now.

    ## Rewards
    1 for both agents when the user adds an item to the cart, else 0.

    ## Starting State
    Empty hands and cart at the scene's entrance; the task is ``bank[np_random.integers(len(bank))]``, or
    ``reset(options={"task": id})``.

    ## Episode End
    Terminated: a purchase, three Recommend annotations without one, three movements in a row that got nowhere, or the
    moderator. Truncated: the turn limit, or a role that failed to act. ``infos[agent]["end_reason"]`` names it.

    ## Arguments
    See ``__init__``.

    ## Version History
    v0: first release.
    """

    def __init__(
        self,
        scene: Scene,
        tasks: TaskBank,
        renderer: Renderer,
        *,
        images: bool = True,
        image_size: tuple[int, int] = (320, 240),
        moderator: Moderator | None = None,
        static_observations: bool = True,
        render_mode: str | None = None,
        max_cycles: int = TURN_LIMIT,
    ) -> None:
        """Put the parts together; nothing is rendered yet.

        Args:
            scene: The store.
            tasks: What ``reset`` chooses from.
            renderer: Draws the scene and moves the user; this environment uses it alone.
            images: False leaves every image key out. Marks and results are the same.
            image_size: Width and height of the renderer's pictures.
            moderator: Asked after each turn whether the conversation has ended; None never ends one.
            static_observations: False leaves out what does not change; ``infos`` of reset then hold it.
            render_mode: "human" prints each turn, "rgb_array" gives the user's view from ``render``.
            max_cycles: The turn limit.

        Raises:
            ValueError: A value is outside what is allowed.
        """
        check_arguments(tasks, image_size, render_mode, max_cycles, moderator)
        self._words = Vocabularies(scene)
        size = image_size if images else None
        options: dict[str, Any] = {"turn_limit": max_cycles, "image_size": size, "static": static_observations}
        super().__init__(action_spaces(self._words), observation_spaces(scene, self._words, **options))
        self.metadata = {"name": f"{scene.name}_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": True}
        self.render_mode = render_mode
        self.scene = scene
        self.tasks = tasks
        self._images, self._static = images, static_observations
        self._codec = ActionCodec(self._words)
        self._masks = Masks(self._words)
        self._observer = Observer(scene)
        self._sight = Sight(scene, renderer, self._words.target)
        self._transition = Transition(scene, max_cycles, moderator)
        self._public = public_texts(scene)
        self._profile_by_id = {profile.id: profile for profile in tasks.profiles}
        self._np_random: np.random.Generator | None = None
        self._episode: EpisodeState | None = None

    @property
    def np_random(self) -> np.random.Generator:
        """The generator that chooses tasks."""
        if self._np_random is None:
            self._np_random, _ = seeding.np_random(None)
        return self._np_random

    @property
    def episode(self) -> EpisodeState:
        """The state of the running or last episode. It holds the private goal: for evaluation and tests.

        Raises:
            ValueError: No episode was started yet.
        """
        if self._episode is None:
            raise ValueError("no episode: call reset first")
        return self._episode

    def encode_action(self, agent: str, action: AssistantAction | UserAction) -> dict[str, Any]:
        """The element of ``agent``'s action space that stands for a record; ValueError for another agent's record."""
        if agent == _ASSISTANT and isinstance(action, AssistantAction):
            return self._codec.encode_assistant(action)
        if agent == _USER and isinstance(action, UserAction):
            return self._codec.encode_user(action)
        wanted = "an AssistantAction of 'assistant' or a UserAction of 'user'"
        raise ValueError(f"expected {wanted}, got {type(action).__name__} of {agent!r}")

    def decode_action(self, agent: str, action: Mapping[str, Any]) -> AssistantAction | UserAction:
        """The record that an element of ``agent``'s action space stands for."""
        return self._codec.decode_assistant(action) if agent == _ASSISTANT else self._codec.decode_user(action)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: Seeds the choice of the task; None goes on from where the generator is.
            options: ``{"task": id}`` chooses the task itself.

        Raises:
            ValueError: An unknown option or task.
        """
        task = chosen_task(self.tasks, options or {})
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        if task is None:
            task = self.tasks[int(self.np_random.integers(len(self.tasks)))]
        self._sight.open()
        profile = self._profile_by_id[task.profile_id]
        self._episode = EpisodeState(task, profile, -1 if seed is None else seed, initial_state(self.scene))
        self._begin(AGENTS, _ASSISTANT)
        if not self._static:
            for agent in self.agents:
                self.infos[agent]["static_observations"] = dict(self._static_texts[agent])

    def step(self, action: Any) -> None:
        """Take the selected agent's move: an element of its action space, None for one whose episode is over.

        Raises:
            ValueError: ``action`` is outside the space; the message names the key and nothing has changed.
            RendererError: The renderer failed; nothing has changed.
        """
        if not self.agents:
            raise ValueError("the episode is over: call reset first")
        agent = self.agent_selection
        if self.episode.end is not None:
            self._was_dead_step(action)
        elif agent == _ASSISTANT:
            spoken = self._codec.decode_assistant(action)
            self._episode = self._transition.assistant_speaks(self.episode, spoken, self.view)
            self._after_move(agent, _USER, 0.0)
        else:
            before = self.episode
            replied = self._codec.decode_user(action)
            mover = self._sight.mover(before.world.pose)
            after = self._transition.user_acts(before, replied, self.view, mover)
            self._sight.sighting(after.world)  # a renderer that cannot show it leaves the turn undone
            self._episode = after
            self._after_move(agent, _ASSISTANT, float(len(self.episode.world.cart) - len(before.world.cart)))

    def observe(self, agent: str) -> dict[str, Any]:
        """What ``agent`` sees now."""
        build = self._observer.assistant if agent == _ASSISTANT else self._observer.user
        observation = build(self._shared())
        world = self.episode.world
        if self._images:
            observation["rgb"] = self._sight.frame(world)
            if agent == _ASSISTANT:
                observation["map_image"] = draw_map(self.scene, world.pose, MAP_SIZE)
        if self._static:
            observation.update(self._static_texts[agent])
        return observation

    def fail(self, error: str) -> None:
        """End the episode because a role could not act; the turn underway is dropped.

        Args:
            error: One line for the record.
        """
        self._episode = replace(self.episode, end=failed(error))
        self._after_move(self.agent_selection, _ASSISTANT, 0.0)

    def note(
        self,
        flags: Sequence[str] = (),
        usage: Mapping[str, float] | None = None,
        reward_terms: Mapping[str, float] | None = None,
        reasoning: Mapping[str, str] | None = None,
    ) -> None:
        """Add remarks to the record: reward terms to the last complete turn, all else to the turn underway.

        Amounts of the same name add up; a reward term, or a role's reasoning, is replaced.
        """
        self._episode = self.episode.noted(tuple(flags), usage or {}, reward_terms or {}, reasoning or {})

    def get_state(self) -> Snapshot:
        """An exact copy of the running episode; ``set_state`` of any environment built alike goes on from it.

        Raises:
            ValueError: No episode was started yet.
        """
        episode = self.episode
        rewards = dict(self.rewards), dict(self._cumulative_rewards)
        random_state = copy.deepcopy(dict(self.np_random.bit_generator.state))
        return Snapshot(episode, tuple(self.agents), self.agent_selection, *rewards, random_state)

    def set_state(self, snapshot: Snapshot) -> None:
        """Go back to, or over to, the moment at which ``snapshot`` was taken.

        Raises:
            ValueError: ``snapshot`` is none, or one of another store; nothing has changed.
        """
        check_snapshot(snapshot, self.tasks)
        self._sight.open()
        self._episode = snapshot.episode
        self._begin(snapshot.agents, snapshot.agent_selection)
        self.rewards = dict(snapshot.rewards)
        self._cumulative_rewards = dict(snapshot.cumulative)
        self.np_random.bit_generator.state = copy.deepcopy(snapshot.random_state)

    def episode_record(self, trial: int = 0) -> EpisodeRecord:
        """What is kept of the episode, the private reference set included. Status "running" until it is over."""
        return self.episode.record(trial, view_record(self.view))

    def render(self) -> NDArray[np.uint8] | None:
        """The user's view for "rgb_array"; for "human" the last thing that happened is printed."""
        if self.render_mode == "rgb_array":
            return self._sight.frame(self.episode.world)
        if self.render_mode == "human":
            print(told(self.episode))
        else:
            logger.warn(f"render() needs a render_mode, one of {', '.join(RENDER_MODES)}")
        return None

    def picture(self) -> Frame:
        """RGB, depth and object ids of the user's view, from one pass; kept while the view stays. Do not write to it.

        From the first call on, ``rgb`` observations come from the same passes.
        """
        return self._sight.picture(self.episode.world)

    @property
    def view(self) -> View:
        """What is in view now, by entity ids."""
        return self._sight.sighting(self.episode.world).view

    def close(self) -> None:
        """Close the renderer."""
        self._sight.close()

    def _shared(self) -> Shared:
        """What both roles may know; made of nothing private."""
        episode = self.episode
        sighting = self._sight.sighting(episode.world)
        return Shared(episode.world, sighting, episode.history, episode.turn, len(episode.recommended))

    def _begin(self, agents: Sequence[str], selected: str) -> None:
        super()._begin(agents, selected)
        private = private_texts(self.episode.profile, self.episode.task.goal)
        self._static_texts = {_ASSISTANT: self._public, _USER: private}
        self._look_again()

    def _after_move(self, mover: str, following: str, reward: float) -> None:
        self._moved(mover, following, reward)
        if mover == _USER or self.episode.end is not None:
            self._look_again()
        if self.render_mode == "human":
            self.render()

    def _look_again(self) -> None:
        """Tell the agents how things stand after the world has changed."""
        end = self.episode.end
        legal = None if end is not None else legal_actions(self._observer.actionable(self._shared()))
        self._inform(end, {} if legal is None else self._masks.of(legal))
