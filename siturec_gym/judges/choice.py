"""Conversation judges by name: "offline", or "llm:MODEL" and "hf:PATH" with a client for the model."""

from siturec_gym.judges.judgment import ConversationJudge
from siturec_gym.judges.offline_conversation import OFFLINE, OfflineConversationJudge
from siturec_gym.llm.messages import Decoding
from siturec_gym.llm.meter import Meter
from siturec_gym.llm.names import model_name
from siturec_gym.llm.protocol import ChatClient


def make_judge(
    name: str, client: ChatClient | None = None, meter: Meter | None = None, decoding: Decoding | None = None
) -> ConversationJudge:
    """The judge of that name.

    Args:
        name: "offline", "llm:MODEL" or "hf:PATH".
        client: The model, for a judge that is one.
        meter: At what price a model's usage is counted.
        decoding: How a model's replies are drawn; None: as usual for judges.

    Raises:
        ValueError: There is no such judge.
    """
    if name == OFFLINE:
        return OfflineConversationJudge()
    if client is None or model_name(name) is None:
        raise ValueError(f"unknown judge {name!r}; choose {OFFLINE}, llm:MODEL or hf:PATH")
    from siturec_gym.judges.llm_conversation import JUDGE_DECODING, LLMConversationJudge  # noqa: PLC0415

    return LLMConversationJudge(client, decoding or JUDGE_DECODING, meter)
