"""Messages, decoding settings and usage as values."""

import pytest

from siturec_gym.llm import Decoding, ImagePart, Message, TextPart, Usage


def test_a_message_keeps_texts_and_images_in_order():
    message = Message.of("user", "one", ImagePart(b"x", "image/jpeg"), "two")
    assert message.parts == (TextPart("one"), ImagePart(b"x", "image/jpeg"), TextPart("two"))
    assert message.text == "onetwo"
    assert message.parts[1].url == "data:image/jpeg;base64,eA=="


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"temperature": -0.1}, "temperature must be from 0 to 2, got -0.1"),
        ({"top_p": 0.0}, "top_p must be above 0 and at most 1, got 0.0"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        (
            {"extra": {"top_k": 1, "messages": [], "seed": 1}},
            "extra must not hold messages, seed: that is set otherwise",
        ),
    ],
)
def test_decoding_settings_out_of_range_are_one_line(settings, message):
    with pytest.raises(ValueError, match=message):
        Decoding(**settings)


def test_usage_adds_up_and_tells_what_is_not_nothing():
    total = Usage(requests=1, prompt_tokens=5) + Usage(cache_hits=2, cost_usd=0.5)
    assert total.counts() == {"requests": 1, "cache_hits": 2, "prompt_tokens": 5, "cost_usd": 0.5}
