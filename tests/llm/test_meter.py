"""Counting tokens and money."""

import pytest

from siturec_gym.core.errors import DataError
from siturec_gym.llm.messages import Usage
from siturec_gym.llm.meter import Meter, Price, by_role, dollars, labelled, read_prices


def test_a_reading_takes_what_was_used_since_the_last():
    meter = Meter(Price(prompt=2.0, completion=10.0))
    meter.add(Usage(requests=1, prompt_tokens=1000, completion_tokens=100))
    meter.add(Usage(cache_hits=1))
    assert meter.take() == Usage(1, 1, 1000, 100, cost_usd=pytest.approx(0.003))
    assert meter.take() == Usage()


def test_what_has_no_price_is_counted_as_such():
    meter = Meter()
    meter.add(Usage(requests=2, prompt_tokens=5))
    assert meter.take() == Usage(requests=2, prompt_tokens=5, unpriced=2)


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0.0, "$0.00"),
        (1234.5, "$1,234.50"),
        (0.01, "$0.01"),
        (0.0042, "$0.0042"),
        (1.84e-05, "$0.000018"),
        (1e-8, "$0.00000001"),
        (1e-12, "<$0.00000001"),
    ],
)
def test_small_amounts_are_readable(amount, words):
    assert dollars(amount) == words


def test_labels_and_roles_are_inverse():
    usage = labelled("assistant", Usage(requests=1, prompt_tokens=5)) | labelled("user", Usage(cache_hits=2))
    assert usage == {"assistant_requests": 1, "assistant_prompt_tokens": 5, "user_cache_hits": 2}
    assert by_role(usage) == {"assistant": {"requests": 1, "prompt_tokens": 5}, "user": {"cache_hits": 2}}


def test_names_are_heard_once_and_taken():
    meter = Meter()
    for name in ("tiny-2", "tiny", "", "tiny"):
        meter.heard(name)
    assert meter.take_names() == ("tiny", "tiny-2")
    assert meter.take_names() == ()


def test_prices_come_from_a_file(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text('{"tiny": {"prompt": 1, "completion": 2.5}}')
    assert read_prices(path) == {"tiny": Price(prompt=1.0, completion=2.5)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"tiny": {"prompt": -1, "completion": 1}}', r"tiny\.prompt: .* greater than or equal to 0"),
        ('{"tiny": {"prompt": 1, "completion": 1e400}}', r"tiny\.completion: .* finite"),
        ('{"tiny": {"prompt": NaN, "completion": 1}}', r"tiny\.prompt: .* finite"),
        ("[]", r"prices\.json': it must hold an object such as \{\"MODEL\""),
        ("3", "it must hold an object"),
        ("{", "cannot be read"),
    ],
)
def test_a_wrong_price_file_is_one_clear_line(tmp_path, content, message):
    path = tmp_path / "prices.json"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        read_prices(path)
