"""``siturec prompts``: what roles that are models are asked."""

import hashlib
import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from siturec_gym.cli import options
from siturec_gym.evaluation.prompt_preview import Preview, previewed, prompt_hash
from siturec_gym.evaluation.role_settings import read_settings
from siturec_gym.evaluation.slots import Slot
from siturec_gym.llm.messages import ChatRequest, ImagePart, Part, TextPart
from siturec_gym.llm.roles.context import estimated_tokens
from siturec_gym.llm.roles.sight import size_of

app = typer.Typer(no_args_is_help=True)


@app.callback()
def group() -> None:
    """What roles that are models are asked.

    Example: siturec prompts show --role assistant --task supermarket/03.2 --turn 4
    """


@app.command()
def show(
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the schema of the reply.")] = False,
) -> None:
    """Print the whole request of one turn, as a run would send it, without asking a model.

    The heuristic assistant and the agenda user play the task up to that turn. Pictures are named by size and sha256.
    Use the settings (--set) of the run that you mean; a context length that a run learns from its endpoint is
    --set assistant.context_tokens=N here.

    Example: siturec prompts show --role assistant --task supermarket/03.2 --turn 4

    Example: siturec prompts show --role user --env SituRec-HomeFurnishings-v0 --turn 2 --set user.images=0 --json
    """
    preview = Preview(role, env, task, turn, seed, trial, ablation, read_settings(settings or ()))
    slot, request = previewed(preview)
    told = _as_json(preview, slot, request) if as_json else _as_text(preview, slot, request)
    typer.echo(told)


def _as_text(preview: Preview, slot: Slot, request: ChatRequest) -> str:
    lines = [f"== {preview.role}, {slot.task}, {_when(preview)}, prompt {prompt_hash(preview)}"]
    for message in request.messages:
        lines += [f"== {message.role}", "".join(map(_shown, message.parts))]
    tokens, schema = estimated_tokens(request.messages), len(json.dumps(request.schema))
    lines.append(f"== about {tokens} tokens; the reply's schema has {schema} characters, --json prints it")
    return "\n".join(lines)


def _when(preview: Preview) -> str:
    return "after the episode" if preview.role == "judge" else f"turn {preview.turn}"


def _shown(part: Part) -> str:
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


def _as_json(preview: Preview, slot: Slot, request: ChatRequest) -> str:
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
        "role": preview.role,
        "task": slot.task,
        "turn": None if preview.role == "judge" else preview.turn,
        "episode_seed": slot.seed,
        "seed": request.seed,
        "trial": request.trial,
        "prompt_hash": prompt_hash(preview),
        "decoding": asdict(request.decoding),
        "messages": messages,
        "schema": request.schema,
    }
    return json.dumps(content, indent=1)
