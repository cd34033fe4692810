"""``siturec prompts``: what roles that are models are asked."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from siturec_gym.cli import options
from siturec_gym.evaluation.prompt_preview import Preview, previewed, prompt_hash
from siturec_gym.evaluation.recorded_prompt import RecordedTurn, recorded_request
from siturec_gym.evaluation.role_settings import read_settings
from siturec_gym.evaluation.slots import Slot
from siturec_gym.llm.messages import ChatRequest, ImagePart, Part, TextPart
from siturec_gym.llm.roles.context import estimated_tokens
from siturec_gym.llm.roles.sight import size_of

app = typer.Typer(no_args_is_help=True)
_OF_THE_RUN = {"env": "--env", "seed": "--seed", "ablation": "--ablation", "settings": "--set"}


@app.callback()
def group() -> None:
    """What roles that are models are asked.

    Example: siturec prompts show --role assistant --task supermarket/03.2 --turn 4
    """


@dataclass(frozen=True, slots=True)
class Shown:
    """A request and where it belongs.

    Attributes:
        turn: None for a judge, who is asked after the episode.
        prompts: Hash of the role's prompts and settings.
    """

    role: str
    slot: Slot
    turn: int | None
    prompts: str
    request: ChatRequest


@app.command()
def show(
    context: typer.Context,
    role: Annotated[str, typer.Option(help="assistant, user, moderator or judge.")],
    env: Annotated[str, typer.Option(help="Environment id.")] = "SituRec-Supermarket-v0",
    task: Annotated[str | None, typer.Option(help="Id of the task; without one, the first.")] = None,
    turn: Annotated[int, typer.Option(min=0, help="Which turn, from 0; a judge is asked after the last.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the run.")] = 0,
    trial: Annotated[int, typer.Option(min=0, help="Attempt at the task, from 0.")] = 0,
    ablation: Annotated[
        str | None, typer.Option(help="without_egocentric_view or without_view_and_caption: what the assistant lacks.")
    ] = None,
    settings: options.Set = None,
    run: Annotated[Path | None, typer.Option(help="Run folder: the turn of an episode of it, as it was asked.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the schema of the reply.")] = False,
) -> None:
    """Print the whole request of one turn, as a run would send it or sent it, without asking a model.

    The heuristic assistant and the agenda user play the task up to that turn. Pictures are named by size and sha256.
    Use the settings (--set) of the run that you mean; a context length that a run learns from its endpoint is
    --set assistant.context_tokens=N here.

    With --run the recorded actions of an episode are played again, with all settings of the run: it is the request
    that was sent. Where a reply was asked for again, it is the first one of the turn.

    Example: siturec prompts show --role assistant --task supermarket/03.2 --turn 4

    Example: siturec prompts show --role user --env SituRec-HomeFurnishings-v0 --turn 2 --set user.images=0 --json

    Example: siturec prompts show --role user --run runs/qwen --task supermarket/03.2 --trial 1 --turn 4
    """
    if run is None:
        shown = _previewed(Preview(role, env, task, turn, seed, trial, ablation, read_settings(settings or ())))
    else:
        _check_free(context)
        slot, prompts, request = recorded_request(RecordedTurn(run, role, task, turn, trial))
        shown = Shown(role, slot, turn, prompts, request)
    typer.echo(_as_json(shown) if as_json else _as_text(shown))


def _check_free(context: typer.Context) -> None:
    """What a run says itself is not typed besides."""
    for name, word in _OF_THE_RUN.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ValueError(f"--run tells {', '.join(_OF_THE_RUN.values())} itself; leave out {word}")


def _previewed(preview: Preview) -> Shown:
    slot, request = previewed(preview)
    turn = None if preview.role == "judge" else preview.turn
    return Shown(preview.role, slot, turn, prompt_hash(preview), request)


def _as_text(shown: Shown) -> str:
    request = shown.request
    when = "after the episode" if shown.turn is None else f"turn {shown.turn}"
    lines = [f"== {shown.role}, {shown.slot.task}, {when}, prompt {shown.prompts}"]
    for message in request.messages:
        lines += [f"== {message.role}", "".join(map(_told, message.parts))]
    tokens, schema = estimated_tokens(request.messages), len(json.dumps(request.schema))
    lines.append(f"== about {tokens} tokens; the reply's schema has {schema} characters, --json prints it")
    return "\n".join(lines)


def _told(part: Part) -> str:
    if isinstance(part, TextPart):
        return part.text
    image = _image(part)
    return f"[picture {image['width']} x {image['height']}, {image['bytes']} bytes, sha256 {image['sha256'][:16]}]"


def _image(part: ImagePart) -> dict[str, Any]:
    width, height = size_of(part)
    content = hashlib.sha256(part.data).hexdigest()
    return {
        "media_type": part.media_type,
        "width": width,
        "height": height,
        "bytes": len(part.data),
        "sha256": content,
    }


def _as_json(shown: Shown) -> str:
    slot, request = shown.slot, shown.request
    messages = [
        {
            "role": message.role,
            "parts": [
                {"text": part.text} if isinstance(part, TextPart) else {"image": _image(part)} for part in message.parts
            ],
        }
        for message in request.messages
    ]
    content = {
        "role": shown.role,
        "task": slot.task,
        "turn": shown.turn,
        "episode_seed": slot.seed,
        "seed": request.seed,
        "trial": request.trial,
        "prompt_hash": shown.prompts,
        "decoding": asdict(request.decoding),
        "messages": messages,
        "schema": request.schema,
    }
    return json.dumps(content, indent=1)
