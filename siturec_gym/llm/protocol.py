"""What every chat client is."""

from typing import Protocol

from siturec_gym.llm.messages import ChatReply, ChatRequest


class ChatClient(Protocol):
    """Sends requests to one model. Clients may be used by several threads at once."""

    @property
    def model(self) -> str:
        """Name of the model, as results carry it."""
        ...

    def complete(self, request: ChatRequest) -> ChatReply:
        """The model's reply.

        Raises:
            TransientModelError: No answer after every retry.
            DeterministicModelError: The endpoint refuses the request.
            ContextOverflowError: The request is longer than the context.
            ReplyError: What came back is no reply.
        """
        ...
