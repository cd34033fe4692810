"""What the schema of a turn admits is read, encoded, and nothing that the environment would refuse."""

import json
import random
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from schema_reply import value_of

from siturec_gym.core.actions import UNKNOWN
from siturec_gym.core.text import parse_lines
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.policies.llm.outlook import read_outlook
from siturec_gym.policies.llm.reply import read_reply
from siturec_gym.policies.llm.schema import reply_schema
from siturec_gym.world.rules import refusal

SETTINGS = RoleSettings()
KEYWORDS = {
    "type", "properties", "required", "additionalProperties", "anyOf", "enum", "const", "pattern", "items", "minItems",
    "maxItems",
}  # fmt: skip


def nodes(schema: Any) -> Any:
    """Every schema inside a schema."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    for node in inner:
        yield from nodes(node)


def branches(schema: dict[str, Any], act: str) -> list[dict[str, Any]]:
    """The forms of one act."""
    forms = schema["properties"]["action"]["anyOf"]
    return [form for form in forms if form["properties"]["act"].get("const") == act]


@given(st.data(), st.randoms(use_true_random=False))
def test_what_it_admits_is_an_action_that_nothing_is_wrong_with(
    moments: Any, data: st.DataObject, chance: random.Random
) -> None:
    moment = data.draw(st.sampled_from(moments))
    outlook = read_outlook(moment.observation)
    schema = reply_schema(outlook, SETTINGS)
    value = value_of(schema, chance)
    jsonschema.validate(value, schema)
    action = read_reply(json.dumps(value), outlook, SETTINGS)

    env = moment.env
    env.set_state(moment.state)
    world, view = env.unwrapped.episode.world, env.unwrapped.view
    encoded = env.encode_action("assistant", action)
    assert env.action_space("assistant").contains(encoded)
    env.step(encoded)
    spoken = env.unwrapped.episode.spoken
    call = spoken.record.expected_user_action
    assert UNKNOWN not in (call.tool, call.target, call.direction, call.approach)
    if not moment.blind:
        assert refusal(env.unwrapped.scene, world, view, call) is None
    invalid = {"recommendation_names_no_product", "navigation_names_no_goal", "no_expected_user_action"}
    assert not invalid & set(spoken.flags)


def test_it_is_made_of_what_guided_decoders_honour(moments: Any) -> None:
    for moment in moments:
        schema = reply_schema(read_outlook(moment.observation), SETTINGS)
        jsonschema.Draft202012Validator.check_schema(schema)
        for node in nodes(schema):
            assert node.keys() <= KEYWORDS
            assert node.get("enum") != []
            if node.get("type") == "string":
                assert node.keys() & {"pattern", "enum", "const"}, "every text is bounded"
            if node.get("type") == "number":
                assert "enum" in node, "not every decoder keeps a number within bounds"
            if node.get("type") == "object":
                assert node["required"] == list(node["properties"])
                assert node["additionalProperties"] is False


def test_what_depends_on_another_part_comes_after_it(moments: Any) -> None:
    order = list(reply_schema(read_outlook(moments[0].observation), SETTINGS)["properties"])
    assert order == ["ranking", "action", "expected_user_action", "utterance", "tool_calls"]


def test_three_recommendations_are_the_last(seen_moments: Any) -> None:
    observation = dict(seen_moments["supermarket"][0].observation)
    for left, forms in ((1, True), (0, False)):
        schema = reply_schema(read_outlook(observation | {"recommendations_left": left}), SETTINGS)
        assert bool(branches(schema, "Recommend")) is forms


def test_a_product_is_said_to_be_in_view_exactly_when_it_is(moments: Any) -> None:
    for moment in moments:
        outlook = read_outlook(moment.observation)
        forms = branches(reply_schema(outlook, SETTINGS), "Recommend")
        if moment.blind:
            assert [form["properties"]["visible_now"] for form in forms] == [{"type": "boolean"}]
            continue
        names = {m["name"] for m in parse_lines(moment.observation["marks"]) if m["kind"] == "product"}
        said = {
            form["properties"]["visible_now"]["const"]: set(form["properties"]["product"]["enum"]) for form in forms
        }
        in_view = {item.id for item in outlook.store.items if item.name in names}
        assert said.get(True, set()) == in_view
        assert said[False] == outlook.store.by_id.keys() - in_view


def test_goals_are_all_places_and_waypoints_those_in_view(seen_moments: Any) -> None:
    for moment in seen_moments["home_furnishings"]:
        forms = branches(reply_schema(read_outlook(moment.observation), SETTINGS), "Navigate")
        places = [m for m in parse_lines(moment.observation["marks"]) if m["kind"] != "product"]
        offered = {name for form in forms for name in form["properties"]["next_waypoint"].get("enum", ())}
        assert all(len(form["properties"]["navigation_goal"]["enum"]) == 31 for form in forms)
        assert offered == {m["handle"] for m in places}
        assert sum(form["properties"]["next_waypoint"] == {"type": "null"} for form in forms) == 1
    supermarket = reply_schema(read_outlook(seen_moments["supermarket"][0].observation), SETTINGS)
    (form,) = branches(supermarket, "Navigate")
    assert list(form["properties"]) == ["act", "navigation_goal", "reason"]


def test_blind_any_place_may_be_expected_and_an_item_taken_without_a_name(moments: Any) -> None:
    checked = set()
    for moment in moments:
        if not moment.blind or moment.observation["held"]:
            continue
        schema = reply_schema(read_outlook(moment.observation), SETTINGS)["properties"]["expected_user_action"]
        forms = {form["properties"]["tool"]["const"]: form["properties"] for form in schema["anyOf"]}
        inspection = "check_item" if "check_item" in forms else "pick_up_item"
        assert list(forms[inspection]) == ["tool"]
        moves = [form["properties"] for form in schema["anyOf"] if "target" in form["properties"]]
        named = {handle for properties in moves for handle in properties["target"]["enum"]}
        assert len(named) == len(parse_lines(moment.observation["place_index"]))
        checked.add(inspection)
    assert checked == {"check_item", "pick_up_item"}


def test_lengths_of_texts_are_those_of_the_settings(seen_moments: Any) -> None:
    schema = reply_schema(
        read_outlook(seen_moments["supermarket"][0].observation), RoleSettings(utterance_chars=7, reason_chars=5)
    )
    (form,) = branches(schema, "Navigate")
    for properties, name, chars in ((schema["properties"], "utterance", 7), (form["properties"], "reason", 5)):
        validator = jsonschema.Draft202012Validator(properties[name])
        assert validator.is_valid("x" * chars)
        assert not validator.is_valid("x" * (chars + 1))
        assert not validator.is_valid("")
        assert not validator.is_valid(" ")


@pytest.mark.parametrize("missing", ["catalog", "location_index"])
def test_an_observation_without_what_never_changes_says_what_to_do(seen_moments: Any, missing: str) -> None:
    observation = {key: v for key, v in seen_moments["supermarket"][0].observation.items() if key != missing}
    with pytest.raises(ValueError, match=f"needs {missing} in its observation: make the environment with static_obs"):
        read_outlook(observation)
