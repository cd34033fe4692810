"""What a model-backed assistant reads: every part that it needs, no rule that does not hold for it."""

import hashlib
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.text import dump_lines
from siturec_gym.llm.messages import Decoding
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.policies.llm import describe
from siturec_gym.policies.llm.prompt import PROMPT_FORM, PROMPTS
from siturec_gym.policies.llm.store_text import catalogue_text, places_text

MILK = {
    "product": "P1", "name": "Alder Milk 1 L", "department": "dairy", "category": "milk", "tags": ["whole", "fresh"],
    "price": 1.5, "brand": "Alder", "size": "1 L", "flavour": "", "packaging": "carton", "allergens": ["milk"],
    "nutrition": {"energy_kcal": 60.0, "fat_g": 3.5, "sugar_g": 5.0, "protein_g": 3.0, "salt_g": 0.1},
}  # fmt: skip
SOAP = {
    "product": "P2", "name": "Fir Soap", "department": "care", "category": "soap", "tags": [], "price": 2.0,
    "brand": "Fir", "size": "2 pieces", "flavour": "pine", "packaging": "box", "allergens": [], "nutrition": None,
}  # fmt: skip
CREAM = MILK | {"product": "P3", "name": "Alder Cream", "tags": [], "nutrition": None, "allergens": [], "size": ""}
PLACES = (
    {"place": "1", "kind": "fixture", "form": "open_cooler", "name": "Milk Cooler", "x": 2.0, "y": 3.25, "yaw_deg": 0.0,
     "size_m": [2, 1], "sign": "Milk, Cream", "approaches": {"back": [1, 3, 0], "front": [3.0, 3, 180]}},
    {"place": "2", "kind": "fixture", "form": "shelf", "name": "Soap Shelf", "x": 9, "y": 3, "yaw_deg": 0.0,
     "size_m": [2, 1], "sign": "Soap Shelf", "approaches": {"front": [10.123, 3, 180]}},
)  # fmt: skip
STANDS = (
    {"product": "P1", "places": [{"place": "1", "side": "front"}, {"place": "2", "side": "front"}]},
    {"product": "P3", "places": [{"place": "1", "side": "back"}]},
    {"product": "P2", "places": [{"place": "2", "side": "front"}]},
)
MARKS = (
    {"handle": "2", "kind": "fixture", "name": "Soap Shelf", "distance_m": 7.04, "bearing_deg": -30.4,
     "approaches": ["nearest", "front"]},
    {"handle": "1", "kind": "fixture", "name": "Milk Cooler", "distance_m": 2.5, "bearing_deg": 0.2, "approaches": []},
    {"handle": "A", "kind": "product", "name": "Alder Milk 1 L", "distance_m": 1.25, "bearing_deg": 12,
     "reachable": True},
    {"handle": "B", "kind": "product", "name": "A thing", "distance_m": 5, "bearing_deg": 0, "reachable": False},
)  # fmt: skip
TOOLS = ("move_forward", "turn", "idle", "add_to_cart", "move_to_fixture", "pick_up_item", "drop_item")
SHOP = {
    "catalog": dump_lines((MILK, SOAP, CREAM)),
    "location_index": dump_lines((*STANDS, *PLACES)),
    "tools": dump_lines({"tool": tool, "arguments": []} for tool in TOOLS),
    "marks": dump_lines(MARKS),
    "history": dump_lines([{"turn": 0, "role": "assistant", "utterance": "Hello!"}]),
    "held": "", "cart": "", "turn": 1, "recommendations_left": 2, "pose": np.array([1.26, 3, -90, -20.0], np.float32),
}  # fmt: skip


@pytest.fixture
def read(make_llm: Any) -> Any:
    """The texts of both messages for an observation of the small shop."""

    def reading(settings: dict[str, Any] | None = None, **changes: Any) -> tuple[str, str]:
        assistant, _ = make_llm(**settings or {})
        system, asked = assistant.request(SHOP | changes, assistant.initial_state(1)).messages
        return system.text, asked.text

    return reading


def test_the_catalogue_is_a_line_a_product_by_category_with_where_it_stands() -> None:
    columns, lines = catalogue_text(SHOP["catalog"], SHOP["location_index"])
    plain = "flavour, packaging, what it contains (allergens)"
    nutrition = "kcal/fat/sugar/protein/salt per 100 g or ml (all but kcal in g)"
    assert columns == f"size where the name does not tell it, {plain}, {nutrition}"
    assert lines.split("\n") == [
        "milk:",
        "P1 Alder Milk 1 L; whole, fresh; $1.50; carton; contains milk; 60/3.5/5/3/0.1; at 1 front and 2 front",
        "P3 Alder Cream; $1.50; carton; at 1 back",
        "soap, at 2 front:",
        "P2 Fir Soap; $2; 2 pieces, pine, box",
    ]


def test_places_are_a_line_each_with_the_points_that_one_walks_to() -> None:
    cooler, shelf = places_text(SHOP["catalog"], SHOP["location_index"]).split("\n")
    assert cooler == "1 Milk Cooler (open cooler, sign Milk, Cream) at (2, 3.25); back (1, 3), front (3, 3)"
    assert shelf == "2 Soap Shelf (shelf) at (9, 3); front (10.123, 3)"
    index = dump_lines([{"place": "1", "kind": "fixture", "name": "x", "approaches": ["nearest", "back"]}])
    assert (
        places_text(SHOP["catalog"], SHOP["location_index"], index)
        .split("\n")[0]
        .endswith("; approaches nearest, back")
    )


