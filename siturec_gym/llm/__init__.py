"""Chat with language models: the protocol, its clients, structured replies and a cache on disk."""

from siturec_gym.llm.messages import ChatReply, ChatRequest, Decoding, ImagePart, Message, TextPart, Usage
from siturec_gym.llm.protocol import ChatClient
from siturec_gym.llm.scripted import ScriptedClient

__all__ = [
    "ChatClient",
    "ChatReply",
    "ChatRequest",
    "Decoding",
    "ImagePart",
    "Message",
    "ScriptedClient",
    "TextPart",
    "Usage",
]
