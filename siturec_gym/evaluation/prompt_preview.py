"""What a role that is a model would be asked in a turn: scripted roles play up to it, and no model is needed.

The request is the one that a run with the same seed, settings and history sends, byte for byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.environments import task_bank
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.judging import make_transcripts
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.player import environment_for
from siturec_gym.evaluation.prompt_watch import ANY_MODEL, PromptWatch, prompt_hash_of
from siturec_gym.evaluation.roles import make_assistant_for, make_user_for, model_settings
from siturec_gym.evaluation.slots import Slot, slot_seed
from siturec_gym.evaluation.task_selection import select_tasks
from siturec_gym.judges.moderator import rule_moderator
from siturec_gym.llm.messages import ChatRequest
from siturec_gym.llm.scripted import ScriptedClient
from siturec_gym.tasks.records import Task

ROLES = ("assistant", "user", "moderator", "judge")
_SCRIPTED = {"assistant": "heuristic", "user": "agenda", "moderator": "rules"}


@dataclass(frozen=True, slots=True)
class Preview:
    """Which request is wanted.

    Attributes:
        role: One of ``ROLES``.
        env: Environment id.
        task: Id of the task, the scene's name may be left out; None for the first of the bank.
        turn: Number of the turn, from 0; a judge is asked once, after the episode.
        seed: Seed of the run.
        trial: Attempt at the task.
        ablation: What the assistant goes without.
        settings: How models play, by "ROLE.NAME".
    """

    role: str
    env: str
    task: str | None = None
    turn: int = 0
    seed: int = 0
    trial: int = 0
    ablation: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def previewed(preview: Preview) -> tuple[Slot, ChatRequest]:
    """The episode that was played and the request of the turn.

    Args:
        preview: Which request.

    Raises:
        ValueError: There is no such role, environment, task or setting, or the role is not asked in that turn.
        ContextOverflowError: The text is longer than the context that the settings tell.
    """
    if preview.role not in ROLES:
        raise ValueError(f"unknown role {preview.role!r}; choose from {', '.join(ROLES)}")
    bank = task_bank(preview.env)
    tasks = bank.tasks[:1] if preview.task is None else select_tasks(preview.task, bank)
    if len(tasks) != 1:
        raise ValueError(f"--task takes the id of one task, such as {bank.tasks[0].id}; got {preview.task!r}")
    slot = Slot(tasks[0].id, preview.trial, slot_seed(preview.seed, tasks[0].id, preview.trial))
    return slot, _request(preview, slot, tasks[0])


def _request(preview: Preview, slot: Slot, task: Task) -> ChatRequest:
    names = {role: ANY_MODEL if role == preview.role else name for role, name in _SCRIPTED.items()}
    acting = names["assistant"], names["user"], names["moderator"]
    config = RunConfig(preview.env, *acting, ablation=preview.ablation, settings=dict(preview.settings))
    settings = model_settings(preview.role, preview.settings)
    watch = PromptWatch(preview.role, preview.turn, slot, settings, rule_moderator)
    env = environment_for(config, task_bank(preview.env), watch.moderator)
    assistant = watch.beside("assistant", make_assistant_for(_SCRIPTED["assistant"], task), task)
    user = watch.beside("user", make_user_for(_SCRIPTED["user"]), task)
    record = play(env, assistant, user, slot.task, slot.seed, slot.trial)
    if preview.role == "judge":
        return _judged(preview, record)
    request = watch.seen()
    if request is None:
        raise ValueError(
            f"the {preview.role} is not asked in turn {preview.turn}: the scripted episode of {slot.task} with this "
            f"seed has the turns 0 to {len(record.turns) - 1} and ends by {record.end_reason}"
        )
    return request


def prompt_hash(preview: Preview) -> str:
    """The hash of the role's prompts and settings, as manifests and judgments carry it."""
    if preview.role == "judge":
        from siturec_gym.judges.llm_conversation import describe  # noqa: PLC0415

        return str(describe(model_settings("judge", preview.settings).decoding)["prompt_hash"])
    return prompt_hash_of(preview.role, preview.settings)


def _judged(preview: Preview, record: EpisodeRecord) -> ChatRequest:
    from siturec_gym.judges.llm_conversation import LLMConversationJudge  # noqa: PLC0415

    (transcript,) = make_transcripts(preview.env, ":", [record])
    decoding = model_settings("judge", preview.settings).decoding
    return LLMConversationJudge(ScriptedClient(()), decoding).request(transcript)