def test_the_turn_is_told_as_it_is(read: Any) -> None:
    _, asked = read()
    assert asked.endswith(
        "\n# Turn 1\n"
        "Recommendations left: 2\n"
        "The shopper stands at (1.3, 3.0), heading -90 degrees, gaze 20 degrees down.\n"
        "In hand: nothing\n"
        "Cart: empty\n"
        "In view:\n"
        "1 Milk Cooler: 2.5 m, ahead\n"
        "2 Soap Shelf: 7.0 m, 30 degrees right; approach nearest, front\n"
        "A Alder Milk 1 L (P1): 1.2 m, 12 degrees left, within reach\n"
        "B A thing: 5.0 m, ahead\n"
        "Possible now: move_forward; move_backward; turn_and_move; move_and_turn; side_step; turn; look_up_down; idle; "
        "move_to_fixture 2, 1; pick_up_item A\n"
        "Answer with the JSON object.\n"
    )


def test_hand_and_cart_are_told(read: Any) -> None:
    held = dump_lines([{"product": "P2", "name": "Fir Soap", "price": 2.0}])
    _, asked = read(held=held, cart=held, marks="")
    assert "In hand: P2 Fir Soap\nCart: P2 Fir Soap\nIn view:\nnothing that carries a mark\n" in asked
    assert "idle; add_to_cart; drop_item" in asked.replace("add_to_cart; idle", "idle; add_to_cart")


def test_before_the_first_word_the_assistant_is_told_to_speak(read: Any) -> None:
    assert "(Nothing yet: the shopper has just come in. You speak first.)" in read(history="")[1]


def test_each_store_is_told_of_its_own_tools_and_marks(seen_moments: Any, make_llm: Any) -> None:
    assistant, _ = make_llm()
    texts = {
        scene: assistant.request(moments[0].observation, assistant.initial_state(1)).messages[0].text
        for scene, moments in seen_moments.items()
    }
    for word in ("move_to_fixture", "pick_up_item", "drop_item", "Fixtures carry numbers"):
        assert word in texts["supermarket"]
        assert word not in texts["home_furnishings"]
    for word in ("move_to_store", "move_to_area", "check_item", "do_not_add_to_cart", "next_waypoint", "1a is an area"):
        assert word in texts["home_furnishings"]
        assert word not in texts["supermarket"]
    for text in texts.values():
        assert "$" not in text.split("# Catalogue")[0], "every placeholder is filled"


def test_an_assistant_that_is_not_told_what_is_in_view_has_no_rule_about_it(moments: Any, make_llm: Any) -> None:
    assistant, _ = make_llm()
    told = set()
    for moment in moments:
        system, asked = assistant.request(moment.observation, assistant.initial_state(1)).messages
        blind = moment.blind
        assert ("listed under" in system.text) is not blind
        assert ("what the shopper should walk to now may not" in system.text) is not blind
        assert ("Products in view carry letters" in system.text) is not blind
        assert ("may be expected without naming a target" in system.text) is blind
        assert ("\nIn view:\n" in asked.text) is not blind
        assert ("; approaches nearest" in system.text or "; approaches outside_doorway" in system.text) is blind
        told.add(blind)
    assert told == {True, False}


def test_every_prompt_is_used_somewhere(moments: Any, make_llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    plain = type(PROMPTS).text
    monkeypatch.setattr(type(PROMPTS), "text", lambda self, name: used.add(name) or plain(self, name))
    assistant, _ = make_llm(utterance_chars=123)
    picture = np.zeros((30, 40, 3), np.uint8)
    for moment in moments:
        seen = moment.observation | {"rgb": picture, "map_image": picture}
        assistant.request(seen, assistant.initial_state(1))
    assert used == set(PROMPTS.names)


def test_the_hash_covers_every_prompt_the_forms_and_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = describe()["prompt_hash"]
    assert describe(RoleSettings())["prompt_hash"] == whole
    others = [RoleSettings(images=2), RoleSettings(reason_chars=99), RoleSettings(decoding=Decoding(temperature=1.0))]
    hashes = {describe(settings)["prompt_hash"] for settings in others}
    plain = type(PROMPTS).text
    for name in PROMPTS.names:
        with monkeypatch.context() as patch:
            patch.setattr(type(PROMPTS), "text", lambda self, n, c=name: plain(self, n) + ("!" if n == c else ""))
            hashes.add(describe()["prompt_hash"])
    with monkeypatch.context() as patch:
        patch.setattr("siturec_gym.policies.llm.schema.RANKING_LENGTH", 9)
        hashes.add(describe()["prompt_hash"])
    assert len(hashes - {whole}) == len(others) + len(PROMPTS.names) + 1


def test_a_manifest_is_told_the_settings() -> None:
    told = describe(RoleSettings(images=0))
    assert (told["images"], told["decoding"]["temperature"], len(told["prompt_hash"])) == (0, 0.0, 16)


def test_an_observation_told_in_other_words_has_another_form(read: Any) -> None:
    """When this fails, and not since a prompt's file changed, raise PROMPT_FORM."""
    columns, lines = catalogue_text(SHOP["catalog"], SHOP["location_index"])
    words = "".join([columns, lines, places_text(SHOP["catalog"], SHOP["location_index"]), read()[1]])
    assert (PROMPT_FORM, hashlib.sha256(words.encode()).hexdigest()[:16]) == (2, "fc41f592344cbdc6")
