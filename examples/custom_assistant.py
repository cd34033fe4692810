"""Write your own assistant: sends the shopper to the nearest shelf in view and recommends what is within reach.

An assistant is two functions: ``initial_state(seed)`` and ``step(observation, state) -> (action, state)``. It keeps no
hidden memory: what it wants to remember goes into the state. Play it against the simulated shopper like any other.

Run: python examples/custom_assistant.py
"""

from siturec_gym import supermarket_v0
from siturec_gym.core.actions import Act, AssistantAction, Recommendation, ToolCall
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines
from siturec_gym.evaluation.episode import play
from siturec_gym.users import make_user


class NearbyAssistant:
    """Knows nothing of needs; the state is the names it has recommended."""

    def initial_state(self, seed: int) -> tuple[str, ...]:
        """No product has been recommended yet."""
        return ()

    def step(self, observation: Observation, state: tuple[str, ...]) -> tuple[AssistantAction, tuple[str, ...]]:
        """Close, recommend, or lead on, by what is in view."""
        catalog = {line["name"]: line for line in parse_lines(observation["catalog"])}
        marks = parse_lines(observation["marks"])
        in_reach = [mark for mark in marks if mark["kind"] == "product" and mark["reachable"]]
        shelves = sorted((m for m in marks if m["kind"] == "fixture"), key=lambda mark: mark["distance_m"])
        ranking = tuple(catalog[mark["name"]]["product"] for mark in in_reach[:10])
        if observation["held"]:
            words = "Please add it to your cart if you like it."
            return AssistantAction(words, Act.CONFIRM_PURCHASE, ToolCall("add_to_cart"), ranking=ranking), state
        fresh = next((mark for mark in in_reach if mark["name"] not in state), None)
        if fresh is not None:
            words = f"I recommend the {fresh['name']}. Please pick it up."
            named = Recommendation(catalog[fresh["name"]]["product"], fresh["name"], visible_now=True)
            call = ToolCall("pick_up_item", target=fresh["handle"])
            return AssistantAction(words, Act.RECOMMEND, call, named, ranking=ranking), (*state, fresh["name"])
        if shelves:
            words, call = (
                f"Please go to the {shelves[0]['name']}.",
                ToolCall("move_to_fixture", target=shelves[0]["handle"], approach="nearest"),
            )
        else:
            words, call = "Please turn left 90 degrees.", ToolCall("turn", direction="left", angle_deg=90.0)
        return AssistantAction(words, Act.EXPLAIN, call), state


if __name__ == "__main__":
    env = supermarket_v0.raw_env(images=False)
    record = play(env, NearbyAssistant(), make_user("agenda"), "supermarket/03.2", seed=7)
    for turn in record.turns:
        print(f"{turn.turn:2} assistant: {turn.assistant.utterance}\n        user: {turn.user.utterance}")
    print(f"end: {record.end_reason}, cart: {record.cart}")
