"""Discrete actions: spaces, masks, records that are always legal, candidates from public knowledge (S1, S15, S17)."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.core.actions import Act, Tool
from siturec_gym.core.legality import legal_actions
from siturec_gym.users import make_user
from siturec_gym.wrappers import DiscreteAssistantActions, GymnasiumForm, VectorFeatures
from siturec_gym.wrappers.structured.intents import INTENTS
from siturec_gym.wrappers.structured.questions import TOPICS

CODE = {intent: code for code, intent in enumerate(INTENTS)}


@pytest.fixture(scope="module")
def store_env() -> DiscreteAssistantActions:
    return DiscreteAssistantActions(supermarket_v0.gym_env(images=False, tasks="train"))


@pytest.fixture
def tiny_env(make_env: Callable[..., Any]) -> Callable[..., DiscreteAssistantActions]:
    def build(candidates: int = 5, **keywords: Any) -> DiscreteAssistantActions:
        return DiscreteAssistantActions(GymnasiumForm(make_env(**keywords), make_user("agenda")), candidates)

    return build


def test_spaces(tiny_env: Any) -> None:
    env = tiny_env()
    assert env.action_space == gym.spaces.MultiDiscrete([len(INTENTS), 2, 5])
    assert env.observation_space is env.unwrapped.observation_space


def test_the_first_turn_greets_and_asks(tiny_env: Any) -> None:
    env = tiny_env()
    _, info = env.reset(seed=1)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert masks.shape == (len(INTENTS) + 2 + 5,)
    assert [intent for intent in ("greet", "ask_category", "confirm", "recommend") if masks[CODE[intent]]] == [
        "greet",
        "ask_category",
    ]
    assert np.array_equal(np.concatenate(info["action_mask"]), masks)
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))


def test_two_questions_in_a_row_are_enough(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    for intent, may_ask in (("ask_budget", True), ("ask_avoid", False), ("go_to_place", True)):
        env.step([CODE[intent], 0, 0])
        assert any(env.action_masks()[CODE[f"ask_{topic}"]] for topic in TOPICS) is may_ask


def test_an_intent_becomes_words_and_an_annotation(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    made = env.record([CODE["ask_budget"], 0, 0])
    assert made.utterance == "What is your budget?"
    assert (made.act, made.expected_user_action.tool) == (Act.ASK_PREFERENCE, Tool.IDLE)
    assert len(made.ranking) == 5
    observation, *_ = env.step(np.array([CODE["greet"], 0, 0]))
    assert "Hello! What are you looking for today?" in observation["history"]


def test_the_environment_words_what_has_no_text(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    made = env.record([CODE["go_to_place"], 1, 0])
    assert (made.utterance, made.act, made.navigation.navigation_goal) == ("", Act.NAVIGATE, "F02")
    env.step([CODE["go_to_place"], 1, 0])
    record = env.unwrapped.episode_record()
    assert record.turns[0].flags == ("worded_by_template",)
    assert record.turns[0].assistant.utterance.startswith("Please ")


def test_recommendations_name_the_candidate_of_the_slot(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    for slot, item in enumerate(env.outlook.candidates):
        made = env.record([CODE["recommend"], 0, slot])
        assert (made.act, made.recommendation.product, made.recommendation.display_name) == (
            Act.RECOMMEND,
            item.id,
            item.name,
        )


def test_a_candidate_that_cannot_be_meant_gives_way(tiny_env: Any) -> None:
    """One cannot go to what is within reach: the best candidate out of reach is meant instead."""
    env = tiny_env()
    env.reset(seed=1)
    env.step([CODE["greet"], 0, 0])
    env.step([CODE["go_to_place"], 0, 0])
    reachable = [env.outlook.reachable(item) for item in env.outlook.candidates]
    assert 0 < sum(reachable) < 5
    within, beyond = reachable.index(True), reachable.index(False)
    made = [env.record([CODE["go_to_candidate"], 0, slot]) for slot in (within, beyond)]
    assert made[0] == made[1]


def test_only_what_was_put_forward_is_to_be_picked_up(tiny_env: Any) -> None:
    """A product that is asked for before it was recommended would be a recommendation without annotation (S15)."""
    env = tiny_env()
    env.reset(seed=1)
    env.step([CODE["greet"], 0, 0])
    env.step([CODE["go_to_place"], 0, 0])
    assert any(map(env.outlook.reachable, env.outlook.candidates))
    assert not env.action_masks()[CODE["pick_up"]]


@pytest.mark.parametrize("masked", [True, False])
def test_whatever_is_chosen_is_legal(store_env: Any, masked: bool) -> None:
    env = store_env
    env.action_space.seed(int(masked))
    seen = set()
    for seed in range(12):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            action = env.action_space.sample(info["action_mask"]) if masked else env.action_space.sample()
            made = env.record(action)
            call, legal = made.expected_user_action, legal_actions(observation)
            assert legal.allows(call.tool, call.target, call.approach), (INTENTS[action[0]], call)
            assert env.unwrapped.action_space.contains(env.action(action))
            assert (made.recommendation is not None) == (made.act == Act.RECOMMEND)
            assert (made.navigation is not None) == (made.act == Act.NAVIGATE)
            seen.add(INTENTS[action[0]])
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        assert env.action_masks()[: len(INTENTS)].any()
    assert len(seen) >= (12 if masked else 25)


@pytest.mark.parametrize("ablation", ["without_egocentric_view", "without_view_and_caption"])
def test_ablated_assistants_choose_what_is_legal_without_marks(ablation: str) -> None:
    form = supermarket_v0.gym_env(images=False, ablation=ablation)
    env = VectorFeatures(DiscreteAssistantActions(form))
    env.action_space.seed(0)
    row, info = env.reset(seed=2)
    over = False
    while not over:
        assert env.observation_space.contains(row)
        action = env.action_space.sample(info["action_mask"])
        call = env.env.record(action).expected_user_action
        assert legal_actions(form.aec.observe("assistant")).allows(call.tool, call.target, call.approach)
        row, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated


def test_the_home_store_is_played_by_the_same_intents() -> None:
    form = home_furnishings_v0.gym_env(images=False)
    env = DiscreteAssistantActions(form)
    env.reset(seed=1)
    assert env.action_space == gym.spaces.MultiDiscrete([len(INTENTS), 31, 8])
    assert not env.action_masks()[CODE["ask_flavour"]]
    over = False
    while not over:
        action = [CODE["go_to_place"] if env.action_masks()[CODE["go_to_place"]] else CODE["confirm"], 3, 0]
        call = env.record(action).expected_user_action
        assert legal_actions(form.aec.observe("assistant")).allows(call.tool, call.target, call.approach)
        *_, terminated, truncated, _ = env.step(action)
        over = terminated or truncated


def test_a_plain_script_of_intents_sells_the_right_products(store_env: Any) -> None:
    """The action space is enough to play well: a few rules on its masks buy from the reference set."""
    right = sum(_scripted(store_env, seed) for seed in range(30))
    assert right >= 20


def _scripted(env: Any, seed: int) -> bool:
    env.reset(seed=seed)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step([CODE[_rule(env)], 0, 0])
        over = terminated or truncated
    return bool(info["episode_metrics"]["RPR"])


def _rule(env: Any) -> str:
    masks, outlook = env.action_masks(), env.outlook
    conversation, best = outlook.conversation, outlook.candidates[0]

    def may(intent: str) -> bool:
        return bool(masks[CODE[intent]])

    if may("put_back"):
        if best.id in conversation.belief.rejected:
            return "put_back"
        return "answer" if may("answer") else "confirm"
    if outlook.reachable(best):
        questions = [intent for intent in ("ask_budget", "ask_avoid", "ask_needs") if may(intent)]
        if questions and sum(map(bool, conversation.asked)) < 3:
            return questions[0]
        if best.id not in conversation.offered and may("recommend"):
            return "recommend"
        return "pick_up"
    return next(intent for intent in ("greet", "ask_category", "go_to_candidate", "answer", "ask_more") if may(intent))


def test_candidates_follow_from_public_text_alone(tiny_bank: Any, make_env: Callable[..., Any]) -> None:
    """Two tasks with other private goals give the same masks and candidates while nothing was said (S1)."""
    env = DiscreteAssistantActions(GymnasiumForm(make_env(tasks=tiny_bank), make_user("agenda")), 5)
    seen = []
    for task in ("tiny/01.1", "tiny/01.4"):
        env.reset(seed=1, options={"task": task})
        seen.append((env.outlook.candidates, env.action_masks().tolist()))
    assert [item.id for item in seen[0][0]] == [item.id for item in seen[1][0]]
    assert seen[0][1] == seen[1][1]


def test_static_texts_may_come_with_reset_alone(tiny_env: Any) -> None:
    plain, spare = tiny_env(), tiny_env(static_observations=False)
    for env in (plain, spare):
        observation, _ = env.reset(seed=4)
        env.step([CODE["greet"], 0, 0])
    assert "catalog" not in observation
    assert np.array_equal(plain.action_masks(), spare.action_masks())


def test_going_back_to_a_snapshot_goes_back_to_its_choices(tiny_env: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    env.step([CODE["greet"], 0, 0])
    snapshot, masks = env.get_state(), env.action_masks()
    first = env.step([CODE["ask_budget"], 0, 0])
    env.set_state(snapshot)
    assert np.array_equal(env.action_masks(), masks)
    again = env.step([CODE["ask_budget"], 0, 0])
    assert first[0]["history"] == again[0]["history"]


@pytest.mark.parametrize("action", [[0, 0], [len(INTENTS), 0, 0], [0, -1, 0], [0.5, 0, 0], None, [0, 0, 5]])
def test_a_wrong_action_names_what_is_allowed(tiny_env: Any, action: Any) -> None:
    env = tiny_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"three codes below \(32, 2, 5\)"):
        env.step(action)
    assert env.outlook.situation.turn == 0


def test_wrong_arguments_and_order_are_clear_when_built(tiny_env: Any) -> None:
    with pytest.raises(ValueError, match="candidates must be 1 to 5"):
        tiny_env(candidates=6)
    with pytest.raises(ValueError, match="DiscreteAssistantActions wraps the Gymnasium form"):
        DiscreteAssistantActions(gym.make("CartPole-v1"))
    with pytest.raises(ValueError, match="VectorFeatures or TokenizeText last"):
        DiscreteAssistantActions(VectorFeatures(tiny_env().env, 5, 5))
    with pytest.raises(ValueError, match="call reset first"):
        tiny_env().action_masks()


def test_it_is_rebuilt_from_its_spec() -> None:
    env = DiscreteAssistantActions(gym.make("SituRec-Supermarket-v0", images=False), candidates=3)
    again = gym.make(env.spec)
    assert again.action_space == env.action_space
