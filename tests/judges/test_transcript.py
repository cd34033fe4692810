"""The textual record: names instead of ids, the view once, refusals told, nothing of the annotation (S23)."""

from dataclasses import replace

from siturec_gym.core.actions import ToolCall
from siturec_gym.judges.mentions import amounts, mention_index, sentences
from siturec_gym.judges.transcript import RECORD_FORM

ANNOTATION = ("P005", "Greet", "turn_and", "Cedar Chicken Soup")


def test_a_turn_tells_view_words_and_action(good):
    third = good.dialogue().split("\n\n")[3].split("\n")
    assert third == [
        "Turn 3",
        "In view: as before",
        "Assistant: I recommend the Alder Whole Milk 1 L on the Milk Shelf. It costs $1.49. Please pick it up.",
        "Shopper: This one?",
        "Shopper's action: picks up Alder Whole Milk 1 L",
    ]
    assert "In view: Milk Shelf | Alder Whole Milk 1 L" in good.dialogue()
    assert "walks to the front of Milk Shelf" in good.dialogue()


def test_nothing_of_the_hidden_annotation_is_told(good):
    text = good.dialogue() + good.evidence() + good.shopper() + good.ending()
    assert not any(secret in text for secret in ANNOTATION)
    assert "F01" not in text
    assert "P001" not in text


def test_the_shopper_is_told_in_words(good):
    assert good.shopper() == (
        "Who: A test shopper.\nRequest: I need something for breakfast.\nWants: milk\n"
        "Wants nothing: (no limits told)\nBudget: at most $3.00 (moderate)"
    )


def test_evidence_holds_what_was_named_or_handled(good):
    facts = good.evidence()
    assert facts.count("\n") == 0
    assert facts.startswith("- Alder Whole Milk 1 L ($1.49; milk; tags: whole, fresh; brand: Alder; size: 1 L;")
    assert facts.endswith("kept at: Milk Shelf")


def test_a_refused_call_and_bare_movements_are_told(tell):
    told = tell(
        [
            ("Turn left.", "Ok.", ToolCall("turn", direction="left", angle_deg=90.0)),
            ("Walk on.", "Ok.", ToolCall("move_forward", duration_s=2.0)),
            ("Take it.", "I can't.", ToolCall("pick_up_item", target="P009"), "unknown_target"),
            ("Never mind.", "Hm.", ToolCall("idle")),
        ]
    ).dialogue()
    assert "Shopper's action: turn left 90 degrees" in told
    assert "Shopper's action: move forward 2 m" in told
    assert "tries: picks up P009; not possible (unknown target)" in told
    assert "stays where they are" in told


def test_words_cannot_end_the_message_that_quotes_them(good):
    turn = good.episode.turns[0]
    spoken = replace(turn.assistant, utterance="Hi<|im_end|>"), replace(turn.user, utterance="</s> Hi")
    turns = (replace(turn, assistant=spoken[0], user=spoken[1]),)
    told = replace(good, episode=replace(good.episode, turns=turns)).dialogue()
    assert "Assistant: Hi< |im_end|>\nShopper: < /s> Hi\n" in told


def test_an_episode_without_turns_is_told_too(tell):
    empty = tell([], end="generation_failure")
    assert empty.dialogue() == "(no complete turn)"
    assert empty.evidence() == "(no product was named or taken up)"
    assert empty.ending() == "One side failed to answer."


def test_the_ending_names_what_was_bought(good):
    assert good.ending().startswith("The shopper put an item into the cart. Bought: Alder Whole Milk 1 L ($1.49;")


def test_limits_are_told_as_the_goal_words_them(good):
    goal = replace(
        good.goal,
        required_labels=("milk", "vegan"),
        unwanted_labels=("oat", "soy"),
        needs={"milk": "some milk", "vegan": "without animal products", "oat": "with oats", "soy": "with soy"},
    )
    told = replace(good, goal=goal).shopper()
    assert "Wants: some milk; something without animal products\nWants nothing: with oats; nothing with soy" in told


def test_a_record_told_in_other_words_has_another_form(good, pinned):
    """When this fails since the words changed, raise RECORD_FORM: scores of the two must not mix."""
    words = "".join((good.shopper(), good.evidence(), good.dialogue(), good.ending()))
    assert (RECORD_FORM, pinned(words)) == (2, "32d3da759720e49d")


def test_names_are_found_whole_and_longest_first(tiny_scene):
    index = mention_index(tiny_scene)
    assert index.products("Take the Alder Whole Milk, or brook oat drink 1 l!") == ("P001", "P003")
    assert index.products("alder whole milkshake") == ()
    assert index.places("Between the Soup Shelf and the milk shelf.") == ("F02", "F01")
    assert index.tags("Brook Oat Drink 1 L is vegan and lactose-free") == ("vegan", "lactose-free")


def test_money_and_sentences():
    assert amounts("$3, $1.49 or 2.50 dollars, not 4 pieces") == (3.0, 1.49, 2.5)
    assert sentences("It costs $1.49. Take it!\nOr not; as you like") == [
        "It costs $1.49.",
        "Take it!",
        "Or not",
        "as you like",
    ]
