import pytest

from siturec_gym.users import make_user


def test_unknown_user_lists_the_valid_names():
    with pytest.raises(ValueError, match=r"unknown user 'nobody'; valid names: agenda"):
        make_user("nobody")


def test_a_user_takes_no_unknown_option():
    with pytest.raises(ValueError, match=r"user 'agenda' does not take the options \['mood'\]"):
        make_user("agenda", mood="good")


def test_an_error_of_a_user_itself_is_told_as_what_it_is(monkeypatch):
    def broken(*_):
        raise TypeError("of its own")

    monkeypatch.setattr("siturec_gym.llm.clients.make_asker", broken)
    with pytest.raises(TypeError, match=r"^of its own$"):
        make_user("llm:tiny", base_url="http://h/v1")
