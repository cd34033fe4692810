"""Whether the first request of a run has room in the contexts of its models, found out without asking one."""

from collections.abc import Iterator
from typing import Any

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.core.policy import Observation
from siturec_gym.core.seeding import role_seed
from siturec_gym.evaluation.environments import make_env
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.roles import ACTING, make_assistant_for, make_user_for, model_settings, models_of
from siturec_gym.evaluation.slots import slot_seed
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.scripted import ScriptedClient
from siturec_gym.llm.structured import Asker
from siturec_gym.tasks.records import Task, TaskBank


def check_room(config: RunConfig, task: Task, bank: TaskBank) -> None:
    """Build what the acting roles that are models would be asked in turn 0 of a task. Requests grow from there.

    Nothing is drawn, since pictures are left out where there is no room for them, and no model is asked.

    Args:
        config: The run, with the lengths of contexts that are known; a role without one is passed over.
        task: The first that will be played.
        bank: The tasks that it is from.

    Raises:
        ContextOverflowError: The context of a role's model has no room for the text; one line with role and model.
    """
    names = {role: name for role, name in models_of(config.names).items() if role in ACTING}
    settings = {role: model_settings(role, config.settings) for role in names}
    known = {role: own for role, own in settings.items() if own.context_tokens is not None}
    if not known:
        return
    for role, observation in _first_turn(config, task, bank):
        if role not in known:
            continue
        model = _model(role, config, task, known[role])
        try:
            model.request(observation, model.initial_state(0))
        except ContextOverflowError as error:
            label = names[role].label
            raise ContextOverflowError(f"{role} {label!r} has too small a context for this store: {error}") from error


def _first_turn(config: RunConfig, task: Task, bank: TaskBank) -> Iterator[tuple[str, Observation]]:
    """What the assistant observes in turn 0, and the user after what a scripted assistant says."""
    seed = slot_seed(config.seed, task.id, 0)
    env = make_env(config.env, tasks=bank, ablation=config.ablation)
    env.reset(seed=seed, options={"task": task.id})
    assistant, user = ACTING
    observation = env.last()[0]
    yield assistant, observation
    scripted = make_assistant_for("heuristic", task)
    action, _ = scripted.step(observation, scripted.initial_state(role_seed(seed, assistant)))
    env.step(env.encode_action(assistant, action))
    yield user, env.last()[0]


def _model(role: str, config: RunConfig, task: Task, settings: RoleSettings) -> Any:
    asker = Asker(ScriptedClient(()))
    if role == "assistant":
        return make_assistant_for(config.assistant, task, asker, settings)
    return make_user_for(config.user, asker, settings)
