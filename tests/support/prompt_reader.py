"""A shop assistant that plays from the text of its prompt alone: what it cannot read there, it does not know."""

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

from siturec_gym.llm import ChatRequest

PRODUCT = re.compile(r"^(P\d+) ([^;\n]+); (.*)$", re.M)
HEADING = re.compile(r"^([^\n;]+?)(?:, at ([^\n:]+))?:$", re.M)
PLACE = re.compile(r"^(\w+) ([^\n(]+) \(([^)\n]*)\) at \((\S+), (\S+)\)", re.M)
MARK = re.compile(r"^(\w+) ([^\n]+): (\S+) m, (ahead|\d+ degrees (?:left|right))(?:; approach ([^\n]+))?$", re.M)
NEAR = re.compile(r"^([A-Z]+) [^\n]+ \((P\d+)\): [^\n]+, within reach$", re.M)
STOPS = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "that",
        "this",
        "some",
        "would",
        "like",
        "have",
        "need",
        "want",
        "looking",
        "please",
        "about",
    ]
)


@dataclass
class Prompt:
    """What the two messages say, as far as it is needed to sell something."""

    request: ChatRequest
    stock: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.system, self.asked = (message.text for message in self.request.messages[:2])
        self.said, self.now = self.asked.split("\n# Turn ", 1)
        category, shared = "", ""
        for line in self.system.split("# Catalogue\n")[1].split("\n"):
            if product := PRODUCT.match(line):
                id_, name, rest = product.groups()
                where = shared or rest.rpartition("; at ")[2]
                price = float(re.search(r"\$([\d.]+)", rest)[1])
                words = f"{category} {name} {rest.partition(';')[0]} {rest}".lower()
                self.stock[id_] = {"name": name, "price": price, "words": words, "where": where.split(" and ")[0]}
            elif heading := HEADING.match(line):
                category, shared = heading[1], heading[2] or ""
        self.places = {m[1]: (m[2], float(m[4]), float(m[5])) for m in PLACE.finditer(self.system)}
        self.marks = {m[1]: (m[2], float(m[3]), (m[5] or "").split(", ")) for m in MARK.finditer(self.now)}
        self.near = {id_: handle for handle, id_ in NEAR.findall(self.now)}
        self.pose = tuple(
            map(float, re.search(r"stands at \((\S+), (\S+)\), heading (\S+) degrees", self.now).groups())
        )
        held = re.search(r"^(?:In hand|Under check): (P\d+)", self.now, re.M)
        self.held = held[1] if held else None
        self.turn = int(self.now.partition("\n")[0])
        self.possible = re.search(r"^Possible now: (.*)$", self.now, re.M)[1]
        self.inspection = "check_item" if "check_item" in self.system else "pick_up_item"

    def heard(self) -> str:
        lines = re.findall(r"^\d+ Shopper: (.*) \[[^\]]*\]$", self.said, re.M)
        return " ".join(lines).lower()

    def ranked(self) -> list[str]:
        """Ids by how many of the shopper's words fit, those over the budget last."""
        heard = self.heard()
        words = {word.rstrip("s") for word in re.findall(r"[a-z-]{4,}", heard) if word not in STOPS}
        limits = [float(price) for price in re.findall(r"\$(\d+(?:\.\d\d)?)", heard)]
        limit = limits[-1] if limits else math.inf

        def score(id_: str) -> tuple[bool, int, float]:
            item = self.stock[id_]
            return item["price"] <= limit, sum(word in item["words"] for word in words), -item["price"]

        return sorted(self.stock, key=score, reverse=True)


def reply(request: ChatRequest) -> str:
    """The reply to a turn's prompt."""
    prompt = Prompt(request)
    ranking = prompt.ranked()
    action, call, words = _decided(prompt, ranking[0])
    return json.dumps(
        {
            "ranking": ranking[:10],
            "action": action,
            "expected_user_action": call,
            "utterance": words,
            "tool_calls": [],
        }
    )


def _decided(prompt: Prompt, best: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    item = prompt.stock[best]
    if prompt.turn == 0:
        return {"act": "Greet"}, {"tool": "idle"}, "Hello! What are you looking for today?"
    if prompt.held:
        held = prompt.stock[prompt.held]
        words = f"It costs ${held['price']:.2f} and it fits what you told me. Would you like to add it to your cart?"
        return {"act": "ConfirmPurchase"}, {"tool": "add_to_cart"}, words
    question = (" What is your budget?", " What qualities matter to you?", " Is there anything you do not want?")
    asking = question[prompt.turn - 1] if prompt.turn <= 3 else ""
    if best in prompt.near and prompt.turn > 2:
        return _put_forward(prompt, best)
    return _on_the_way(prompt, item["where"], asking)


def _put_forward(prompt: Prompt, best: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    item = prompt.stock[best]
    call = {"tool": prompt.inspection, "target": prompt.near[best]}
    words = f"I recommend the {item['name']}. It costs ${item['price']:.2f}. Please take a look at it."
    if prompt.inspection == "pick_up_item":
        words = words.replace("take a look at it", "pick it up")
    if f"I recommend the {item['name']}" in prompt.said:
        return {"act": "Explain"}, call, words.partition(". ")[2]
    action = {
        "act": "Recommend",
        "product": best,
        "display_name": item["name"],
        "visible_now": True,
        "reason": "It fits",
    }
    return action, call, words


def _on_the_way(prompt: Prompt, where: str, asking: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    goal, _, side = where.partition(" ")
    home = prompt.inspection == "check_item"
    store = re.match(r"\d+", goal)[0]
    stop = goal if goal in prompt.marks else store
    lead: dict[str, Any] = {"act": "Navigate", "navigation_goal": goal}
    if stop in prompt.marks and prompt.marks[stop][1] > 1.0:
        name, _, approaches = prompt.marks[stop]
        approach = next((a for a in (side, "inside_doorway", "outside_doorway", "nearest") if a in approaches), None)
        call: dict[str, Any] = {"tool": "move_to_store" if home else "move_to_fixture", "target": stop}
        call = {"tool": "move_to_area", "target": stop} if stop != store else call | {"approach": approach}
        lead |= {"next_waypoint": stop, "target_approach": call.get("approach")} if home else {}
        spot = {"front": "front of the ", "back": "back of the ", "inside_doorway": "inside of the "}.get(approach, "")
        return lead | {"reason": "It stands there"}, call, f"Please go to the {spot}{name}.{asking}"
    lead |= {"next_waypoint": None, "target_approach": None} if home else {}
    x, y, heading = prompt.pose
    _, goal_x, goal_y = prompt.places[stop if stop in prompt.places else goal]
    angle = (math.degrees(math.atan2(goal_y - y, goal_x - x)) - heading + 180) % 360 - 180
    angle = 90.0 if abs(angle) < 20 else angle
    degrees = max(5, 5 * round(abs(angle) / 5))
    call = {"tool": "turn", "direction": "left" if angle > 0 else "right", "angle_deg": degrees}
    words = f"Please turn {call['direction']} about {degrees} degrees.{asking}"
    return lead | {"reason": "It is over there"}, call, words
