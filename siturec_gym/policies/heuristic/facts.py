"""True statements about a product, straight from the catalog."""

from siturec_gym.policies.heuristic.beliefs import Belief, met_needs
from siturec_gym.policies.heuristic.hearing import Heard, Mention
from siturec_gym.policies.heuristic.vocabulary import ALLERGEN, LABEL
from siturec_gym.policies.heuristic.wording import Say, dollars, listing, say
from siturec_gym.policies.knowledge import Item

FOOD_FACTS = ("needs", "price", "allergens", "packaging", "nutrition", "flavour", "size")
HOME_FACTS = ("needs", "price", "material", "colour", "style", "dimensions")


def facts_about(item: Item) -> tuple[str, ...]:
    """Kinds of fact the catalog holds about an item, in the order in which they are told."""
    return HOME_FACTS if "material" in item.details else FOOD_FACTS


def fact(item: Item, kind: str, belief: Belief) -> list[Say]:
    """The sentences of one kind of fact; empty where there is nothing to say."""
    match kind:
        case "needs":
            return _needs(item, belief)
        case "price":
            within = belief.budget is not None and item.price <= belief.budget
            return [say("budget" if within else "price", price=dollars(item.price))]
        case "allergens":
            named = item.allergens
            return [say("allergens", allergens=listing(named))] if named else [say("allergens.none")]
        case "packaging":
            return [say("packaging", packaging=item.packaging)]
        case "nutrition":
            return [_nutrition(item)]
        case "flavour":
            return [say("flavour", flavour=item.flavour) if item.flavour else say("flavour.none")]
        case "size":
            return [say("size", size=item.size)]
        case "material" | "colour" | "style" | "dimensions":
            return [say(kind, value=str(item.details[kind]))] if item.details.get(kind) else []
    return []


def answers(item: Item, heard: Heard, belief: Belief) -> tuple[list[Say], tuple[str, ...]]:
    """Sentences that answer what was asked about ``item``, and the kinds of fact they tell."""
    kinds = tuple(kind for kind in heard.questions if kind in facts_about(item))
    sentences = [_verdict(item, mention) for mention in heard.asked[:3] if _label(mention)]
    if sentences and "price" not in kinds:
        kinds = tuple(kind for kind in kinds if kind not in ("allergens", "flavour", "nutrition"))
    for kind in kinds[:3]:
        sentences += fact(item, kind, belief)
    if not sentences and "reason" in heard.questions:
        sentences = _needs(item, belief) or [say("needs", labels=listing(item.tags[:3]))]
        kinds = ("needs",)
    return sentences, kinds


def _label(mention: Mention) -> str:
    """The label a question is about, in words; "" where it is about none that can be checked."""
    return next((label.rpartition(": ")[2] for label in mention.labels), "") if mention.kind != "use" else ""


def _verdict(item: Item, mention: Mention) -> Say:
    label, truth = _label(mention), item.id in mention.fits
    contains = mention.kind == ALLERGEN or set(mention.labels) & {"milk", "egg", "nuts", "peanuts", "fish"}
    if contains:
        inside = truth or label in item.allergens
        return say("yes.contains" if inside else "no.contains", label=label)
    return say("yes" if truth else "no", label=label)


def _needs(item: Item, belief: Belief) -> list[Say]:
    met = [mention for mention in met_needs(belief, item) if mention.kind in (LABEL, ALLERGEN)]
    has = tuple(dict.fromkeys(label for mention in met if mention.wanted for label in mention.labels))
    named = [label for label in has if label in item.tags][:4] or list(item.tags[:3])
    sentences = [say("needs", labels=listing(named))] if named else []
    if any(not mention.wanted for mention in met):
        sentences.append(say("without"))
    return sentences


def _nutrition(item: Item) -> Say:
    if item.nutrition is None:
        return say("nutrition.none")
    per = {key.split("_")[0]: f"{value:g}" for key, value in item.nutrition.items()}
    return say("nutrition", **per)
