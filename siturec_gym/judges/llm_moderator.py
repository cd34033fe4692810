"""The moderator in its LLM form (SituRecBench, B.3(4); S24): a yes or no after each exchange."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import JudgeError, ModelError, ReplyError
from siturec_gym.core.policy import ModeratorQuery, Verdict
from siturec_gym.llm.messages import ChatReply, ChatRequest, Decoding, Message
from siturec_gym.llm.reasoning import last_reasoning
from siturec_gym.llm.roles.history import told_entry
from siturec_gym.llm.roles.text import quoted
from siturec_gym.llm.structured import Asker, json_schema, parse_model
from siturec_gym.llm.templates import Templates

MODERATOR_DECODING = Decoding(temperature=0.0, max_tokens=512)
QUESTION_FORM = 2
"""Goes up whenever the same exchange is told in other words."""
_TEMPLATES = ("moderator_system", "moderator")
_PROMPTS = Templates(Path(__file__).resolve().parent / "prompts")
_ARGUMENTS = ("direction", "angle_deg", "distance_m", "duration_s", "approach")


class ModeratorReply(BaseModel):
    """What the model is asked to answer."""

    reason: str = Field(max_length=300)
    over: Literal["yes", "no"]


def build_messages(query: ModeratorQuery) -> tuple[Message, ...]:
    """The first seam: what the model reads."""
    earlier = query.history[:-2]
    asked = _PROMPTS.filled(
        "moderator",
        history="\n".join(told_entry(entry, "Assistant", "Shopper") for entry in earlier) or "(nothing before)",
        assistant=quoted(query.assistant_utterance),
        user=quoted(query.user_utterance),
        action=_call(query.call, query.history),
    )
    return Message.of("system", _PROMPTS.filled("moderator_system")), Message.of("user", asked)


def parse_reply(text: str) -> bool:
    """The second seam: whether the conversation is over.

    Raises:
        ValueError: The reply is not in the form asked for; one line that says why.
    """
    return parse_model(text, ModeratorReply).over == "yes"


class LLMModerator:
    """Asks a model after each exchange.

    A reply that does not parse is asked for twice more; if none does, the episode goes on, and the usage counts the
    question as unanswered.

    Args:
        asker: The model and where its usage is counted.
        seed: Seed of the episode.
        trial: Attempt at the task.
        decoding: How replies are drawn.
    """

    def __init__(self, asker: Asker, seed: int = 0, trial: int = 0, decoding: Decoding = MODERATOR_DECODING) -> None:
        self._asker = asker
        self._seed, self._trial = seed, trial
        self._decoding = decoding
        self._schema = json_schema(ModeratorReply)

    def __call__(self, query: ModeratorQuery) -> Verdict:
        """Whether the conversation is over, and what the model thought before it said so.

        Raises:
            JudgeError: The model gave no answer at all; its cause is the model's failure.
        """
        heard: list[ChatReply] = []
        try:
            over = self._asker.ask(self.request(query), parse_reply, heard.append)
        except ReplyError:
            over = False
        except ModelError as error:
            raise JudgeError(f"the moderator gave no verdict: {error}") from error
        return Verdict(over, last_reasoning(heard))

    def request(self, query: ModeratorQuery) -> ChatRequest:
        """What the model is asked after an exchange."""
        return ChatRequest(build_messages(query), self._decoding, self._schema, self._seed, self._trial)


def describe(decoding: Decoding = MODERATOR_DECODING) -> dict[str, Any]:
    """What a manifest says of this moderator."""
    schema = json_schema(ModeratorReply)
    settings = asdict(decoding) | {"form": QUESTION_FORM}
    return {"decoding": asdict(decoding), "prompt_hash": _PROMPTS.hash(_TEMPLATES, schema, settings)}


def _call(call: ToolCall, history: tuple[dict[str, Any], ...]) -> str:
    given = [f"{getattr(call, name)}" for name in _ARGUMENTS if getattr(call, name) is not None]
    target = history[-1].get("target_name") if history else None
    return " ".join((call.tool, *given, *((target,) if target else ())))
