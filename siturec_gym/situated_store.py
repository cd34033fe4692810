"""A store ready to play: where raw environment, renderer, tasks, moderator, wrappers and user are put together.

The facades (``supermarket_v0``, ``home_furnishings_v0``) are this with a shipped scene; a scene of your own needs no
more than a folder of data files and a line: ``SituatedStore(Path("museum"))``.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from pettingzoo.utils.conversions import aec_to_parallel
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from siturec_gym.core.policy import Moderator, UserPolicy
from siturec_gym.envs.situated.arguments import check_image_size
from siturec_gym.envs.situated.env import SituatedEnv
from siturec_gym.envs.situated.termination import TURN_LIMIT
from siturec_gym.scenes import Scene, load_scene, load_scene_folder
from siturec_gym.tasks import TaskBank, resolve_tasks
from siturec_gym.wrappers import GymnasiumForm
from siturec_gym.wrappers.compose import compose


class SituatedStore:
    """The four forms of one store's environment.

    Args:
        scene: Name of a shipped scene, the folder of a scene of your own (read when an environment is first made), or
            a scene.
        tasks: What "bank" means; None takes the shipped bank, or that of the folder.
        renderer_config: What ``raw_env`` takes where it is not told; {"light": "plain"} where no light was baked.
    """

    def __init__(
        self,
        scene: str | Path | Scene,
        tasks: TaskBank | None = None,
        renderer_config: Mapping[str, Any] | None = None,
    ) -> None:
        self._source = scene
        self._tasks = tasks
        self._renderer_config = dict(renderer_config or {})

    @cached_property
    def scene(self) -> Scene:
        """The store at rest."""
        if isinstance(self._source, Scene):
            return self._source
        return load_scene(self._source) if isinstance(self._source, str) else load_scene_folder(self._source)

    def _bank(self, tasks: str | TaskBank) -> TaskBank:
        if tasks == "bank" and self._tasks is not None:
            return self._tasks
        return resolve_tasks(self.scene.name if isinstance(self._source, Scene) else self._source, tasks)

    def raw_env(
        self,
        *,
        renderer: str = "embedded",
        renderer_config: Mapping[str, Any] | str | Path | None = None,
        image_size: tuple[int, int] = (320, 240),
        preset: str = "rl",
        images: bool = True,
        tasks: str | TaskBank = "bank",
        moderator: str | Moderator | None = "rules",
        static_observations: bool = True,
        render_mode: str | None = None,
        max_cycles: int = TURN_LIMIT,
    ) -> SituatedEnv:
        """The two-agent environment without wrappers.

        Args:
            renderer: Name of the renderer.
            renderer_config: Further keywords of that renderer, or the mapping file of "unrealcv"; None for the store's
                own.
            image_size: Width and height of ``rgb``.
            preset: "rl" (fast) or "vlm" (smoother).
            images: False leaves image keys out; results are the same.
            tasks: "bank" (the store's own, 100 in a shipped one), "train" (built from other seeds and profiles), a file
                of tasks, or a bank.
            moderator: "rules", "none", None, or a callable that judges whether the conversation has ended.
            static_observations: False gives what never changes in reset's infos only.
            render_mode: "human" (text) or "rgb_array".
            max_cycles: The turn limit.

        Raises:
            ValueError: An unknown name or a value outside its range.
        """
        from siturec_gym.renderers import make_renderer  # noqa: PLC0415  numba loads only when something is drawn

        bank, config = self._bank(tasks), self._config_of(renderer, renderer_config)
        check_image_size(image_size)
        width, height = image_size
        return SituatedEnv(
            self.scene,
            bank,
            make_renderer(renderer, self.scene, width, height, preset, **config),
            images=images,
            image_size=image_size,
            moderator=_moderator(moderator) if isinstance(moderator, str) else moderator,
            static_observations=static_observations,
            render_mode=render_mode,
            max_cycles=max_cycles,
        )

    def _config_of(self, renderer: str, given: Mapping[str, Any] | str | Path | None) -> Mapping[str, Any]:
        if given is None:
            return self._renderer_config if renderer == "embedded" else {}
        if isinstance(given, str | Path):
            return {"mapping": given}
        if not isinstance(given, Mapping):
            raise ValueError(f"renderer_config: expected settings by name or a mapping file, got {given!r}")
        return given

    def env(
        self,
        *,
        reward_weights: Mapping[str, float] | None = None,
        reward_mode: str = "scalar",
        reward_gamma: float = 0.99,
        ablation: str | None = None,
        record_to: str | Path | None = None,
        som: bool = True,
        handles: bool = True,
        **keywords: Any,
    ) -> OrderEnforcingWrapper[str, Any, Any]:
        """The composed two-agent environment: each role with pictures and handles of its own, rewards by terms.

        Args:
            reward_weights: Weights of the reward's terms; None: 1 for the outcome, 0.01 for a turn.
            reward_mode: "scalar", "vector" (one entry for each weight) or "shaping" (with potentials).
            reward_gamma: The learner's discount factor, for shaping.
            ablation: "without_egocentric_view", "without_view_and_caption" or None.
            record_to: A folder that every finished episode is written to.
            som: Whether roles get ``som_image``; without images there is none either way.
            handles: Whether each role has handles of its own; False leaves entity ids.
            keywords: Those of ``raw_env``.

        Raises:
            ValueError: An unknown name, a value outside its range, or images too small for marks.
        """
        return compose(
            self.raw_env(**keywords),
            reward_weights=reward_weights,
            reward_mode=reward_mode,
            reward_gamma=reward_gamma,
            ablation=ablation,
            record_to=record_to,
            som=som,
            handles=handles,
        )

    def parallel_env(self, **keywords: Any) -> Any:
        """The composed environment in PettingZoo's parallel form; the user answers the turn before."""
        return aec_to_parallel(self.env(**keywords))

    def gym_env(
        self,
        *,
        user: str | UserPolicy = "agenda",
        user_config: Mapping[str, Any] | None = None,
        **keywords: Any,
    ) -> GymnasiumForm:
        """The Gymnasium form of it: the assistant acts, the simulated user lives inside.

        Args:
            user: A name ("agenda", "llm:MODEL", "hf:PATH") or a policy.
            user_config: Keywords of the user that has the name, such as ``base_url`` of a model.
            keywords: Those of ``env``.

        Raises:
            ValueError: ``user`` is neither, or a policy that comes with ``user_config``, or that is no mapping of what
                the user takes.
            ModelError: A user that is a model cannot be asked; one line with its address.
        """
        named = isinstance(user_config, Mapping) and all(isinstance(name, str) for name in user_config)
        if user_config is not None and not named:
            raise ValueError(f"user_config takes keywords such as {{'base_url': ...}}, got {user_config!r}")
        if user_config and not isinstance(user, str):
            raise ValueError(
                f"user_config is for a user chosen by name, not beside a policy; got {sorted(user_config)}"
            )
        from siturec_gym.users import make_user  # noqa: PLC0415  its vocabulary takes time that other forms must not pay

        policy = make_user(user, **(user_config or {})) if isinstance(user, str) else user
        if isinstance(user, str):
            _look_at(user, (user_config or {}).get("base_url"))
        return GymnasiumForm(self.env(**keywords), policy)


def _look_at(user: str, base_url: str | None) -> None:
    """Ask a user's model once, so that one which does not answer is found before an episode begins."""
    from siturec_gym.llm.clients import look_at  # noqa: PLC0415  only users that are models need it
    from siturec_gym.llm.endpoint import Endpoint, usual_url  # noqa: PLC0415
    from siturec_gym.llm.names import model_name  # noqa: PLC0415

    if model := model_name(user):
        look_at(model, Endpoint(base_url or usual_url()))


def _moderator(name: str) -> Moderator | None:
    from siturec_gym.judges.moderator import make_moderator  # noqa: PLC0415

    return make_moderator(name)
