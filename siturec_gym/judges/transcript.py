"""The textual record of an episode, as judges read it: names instead of ids, nothing of the hidden annotation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siturec_gym.catalog import Product
from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.records import EpisodeRecord, TurnRecord, ViewRecord
from siturec_gym.judges.mentions import MentionIndex, mention_index
from siturec_gym.llm.roles.text import quoted
from siturec_gym.scenes.scene import Scene
from siturec_gym.tasks.records import Goal, Profile

_ENDINGS = {
    "success_cart_added": "The shopper put an item into the cart.",
    "turn_limit": "The turn limit was reached without a purchase.",
    "recommendation_exhausted": "Three recommendations were made without a purchase.",
    "moderator_ended": "The conversation was over without a purchase.",
    "motion_stall": "The shopper could not get any further.",
    "generation_failure": "One side failed to answer.",
}
_SHOPPER_DOES = {
    Tool.IDLE: "stays where they are",
    Tool.ADD_TO_CART: "adds the item in hand to the cart",
    Tool.DROP_ITEM: "puts the item back",
    Tool.DO_NOT_ADD_TO_CART: "decides against the item they checked",
}
_TARGETED = {
    Tool.MOVE_TO_FIXTURE: "walks to {}",
    Tool.MOVE_TO_STORE: "walks to {}",
    Tool.MOVE_TO_AREA: "walks to {}",
    Tool.PICK_UP_ITEM: "picks up {}",
    Tool.CHECK_ITEM: "checks {}",
}
RECORD_FORM = 2
"""Goes up whenever the same episode is told in other words, so that scores of the two do not mix."""
AS_BEFORE = "as before"
INSPECTING = (Tool.PICK_UP_ITEM, Tool.CHECK_ITEM)


@dataclass(frozen=True)
class Transcript:
    """An episode with what is needed to understand it.

    Attributes:
        episode: The record.
        scene: The store it was played in.
        profile: Who the shopper was.
        goal: What the shopper came for. Judges know it; assistants never do.
    """

    episode: EpisodeRecord
    scene: Scene
    profile: Profile
    goal: Goal

    @property
    def index(self) -> MentionIndex:
        """Finds the store's products and places in what was said."""
        return mention_index(self.scene)

    def name_of(self, entity_id: str | None) -> str:
        """What people call a product or a place; the id itself where it stands for nothing."""
        product = self.scene.catalog.by_id.get(entity_id or "")
        place = self.scene.place_by_id.get(entity_id or "")
        named = product or place
        return named.name if named else (entity_id or "nothing")

    def dialogue(self) -> str:
        """Every turn: what was in view, what was said, what was done."""
        views = [self._view(turn.visible) for turn in self.episode.turns]
        shown = [AS_BEFORE if view == before else view for view, before in zip(views, ["", *views], strict=False)]
        turns = ["\n".join(self._turn(turn, view)) for turn, view in zip(self.episode.turns, shown, strict=True)]
        return "\n\n".join(turns) or "(no complete turn)"

    def ending(self) -> str:
        """How the episode ended, and what was bought."""
        ending = _ENDINGS.get(self.episode.end_reason, self.episode.end_reason)
        bought = ", ".join(self._facts(product) for product in self._products(self.episode.cart))
        return f"{ending} Bought: {bought}" if bought else ending

    def shopper(self) -> str:
        """Who the shopper is and what they came for."""
        goal = self.goal
        lines = [
            f"Who: {self.profile.persona}",
            f"Request: {goal.request}",
            f"Wants: {'; something '.join(self._words(goal.required_labels))}",
            f"Wants nothing: {'; nothing '.join(self._words(goal.unwanted_labels)) or '(no limits told)'}",
            f"Budget: at most ${goal.budget:.2f} ({goal.budget_tier})",
        ]
        return "\n".join(lines)

    def evidence(self) -> str:
        """The store's facts about every product that was named by the assistant, taken up or bought."""
        spoken = [product for turn in self.episode.turns for product in self.index.products(turn.assistant.utterance)]
        calls = [turn.user.tool_executed for turn in self.episode.turns]
        handled = [call.target for call in calls if call.tool in INSPECTING and call.target]
        ids = dict.fromkeys((*spoken, *handled, *self.episode.cart))
        facts = [f"- {self._facts(product)}; {self._where(product)}" for product in self._products(tuple(ids))]
        return "\n".join(facts) or "(no product was named or taken up)"

    def _turn(self, turn: TurnRecord, view: str) -> Iterator[str]:
        yield f"Turn {turn.turn}"
        yield f"In view: {view}"
        yield f"Assistant: {quoted(turn.assistant.utterance)}"
        yield f"Shopper: {quoted(turn.user.utterance)}"
        yield f"Shopper's action: {self._action(turn)}"

    def _view(self, view: ViewRecord) -> str:
        places = ", ".join(map(self.name_of, view.places)) or "no place"
        products = ", ".join(map(self.name_of, view.products)) or "no product"
        return f"{places} | {products}"

    def _action(self, turn: TurnRecord) -> str:
        words = self._does(turn.user.tool_requested)
        refusal = turn.user.refusal
        return f"tries: {words}; not possible ({refusal.replace('_', ' ')})" if refusal else words

    def _does(self, call: ToolCall) -> str:
        if call.tool in _TARGETED:
            side = f"the {call.approach.replace('_', ' ')} of " if call.approach not in (None, "nearest") else ""
            return _TARGETED[Tool(call.tool)].format(f"{side}{self.name_of(call.target)}")
        if call.tool in _SHOPPER_DOES:
            return _SHOPPER_DOES[Tool(call.tool)]
        metres = call.distance_m if call.distance_m is not None else call.duration_s
        amounts = (call.direction, _amount(call.angle_deg, "degrees"), _amount(metres, "m"))
        return " ".join((call.tool.replace("_", " "), *(amount for amount in amounts if amount)))

    def _words(self, labels: Sequence[str]) -> list[str]:
        return [self.goal.needs.get(label, label) for label in labels]

    def _products(self, ids: Sequence[str]) -> list[Product]:
        return [self.scene.catalog.by_id[id_] for id_ in ids if id_ in self.scene.catalog.by_id]

    def _facts(self, product: Product) -> str:
        details = [f"{name.replace('_', ' ')}: {_detail(value)}" for name, value in product.details.items() if value]
        tags = f"; tags: {', '.join(product.tags)}" if product.tags else ""
        return f"{product.name} (${product.price:.2f}; {product.category}{tags}; {'; '.join(details)})"

    def _where(self, product: Product) -> str:
        places = [self.name_of(place) for place in self.scene.places_of_product.get(product.id, ())]
        return f"kept at: {', '.join(places) or 'no place'}"


def _amount(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:g} {unit}"


def _detail(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {item}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
