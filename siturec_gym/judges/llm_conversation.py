"""The conversation judge in its LLM form (SituRecBench, 3.4 and C.1; S23): seven anchored scales of 1 to 5."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from siturec_gym.core.errors import ContextOverflowError, ReplyError
from siturec_gym.judges.judgment import DIMENSIONS, SCORED, UNSCORED, Judgment
from siturec_gym.judges.transcript import RECORD_FORM, Transcript
from siturec_gym.llm.messages import ChatReply, ChatRequest, Decoding, Message
from siturec_gym.llm.meter import Meter
from siturec_gym.llm.names import chosen_by
from siturec_gym.llm.protocol import ChatClient
from siturec_gym.llm.reasoning import last_reasoning
from siturec_gym.llm.structured import Asker, json_schema, parse_model
from siturec_gym.llm.templates import Templates

JUDGE_DECODING = Decoding(temperature=0.0, max_tokens=2048)
Score = Literal[1, 2, 3, 4, 5]
_TEMPLATES = ("conversation_system", "conversation")
_PROMPTS = Templates(Path(__file__).resolve().parent / "prompts")


class ConversationReply(BaseModel):
    """What the model is asked to answer. The reasons come first, so that the scores follow from them."""

    rationale: str = Field(max_length=800)
    informativeness: Score
    naturalness: Score
    groundedness: Score
    preference_alignment: Score
    proactiveness: Score
    non_repetition: Score
    overall_satisfaction: Score


def build_messages(transcript: Transcript) -> tuple[Message, ...]:
    """The first seam: what the model reads. The scales come first, so that endpoints can reuse them."""
    record = _PROMPTS.filled(
        "conversation",
        store=transcript.scene.title,
        shopper=transcript.shopper(),
        evidence=transcript.evidence(),
        dialogue=transcript.dialogue(),
        ending=transcript.ending(),
    )
    return Message.of("system", _PROMPTS.filled("conversation_system")), Message.of("user", record)


def parse_reply(text: str) -> tuple[dict[str, int], str]:
    """The second seam: scores by dimension and the rationale.

    Raises:
        ValueError: The reply is not in the form asked for; one line that says why.
    """
    reply = parse_model(text, ConversationReply).model_dump()
    return {name: int(reply[_field(name)]) for name in DIMENSIONS}, str(reply["rationale"])


class LLMConversationJudge:
    """Asks a model. A reply that does not parse is asked for twice more; then the episode is unscored.

    Args:
        client: The model.
        decoding: How replies are drawn; part of the prompt hash.
        meter: At what price usage is counted; each judgment tells its own.
    """

    def __init__(self, client: ChatClient, decoding: Decoding = JUDGE_DECODING, meter: Meter | None = None) -> None:
        self._client = client
        self._decoding = decoding
        self._meter = meter or Meter()
        self._schema = json_schema(ConversationReply)

    @property
    def name(self) -> str:
        """The name it is chosen by, such as "llm:MODEL"."""
        return chosen_by(self._client.model)

    @cached_property
    def prompt_hash(self) -> str:
        """Over both templates, the form of the record, the reply's schema and the decoding settings."""
        return _hash(self._decoding)

    def request(self, transcript: Transcript) -> ChatRequest:
        """What the model is asked about an episode."""
        messages, episode = build_messages(transcript), transcript.episode
        return ChatRequest(messages, self._decoding, self._schema, seed=episode.seed, trial=episode.trial)

    def judge(self, transcript: Transcript) -> Judgment:
        """Scores of an episode; unscored where no reply parses or the record is longer than the context.

        Raises:
            TransientModelError: The endpoint cannot be reached.
            DeterministicModelError: It refuses.
        """
        episode = transcript.episode
        meter = Meter(self._meter.price)
        heard: list[ChatReply] = []
        scores: Mapping[str, int] = {}
        reason, comment = None, ""
        try:
            scores, comment = Asker(self._client, meter).ask(self.request(transcript), parse_reply, heard.append)
        except (ReplyError, ContextOverflowError) as error:
            reason = f"{error.kind}: {error}"
        return Judgment(
            task=episode.task,
            trial=episode.trial,
            judge=self.name,
            prompt_hash=self.prompt_hash,
            status=UNSCORED if reason else SCORED,
            reason=reason,
            scores=scores,
            comment=comment,
            usage=meter.take().counts(),
            reasoning=last_reasoning(heard),
        )


def describe(decoding: Decoding = JUDGE_DECODING) -> dict[str, Any]:
    """What a manifest or a summary says of this judge."""
    return {"decoding": asdict(decoding), "prompt_hash": _hash(decoding)}


def _hash(decoding: Decoding) -> str:
    settings = asdict(decoding) | {"form": RECORD_FORM}
    return _PROMPTS.hash(_TEMPLATES, json_schema(ConversationReply), settings)


def _field(dimension: str) -> str:
    return dimension.lower().replace(" ", "_").replace("-", "_")
