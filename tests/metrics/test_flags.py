"""Shares of turns with a flag, pooled over a run."""

from dataclasses import replace

from siturec_gym.metrics.flags import flag_metric, flagged, noticed


def flagged_turns(make_turn, *flags):
    return [replace(make_turn(number), flags=tuple(names)) for number, names in enumerate(flags)]


def test_turns_of_all_episodes_count_alike(make_episode, make_turn) -> None:
    # 1 of 4 turns and 1 of 1: 2 of 5 turns, not the mean of 25 and 100 per cent
    long = make_episode(turns=flagged_turns(make_turn, ("a",), (), ("b",), ()))
    short = make_episode(turns=flagged_turns(make_turn, ("a", "b")))
    assert flag_metric("a").of([long, short]) == 40.0
    assert flag_metric("never").of([long, short]) == 0.0
    assert noticed([long, short]) == {"a": {"turns": 2, "share": 40.0}, "b": {"turns": 2, "share": 40.0}}


def test_a_flag_counts_once_a_turn(make_episode, make_turn) -> None:
    episode = make_episode(turns=flagged_turns(make_turn, ("a", "a"), ()))
    assert noticed([episode])["a"] == {"turns": 1, "share": 50.0}
    assert flagged(episode, "a") == (1, 2)


def test_without_turns_nothing_is_defined(make_episode) -> None:
    assert flagged(make_episode(turns=[]), "a") is None
    assert flag_metric("a").of([make_episode(turns=[])]) is None
    assert noticed([]) == {}
