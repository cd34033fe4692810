"""The assistant's reply: what it means in a turn, and what is said of one that means nothing."""

import json
from typing import Any

import pytest

from siturec_gym.core.actions import AssistantAction, Navigation, Recommendation, ToolCall
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.policies.llm.outlook import read_outlook
from siturec_gym.policies.llm.reply import read_reply

SETTINGS = RoleSettings()
GOOD: dict[str, Any] = {
    "ranking": ["P001", "P002"],
    "action": {"act": "AskPreference"},
    "expected_user_action": {"tool": "idle"},
    "utterance": "What do you like?",
    "tool_calls": [],
}


@pytest.fixture
def read(seen_moments: Any) -> Any:
    """Reads a reply in the first turn of a store's episode; P150 and fixture 16 are not in view there."""

    def reading(scene: str = "supermarket", *, changed: Any = (), **observed: Any) -> AssistantAction:
        observation = dict(seen_moments[scene][0].observation) | observed
        return read_reply(json.dumps(GOOD | dict(changed)), read_outlook(observation), SETTINGS)

    return reading


def recommend(**changes: Any) -> dict[str, Any]:
    given = {"act": "Recommend", "product": "P150", "display_name": "Pizza", "visible_now": False, "reason": "Why not."}
    return {"action": given | changes}


def navigate(**changes: Any) -> dict[str, Any]:
    return {"action": {"act": "Navigate", "navigation_goal": "3", "reason": "There it is."} | changes}


def test_a_plain_act_stands_for_itself(read: Any) -> None:
    assert read() == AssistantAction("What do you like?", "AskPreference", ToolCall("idle"), ranking=("P001", "P002"))


def test_recommend_and_navigate_carry_what_they_need(read: Any) -> None:
    assert read(changed=recommend()).recommendation == Recommendation("P150", "Pizza", False, "Why not.")
    assert read(changed=navigate()).navigation == Navigation("3", None, None, "There it is.")
    assert read(changed=recommend()).navigation is None


def test_a_waypoint_in_view_is_walked_to_by_an_approach_that_it_has(read: Any, seen_moments: Any) -> None:
    moment = next(
        m for m in seen_moments["home_furnishings"] if read_outlook(m.observation).legal.targets.get("move_to_store")
    )
    outlook = read_outlook(moment.observation)
    store = outlook.legal.targets["move_to_store"][0]
    approach = outlook.legal.approaches[store][0]
    changed = navigate(next_waypoint=store, target_approach=approach)
    action = read_reply(json.dumps(GOOD | changed), outlook, SETTINGS)
    assert action.navigation == Navigation("3", store, approach, "There it is.")
    with pytest.raises(ValueError, match=rf"action.target_approach: {store} has {approach}"):
        read_reply(json.dumps(GOOD | navigate(next_waypoint=store, target_approach="front")), outlook, SETTINGS)


def test_without_a_waypoint_a_store_is_only_headed_for(read: Any) -> None:
    action = read("home_furnishings", changed=navigate(next_waypoint=None, target_approach=None))
    assert action.navigation == Navigation("3", None, None, "There it is.")


def test_words_around_the_object_and_missing_tool_calls_do_no_harm(seen_moments: Any) -> None:
    outlook = read_outlook(seen_moments["supermarket"][0].observation)
    text = json.dumps({name: value for name, value in GOOD.items() if name != "tool_calls"})
    assert read_reply(f"Here it is:\n```json\n{text}\n```", outlook, SETTINGS).act == "AskPreference"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"utterance": " "}, "utterance: must not be empty"),
        ({"utterance": "x" * 401}, "utterance: 401 characters, at most 400 are allowed"),
        ({"utterance": None}, "utterance: Input should be a valid string"),
        ({"ranking": ["P001", "P999"]}, "ranking: 'P999' is no product of the catalogue"),
        ({"ranking": ["P001"] * 11}, "ranking: List should have at most 10 items"),
        ({"tool_calls": [{"tool": "idle"}]}, "tool_calls: List should have at most 0 items"),
        ({"action": {"act": "Sing"}}, "action: Input tag 'Sing' found using 'act' does not match"),
        ({"action": {}}, "action: Unable to extract tag"),
        ({"expected_user_action": {"tool": "fly"}}, "expected_user_action: tool 'fly' cannot be called now"),
        ({"expected_user_action": {"tool": "add_to_cart"}}, "expected_user_action: tool 'add_to_cart' cannot be"),
        ({"expected_user_action": {"tool": "move_to_fixture", "target": "16", "approach": "front"}},
         "expected_user_action: target '16' is none that move_to_fixture can have now"),
        ({"expected_user_action": None}, "expected_user_action: Input should be a valid dictionary"),
        (recommend(product="P999"), "action.product: 'P999' is no product of the catalogue"),
        (recommend(visible_now=True), "action.visible_now: P150 is not in view now"),
        (recommend(reason=""), "action.reason: must not be empty"),
        (recommend(display_name=" "), "action.display_name: must not be empty"),
        ({"action": {"act": "Recommend", "product": "P001"}}, "action.Recommend.display_name: Field required"),
        (navigate(navigation_goal="99"), "action.navigation_goal: '99' is no place; places are 1, 2, 3"),
        (navigate(reason="x" * 161), "action.reason: 161 characters, at most 160 are allowed"),
    ],
)  # fmt: skip
def test_what_a_turn_does_not_allow_is_one_line_for_the_model(read: Any, changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        read(changed=changed)
    assert "\n" not in str(caught.value)


def test_a_fourth_recommendation_is_refused(read: Any) -> None:
    with pytest.raises(ValueError, match="action: no recommendation is left, choose another act"):
        read(changed=recommend(), recommendations_left=0)


def test_a_product_in_view_is_not_said_to_be_out_of_it(seen_moments: Any) -> None:
    outlook = next(o for m in seen_moments["supermarket"] if (o := read_outlook(m.observation)).seen)
    item = next(iter(outlook.seen.values()))
    with pytest.raises(ValueError, match=rf"action.visible_now: {item.id} is in view now"):
        read_reply(json.dumps(GOOD | recommend(product=item.id)), outlook, SETTINGS)


def test_a_waypoint_out_of_view_is_refused(read: Any) -> None:
    with pytest.raises(ValueError, match=r"action.next_waypoint: '7' is not in view, .* is; null if there is no other"):
        read("home_furnishings", changed=navigate(next_waypoint="7", target_approach="outside_doorway"))


def test_blind_neither_view_nor_targets_are_held_against_a_reply(moments: Any) -> None:
    moment = next(m for m in moments if m.blind and m.env.unwrapped.scene.name == "supermarket")
    outlook = read_outlook(moment.observation)
    for visible in (True, False):
        changed = recommend(visible_now=visible) | {"expected_user_action": {"tool": "pick_up_item"}}
        action = read_reply(json.dumps(GOOD | changed), outlook, SETTINGS)
        assert action.recommendation is not None
        assert action.recommendation.visible_now is visible
        assert action.expected_user_action == ToolCall("pick_up_item")
    far = {"tool": "move_to_fixture", "target": "1", "approach": "back"}
    assert read_reply(json.dumps(GOOD | {"expected_user_action": far}), outlook, SETTINGS).expected_user_action


@pytest.mark.parametrize("text", ["", "  ", "I am sorry, I cannot do that.", '{"ranking": [', "[]", "null", "{}"])
def test_what_is_no_reply_at_all_is_one_line(seen_moments: Any, text: str) -> None:
    with pytest.raises(ValueError, match=r"reply|ranking|object"):
        read_reply(text, read_outlook(seen_moments["supermarket"][0].observation), SETTINGS)
