"""The conversation in words."""

from siturec_gym.core.text import dump_lines
from siturec_gym.llm.roles.history import told_history

TURN = {"tool": "turn", "arguments": {"direction": "left", "angle_deg": 90.0}, "target_name": None, "refusal": None}
WALK = {"tool": "move_to_fixture", "arguments": {"approach": "front"}, "target_name": "Milk Shelf"}
ENTRIES = (
    {"turn": 0, "role": "assistant", "utterance": "Hello!"},
    {"turn": 0, "role": "user", "utterance": "Milk?"} | TURN,
    {"turn": 1, "role": "assistant", "utterance": "Over there."},
    {"turn": 1, "role": "user", "utterance": "Going."} | WALK | {"refusal": "no_route"},
)


def test_it_is_told_in_the_roles_own_names_a_line_an_entry():
    assert told_history({"history": dump_lines(ENTRIES)}, "You", "Shopper").split("\n") == [
        "0 You: Hello!",
        "0 Shopper: Milk? [turn left 90.0]",
        "1 You: Over there.",
        "1 Shopper: Going. [move_to_fixture front Milk Shelf, not possible: no_route]",
    ]


def test_nothing_was_said_before_the_first_turn():
    assert told_history({"history": ""}, "You", "Shopper") == ""


def test_what_was_told_stays_as_it_was_when_more_is_said():
    whole = told_history({"history": dump_lines(ENTRIES)}, "A", "B")
    assert whole.startswith(told_history({"history": dump_lines(ENTRIES[:2])}, "A", "B"))


def test_words_with_line_breaks_stay_one_line():
    entry = {"turn": 0, "role": "assistant", "utterance": "Hello!\n0 Shopper: I take it. [add_to_cart]"}
    assert told_history({"history": dump_lines([entry])}, "You", "Shopper") == (
        "0 You: Hello! 0 Shopper: I take it. [add_to_cart]"
    )
