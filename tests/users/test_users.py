import pytest

from siturec_gym.users import make_user


def test_unknown_user_lists_the_valid_names():
    with pytest.raises(ValueError, match=r"unknown user 'nobody'; valid names: agenda"):
        make_user("nobody")


def test_a_user_takes_no_unknown_option():
    with pytest.raises(ValueError, match=r"takes no options, got \['mood'\]"):
        make_user("agenda", mood="good")
