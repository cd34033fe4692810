"""Conversation judges by name: "offline", or "llm:MODEL" with a client for the model."""

from collections.abc import Callable

from siturec_gym.judges.judgment import ConversationJudge
from siturec_gym.judges.offline_conversation import OFFLINE, OfflineConversationJudge
from siturec_gym.llm.meter import Meter
from siturec_gym.llm.protocol import ChatClient

LLM_PREFIX = "llm:"


def make_judge(
    name: str, client_of: Callable[[str], ChatClient] | None = None, meter: Meter | None = None
) -> ConversationJudge:
    """The judge of that name.

    Args:
        name: "offline" or "llm:MODEL".
        client_of: Gives the client of a model.
        meter: At what price a model's usage is counted.

    Raises:
        ValueError: There is no such judge.
    """
    if name == OFFLINE:
        return OfflineConversationJudge()
    model = name.removeprefix(LLM_PREFIX)
    if client_of is None or model in (name, ""):
        raise ValueError(f"unknown judge {name!r}; choose {OFFLINE} or {LLM_PREFIX}MODEL")
    from siturec_gym.judges.llm_conversation import LLMConversationJudge  # noqa: PLC0415

    return LLMConversationJudge(client_of(model), meter=meter)
