"""The heuristic without pictures and marks finds its way by the map alone (S20)."""

import pytest

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.core.actions import Tool
from siturec_gym.core.text import parse_lines
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.policies.situation import read_situation
from siturec_gym.users import make_user


@pytest.mark.parametrize(("facade", "least"), [(supermarket_v0, 3), (home_furnishings_v0, 1)])
def test_it_still_sells_and_expects_a_look_at_no_product_by_name(facade, least):
    env = facade.env(images=False, ablation="without_view_and_caption")
    tasks = [task.id for task in env.unwrapped.tasks][:6]
    records = [play(env, make_assistant("heuristic"), make_user("agenda"), task, 0) for task in tasks]
    assert sum(bool(record.cart) for record in records) >= least
    looks = [
        turn.assistant.expected_user_action
        for record in records
        for turn in record.turns
        if turn.assistant.expected_user_action is not None
        and turn.assistant.expected_user_action.tool in (Tool.PICK_UP_ITEM, Tool.CHECK_ITEM)
    ]
    assert looks
    assert all(look.target is None for look in looks)


def test_the_marks_of_a_blind_assistant_are_places_the_map_puts_in_view():
    env = supermarket_v0.env(images=False, ablation="without_view_and_caption")
    env.reset(seed=0)
    observation = env.observe("assistant")
    situation = read_situation(observation)
    assert situation.blind
    assert not situation.product_marks
    handles = {line["place"] for line in parse_lines(observation["place_index"])}
    assert situation.place_marks
    assert {mark["handle"] for mark in situation.place_marks.values()} <= handles
