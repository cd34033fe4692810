"""Judging the episodes of a run without playing them again (S23)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.environments import environment
from siturec_gym.evaluation.judgments import append_judgment, mend_judgments, read_judgments, replace_judgments
from siturec_gym.evaluation.manifest import check_data, config_of
from siturec_gym.evaluation.models import ModelSettings, client_for, facts_of
from siturec_gym.evaluation.role_settings import check_roles_of
from siturec_gym.evaluation.roles import model_settings
from siturec_gym.evaluation.run_store import RunStore, read_episodes, read_manifest
from siturec_gym.evaluation.summary import make_summary
from siturec_gym.evaluation.task_selection import bank_for
from siturec_gym.evaluation.threads import in_threads
from siturec_gym.judges.choice import make_judge
from siturec_gym.judges.judgment import SCORED, ConversationJudge, Judgment
from siturec_gym.judges.transcript import Transcript
from siturec_gym.llm.names import model_name

JUDGE_ROLE = "judge"


@dataclass(frozen=True)
class JudgePlan:
    """A judge and the episodes of a run that it has not scored yet.

    Attributes:
        kept: Judgments that stay: those of other judges, and this one's scores.
        owed: Episodes to be judged.
    """

    judge: ConversationJudge
    env: str
    transcripts: tuple[Transcript, ...]
    kept: tuple[Judgment, ...]
    owed: tuple[Transcript, ...]


def plan_judging(
    folder: Path,
    judge_name: str,
    models: ModelSettings | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    again: bool = False,
) -> JudgePlan:
    """Find what a judge still owes a run.

    Args:
        folder: A run folder; the run may be incomplete.
        judge_name: "offline", "llm:MODEL" or "hf:PATH".
        models: How the model is reached.
        settings: How it is asked, by "judge.NAME".
        again: Whether this judge's scores are to be replaced.

    Raises:
        ValueError: There is no such judge or setting.
        RunError: It scored the run before by another prompt and ``again`` is False, or the store's data have changed.
        ModelError: The model cannot be reached.
    """
    models = models or ModelSettings()
    manifest = read_manifest(folder)
    config = config_of(manifest, folder)
    check_data(manifest, folder)
    judge = _judge(judge_name, models, settings or {})
    transcripts = make_transcripts(config.env, config.tasks, read_episodes(folder))
    present = read_judgments(folder)
    own = [judgment for judgment in present if judgment.judge == judge.name]
    stale = [judgment for judgment in own if judgment.prompt_hash != judge.prompt_hash]
    if stale and not again:
        raise RunError(
            f"'{folder}' was judged by {judge.name} with another prompt ({stale[0].prompt_hash}, now "
            f"{judge.prompt_hash}), and scores of the two do not mix; --again replaces those {len(own)}"
        )
    done = [] if again else [judgment for judgment in own if judgment.status == SCORED]
    scored = {(judgment.task, judgment.trial) for judgment in done}
    owed = tuple(t for t in transcripts if (t.episode.task, t.episode.trial) not in scored)
    kept = tuple(judgment for judgment in present if judgment.judge != judge.name or judgment in done)
    return JudgePlan(judge, config.env, transcripts, kept, owed)


def judge_run(
    planned: JudgePlan,
    folder: Path,
    threads: int = 1,
    on_begin: Callable[[], None] | None = None,
    on_judgment: Callable[[Judgment], None] | None = None,
) -> dict[str, Any]:
    """Judge what is owed; the content of the new ``summary.json``.

    Each judgment is on disk before the next is counted, so an interrupted judge goes on where it was.

    Args:
        planned: From ``plan_judging``.
        folder: The run folder.
        threads: Episodes judged at once; more than one helps a judge that is a model.
        on_begin: Called once the folder can be written, before the first episode is judged.
        on_judgment: Called with each judgment once it is on disk.

    Raises:
        RunError: The folder is in use or cannot be written.
        ModelError: The model's endpoint failed for good.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    store = RunStore.reopen(folder)
    try:
        mend_judgments(folder)
        if list(planned.kept) != read_judgments(folder):
            replace_judgments(folder, planned.kept)
        if on_begin:
            on_begin()
        new = []
        for _, judgment in in_threads(planned.owed, lambda: planned.judge.judge, threads):
            append_judgment(folder, judgment)
            new.append(judgment)
            if on_judgment:
                on_judgment(judgment)
        ordered = _in_order((*planned.kept, *new), planned.transcripts)
        replace_judgments(folder, ordered)
        summary = make_summary(planned.env, [transcript.episode for transcript in planned.transcripts], ordered)
        store.write_summary(summary)
        return summary
    finally:
        store.close()


def make_transcripts(env_id: str, tasks: str, episodes: Sequence[EpisodeRecord]) -> tuple[Transcript, ...]:
    """Episodes with their store, shopper and goal.

    Args:
        env_id: Environment of the run.
        tasks: The run's selection of tasks.
        episodes: What was played.

    Raises:
        DataError: An episode is of a task that the bank does not hold.
    """
    from siturec_gym.scenes import load_scene  # noqa: PLC0415

    scene = load_scene(environment(env_id).scene)
    bank = bank_for(tasks, env_id)
    task_by_id = {task.id: task for task in bank}
    profile_by_id = {profile.id: profile for profile in bank.profiles}
    unknown = [episode.task for episode in episodes if episode.task not in task_by_id]
    if unknown:
        raise DataError(f"task {unknown[0]!r} of the run is not in the task bank of {env_id}")
    return tuple(
        Transcript(episode, scene, profile_by_id[episode.profile_id], task_by_id[episode.task].goal)
        for episode in episodes
    )


def _judge(name: str, models: ModelSettings, settings: Mapping[str, Any]) -> ConversationJudge:
    model = model_name(name)
    check_roles_of(settings, {JUDGE_ROLE: name}, () if model is None else (JUDGE_ROLE,))
    if model is None:
        return make_judge(name)
    decoding = model_settings(JUDGE_ROLE, settings).decoding
    facts_of(models, JUDGE_ROLE, model)
    return make_judge(name, client_for(models, JUDGE_ROLE, model), models.meter(model), decoding)


def _in_order(judgments: Sequence[Judgment], transcripts: Sequence[Transcript]) -> list[Judgment]:
    """By judge in the order of their first word, then as episodes stand."""
    judges = list(dict.fromkeys(judgment.judge for judgment in judgments))
    slots = {(t.episode.task, t.episode.trial): index for index, t in enumerate(transcripts)}
    return sorted(judgments, key=lambda j: (judges.index(j.judge), slots.get((j.task, j.trial), len(slots))))
