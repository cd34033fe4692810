"""The two assistants without a thought, and choosing assistants by name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.actions import Act, AssistantAction
from siturec_gym.core.legality import legal_actions
from siturec_gym.policies import ASSISTANTS, make_assistant


def actions(name: str, observation: dict[str, Any], count: int) -> list[AssistantAction]:
    policy = make_assistant(name)
    return [policy.step(observation, policy.initial_state(seed))[0] for seed in range(count)]


def test_random_actions_are_legal_annotated_and_varied(first_observation: dict[str, Any]) -> None:
    legal = legal_actions(first_observation)
    chosen = actions("random", first_observation, 120)
    for action in chosen:
        call = action.expected_user_action
        assert call is not None
        assert legal.allows(call.tool, call.target, call.approach)
        assert (action.recommendation is not None) == (action.act == Act.RECOMMEND)
        assert (action.navigation is not None) == (action.act == Act.NAVIGATE)
        assert len(set(action.ranking)) == 10
    assert {action.act for action in chosen} == set(Act)
    assert len({action.utterance for action in chosen}) > 50


def test_random_product_names_and_annotates_a_product_every_time(first_observation: dict[str, Any]) -> None:
    for action in actions("random_product", first_observation, 30):
        assert action.act == Act.RECOMMEND
        assert action.recommendation is not None
        assert action.recommendation.display_name in action.utterance
        assert action.ranking[0] == action.recommendation.product


@pytest.mark.parametrize("name", ["random", "random_product", "heuristic"])
@given(seed=st.integers(0, 2**31), turn=st.integers(0, 19))
def test_actions_survive_encoding_and_depend_on_the_seed_alone(
    name: str, real_env: Any, first_observation: dict[str, Any], seed: int, turn: int
) -> None:
    observation = {**first_observation, "turn": turn}
    policy, again = make_assistant(name), make_assistant(name)
    action, _ = policy.step(observation, policy.initial_state(seed))
    assert again.step(observation, again.initial_state(seed))[0] == action
    assert real_env.decode_action("assistant", real_env.encode_action("assistant", action)) == action


def test_names_and_options_are_checked() -> None:
    assert ASSISTANTS == ("random", "random_product", "heuristic", "privileged")
    with pytest.raises(ValueError, match="unknown assistant 'clever'; available: random"):
        make_assistant("clever")
    with pytest.raises(ValueError, match="does not take the options"):
        make_assistant("random", colour="red")
    with pytest.raises(ValueError, match="needs reference_set"):
        make_assistant("privileged")


def test_policies_import_nothing_private() -> None:
    """``policies`` may not reach tasks, users or environments."""
    import subprocess
    import sys

    private = "('siturec_gym.tasks', 'siturec_gym.users', 'siturec_gym.envs')"
    code = (
        "import sys; from siturec_gym.policies import make_assistant; make_assistant('heuristic'); "
        "make_assistant('random'); make_assistant('privileged', reference_set=('P001',)); "
        f"print([m for m in sys.modules if m.startswith({private})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
