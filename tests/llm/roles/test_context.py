"""Room in the context: the oldest pictures go first, text never."""

import numpy as np
import pytest

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.llm.messages import Decoding, ImagePart, Message, TextPart
from siturec_gym.llm.roles.context import LEFT_OUT, estimated_tokens, fitted, without_oldest_image
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.sight import png

PICTURES = [png(np.full((560, 560, 3), shade, np.uint8)) for shade in (1, 2, 3)]  # 20 x 20 patches and 2 tokens each


def conversation(words=240):
    first, second, third = PICTURES
    return (
        Message.of("system", "x" * words),
        Message.of("user", "history", "one:", first, "two:", second, "three:", third, "now"),
    )


def pictures(messages):
    return [part for message in messages for part in message.parts if isinstance(part, ImagePart)]


def settings(context, reply=1000):
    return RoleSettings(context_tokens=context, decoding=Decoding(max_tokens=reply))


def test_text_counts_by_its_length_and_pictures_by_their_area():
    assert estimated_tokens([Message.of("user", "x" * 240)]) == 8 + 100
    assert estimated_tokens([Message.of("user", PICTURES[0])]) == 8 + 402
    assert estimated_tokens([Message.of("user", png(np.zeros((29, 56, 3), np.uint8)))]) == 8 + 2 * 2 + 2


def test_the_estimate_is_no_lower_than_what_a_catalogue_takes():
    """Qwen's tokenizer takes a token for about 2.4 characters of the Supermarket's catalogue."""
    assert estimated_tokens([Message.of("user", "x" * 33_548)]) >= 13_900


@pytest.mark.parametrize(("context", "left"), [(None, 3), (2400, 3), (2300, 2), (1900, 1), (1500, 0)])
def test_the_oldest_pictures_go_until_the_rest_fits(context, left):
    kept = fitted(conversation(), settings(context))
    assert pictures(kept) == PICTURES[3 - left :]
    assert "".join(message.text for message in kept).count(LEFT_OUT) == 3 - left
    assert kept[1].text.replace(LEFT_OUT, "") == "historyone:two:three:now"


def test_text_alone_that_does_not_fit_is_an_overflow_that_says_how_much():
    with pytest.raises(
        ContextOverflowError, match=r"about 1\d\d\d tokens without pictures; a context of 1500 leaves 500"
    ):
        fitted(conversation(words=2400), settings(1500))


def test_a_reply_without_a_limit_takes_no_room():
    assert fitted(conversation(), settings(1400, None)) == conversation()


def test_pictures_go_one_by_one_and_leave_a_note():
    messages = conversation()
    for left in (2, 1, 0):
        messages = without_oldest_image(messages)
        assert len(pictures(messages)) == left
    assert messages[1].parts[2] == TextPart(LEFT_OUT)
    assert without_oldest_image(messages) is None
