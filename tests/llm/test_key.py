"""A key is read from the environment, checked, and shown nowhere."""

import pytest

from siturec_gym.core.errors import DeterministicModelError
from siturec_gym.llm.key import Key


@pytest.mark.parametrize(("set_to", "sent"), [(None, "none"), ("", "none"), (" sk-1\r\n", "sk-1")])
def test_blanks_around_a_key_are_not_sent(monkeypatch, set_to, sent):
    monkeypatch.delenv("K", raising=False)
    if set_to is not None:
        monkeypatch.setenv("K", set_to)
    assert Key.read("K").value == sent


@pytest.mark.parametrize("odd", ["sk-ключ", "sk-caf\u00e9", "sk 1", "sk-\x07", "sk\n1"])
def test_what_no_header_can_carry_is_one_line_without_it(monkeypatch, odd):
    monkeypatch.setenv("K", odd)
    with pytest.raises(DeterministicModelError, match="the key in K cannot be sent") as caught:
        Key.read("K")
    assert odd not in str(caught.value)


def test_it_is_in_no_repr_and_hidden_wherever_it_stands(monkeypatch):
    monkeypatch.setenv("K", "sk-canary")
    key = Key.read("K")
    assert "canary" not in repr(key)
    assert key.hidden_in("a sk-canary, sk-canary") == "a ***, ***"
    assert key.hidden_in_bytes(b'{"x": "sk-canary"}') == b'{"x": "***"}'
    assert Key().hidden_in("none at all") == "none at all"


@pytest.mark.parametrize("written", [r"he\"llo\\wor\/ld+1", r"he\u0022llo\u005Cwor\u002fld\u002B1", r'he"llo\wor/ld+1'])
def test_it_is_hidden_however_json_writes_it(monkeypatch, written):
    monkeypatch.setenv("K", 'he"llo\\wor/ld+1')
    content = f'{{"error": "wrong key {written}, \\u00e9"}}'.encode()
    assert Key.read("K").hidden_in_bytes(content) == rb'{"error": "wrong key ***, \u00e9"}'


@pytest.mark.parametrize("placeholder", ["EMPTY", "0", "test", "sk-1234"])
def test_a_placeholder_is_no_secret_and_spoils_no_reply(monkeypatch, placeholder):
    monkeypatch.setenv("K", placeholder)
    text = f'{{"angle_deg": 10.0, "utterance": "The latest EMPTY {placeholder}"}}'
    key = Key.read("K")
    assert key.hidden_in(text) == text
    assert key.hidden_in_bytes(text.encode()) == text.encode()
