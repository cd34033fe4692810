"""A client without a model: it answers by a script, for tests and benchmarks."""

import threading
import time
from collections.abc import Callable, Iterable

from siturec_gym.core.errors import TransientModelError
from siturec_gym.llm.messages import ChatReply, ChatRequest, Usage

Answer = str | ChatReply | Exception


class ScriptedClient:
    """Gives its answers one after the other, or those of a function of the request. An exception is raised.

    Args:
        answers: Answers in order, or a function from the request to an answer.
        model: Name of the model it stands for.
        latency_s: Seconds that every answer takes.
    """

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[ChatRequest], Answer],
        model: str = "scripted",
        latency_s: float = 0.0,
    ) -> None:
        self._answer = answers if callable(answers) else _in_order(answers)
        self._model = model
        self._latency_s = latency_s
        self._lock = threading.Lock()
        self.requests: list[ChatRequest] = []

    @property
    def model(self) -> str:
        """The name it was given."""
        return self._model

    def complete(self, request: ChatRequest) -> ChatReply:
        """The next answer.

        Raises:
            TransientModelError: The script is over.
        """
        time.sleep(self._latency_s)
        with self._lock:
            self.requests.append(request)
            answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, ChatReply) else ChatReply(answer, usage=_usage(request, answer))


def _in_order(answers: Iterable[Answer]) -> Callable[[ChatRequest], Answer]:
    remaining = iter(answers)
    return lambda _: next(remaining, TransientModelError("the script has no answer left"))


def _usage(request: ChatRequest, answer: str) -> Usage:
    """A word counts as a token."""
    prompt = sum(len(message.text.split()) for message in request.messages)
    return Usage(requests=1, prompt_tokens=prompt, completion_tokens=len(answer.split()))
