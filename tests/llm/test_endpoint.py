"""Addresses and limits: what is refused, and what is shown of an address."""

import pytest

from siturec_gym.llm.endpoint import DEFAULT_URL, Endpoint, public_url, usual_url


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"url": "localhost:8000"}, "must begin with http"),
        ({"url": None}, "base URL must be a text such as 'https://api.openai.com/v1', got NoneType"),
        ({"concurrency": 0}, "at least 1, got 0"),
        ({"timeout_s": 0}, "above 0 and at most 86400 seconds, got 0"),
        ({"timeout_s": float("inf")}, "at most 86400 seconds, got inf"),
        ({"timeout_s": float("nan")}, "at most 86400 seconds, got nan"),
        ({"per_minute": 0}, "requests per minute must be above 0, got 0"),
        ({"per_minute": float("inf")}, "requests per minute must be above 0, got inf"),
    ],
)
def test_a_wrong_endpoint_is_one_clear_line(settings, message):
    with pytest.raises(ValueError, match=message):
        Endpoint(**settings)


@pytest.mark.parametrize("url", ["http://h", "https://h:8000/v1", "http://127.0.0.1:1/v1/", "http://[::1]:8000/v1"])
def test_addresses_of_servers_are_taken_as_they_are(url):
    assert Endpoint(url, per_minute=0.5, timeout_s=86400).url == url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://me:pw@host:8000/v1?key=x#y", "http://host:8000/v1"),
        ("http://host/v1", "http://host/v1"),
        ("http://a@b@host/v1", "http://host/v1"),
        ("http://me:pw@[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("http://me:pw@host:x/v1?key=x", "host:x/v1"),
        ("me:pw@host?key", "host"),
        ("", ""),
    ],
)
def test_what_is_private_in_an_address_is_not_shown(url, shown):
    assert public_url(url) == shown


@pytest.mark.parametrize(("set_to", "usual"), [(None, DEFAULT_URL), ("", DEFAULT_URL), ("http://h/v1", "http://h/v1")])
def test_the_usual_address_is_the_environments(monkeypatch, set_to, usual):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    if set_to is not None:
        monkeypatch.setenv("OPENAI_BASE_URL", set_to)
    assert usual_url() == usual


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://me:pw-canary@h/v1", r"'http://h/v1' must hold neither user name, password"),
        ("http://h/v1?key=pw-canary", r"'http://h/v1' must hold neither"),
        ("http://h/v1#pw-canary", r"'http://h/v1' must hold neither"),
        ("http://h:99999/v1", "must begin with http"),
        ("http://h:x/v1", "must begin with http"),
        ("http://[h/v1", "must begin with http"),
        ("ftp://h/v1", "must begin with http"),
        ("http:///v1", "must begin with http"),
        ("me:pw-canary@h:8000/v1", "'h:8000/v1' must begin with http"),
        ("http://me:pw-canary#1@h/v1", "'h/v1' must begin with http"),
        ("http:/me:pw-canary@h?x", "'h' must begin with http"),
        ("h/v1?key=pw-canary", "'h/v1' must begin with http"),
        (" http://h/v1", "'http://h/v1' must hold no blanks"),
        ("http://h/v1\n", "'http://h/v1' must hold no blanks"),
        ("http://h/v 1", "'http://h/v 1' must hold no blanks"),
        ("http://me:pw canary@h/v1", "'http://h/v1' must hold no blanks"),
        ("http://h/v1//", "'http://h/v1//' must hold no '//' after the host"),
        ("http://h//v1", "must hold no '//' after the host"),
    ],
)
def test_an_address_with_a_secret_or_without_a_host_is_refused(url, message):
    with pytest.raises(ValueError, match=message) as caught:
        Endpoint(url)
    assert "canary" not in str(caught.value)
