"""Replies of a model in this process held to a JSON schema, token by token."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from siturec_gym.core.errors import DeterministicModelError

_END_OF_REASONING = ("</think>", "</thinking>", "</reasoning>")
_LONGEST_END = 12
"""Tokens within which the end of reasoning is looked for."""
_QUOTED = 200


class ReplyGrammar:
    """Makes guides for replies, one for each; what they know of the tokenizer is worked out once.

    Args:
        tokenizer: A fast tokenizer of transformers.
        vocabulary: Entries of the model's output, which may be more than the tokenizer's.
        end_tokens: Tokens that end a reply.

    Raises:
        DeterministicModelError: The package llguidance is not installed, or the tokenizer is not a fast one.
    """

    def __init__(self, tokenizer: Any, vocabulary: int, end_tokens: Sequence[int]) -> None:
        try:
            import llguidance.hf  # noqa: PLC0415  an extra
        except ImportError as error:
            raise DeterministicModelError(
                "replies in a form need the package llguidance: pip install 'siturec-gym[hf]'"
            ) from error
        self._library = llguidance
        self._tokenizer = tokenizer
        try:
            self._tokens = llguidance.hf.from_tokenizer(tokenizer, n_vocab=vocabulary, eos_token=list(end_tokens))
        except ValueError as error:
            raise DeterministicModelError(f"replies in a form need a fast tokenizer: {error}") from error

    def guide(self, schema: Mapping[str, Any], prompt_tokens: int, *, reasons_first: bool) -> "Guide":
        """What keeps one reply to ``schema``; transformers calls it before each token.

        Args:
            schema: A JSON schema.
            prompt_tokens: Tokens before the reply.
            reasons_first: Whether the prompt opened a block of reasoning, so that the form begins after its end.

        Raises:
            DeterministicModelError: The schema has features that cannot be held to.
        """
        matcher = self._library.LLMatcher
        try:
            grammar = matcher.grammar_from_json_schema(dict(schema), overrides={"whitespace_flexible": False})
        except ValueError as error:
            raise _not_held(error) from error
        made = matcher(self._tokens, grammar, log_level=0)
        if made.is_error():
            raise _not_held(made.get_error())
        return Guide(made, self._tokenizer, prompt_tokens, reasons_first=reasons_first)


class Guide:
    """Lets only those tokens through that lead to a reply of the form. Serves one reply."""

    def __init__(self, matcher: Any, tokenizer: Any, prompt_tokens: int, *, reasons_first: bool) -> None:
        self._matcher = matcher
        self._tokenizer = tokenizer
        self._read = prompt_tokens
        self._reasons = reasons_first

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores with those of forbidden tokens at minus infinity.

        Args:
            input_ids: (1, tokens so far), the prompt's included.
            scores: (1, vocabulary).
        """
        ids = input_ids[0].tolist()
        if self._reasons:
            recent = self._tokenizer.decode(ids[max(self._read, len(ids) - _LONGEST_END) :])
            self._reasons = not any(end in recent for end in _END_OF_REASONING)
            if self._reasons:
                return scores
        else:
            self._matcher.consume_tokens(ids[self._read :])
        self._read = len(ids)
        return scores.masked_fill(self._forbidden(scores), float("-inf"))

    def _forbidden(self, scores: Any) -> Any:
        allowed = np.frombuffer(self._matcher.compute_logit_bias(), np.uint8) > 0
        forbidden = np.ones(scores.shape[-1], bool)
        forbidden[: len(allowed)] = ~allowed[: len(forbidden)]
        return scores.new_tensor(forbidden).bool()


def _not_held(problem: object) -> DeterministicModelError:
    words = " ".join(str(problem).split())[:_QUOTED]
    return DeterministicModelError(f"a reply cannot be held to its schema: {words}")
