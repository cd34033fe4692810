"""Longer turns, in many people's styles: what each sentence does depends on those around it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from siturec_gym.users.agenda.understanding import Context, Heading, Kind, Slot, understand

GOUDA, MOZZARELLA = "Alpenbrook Mild Gouda Slices 200 g", "Caselvino Mozzarella Ball 125 g"
GOAT, COOLER = "Caprilune Organic Soft Goat Cheese 150 g", "Cheese & Dips Cooler"
SEEN = Context(products=(GOUDA, MOZZARELLA, GOAT), places=(COOLER, "Frozen Pizza Freezer"))
HELD = Context(products=SEEN.products, places=SEEN.places, held=MOZZARELLA)
SPOKEN = Context(products=SEEN.products, places=SEEN.places, mentioned=(MOZZARELLA,))


def acts(said: str, context: Context) -> list[tuple[Kind, str | None]]:
    found = understand(said, context).acts
    return [(act.kind, act.slot or act.product or act.place or act.direction) for act in found]


@pytest.mark.parametrize(
    ("said", "context", "expected"),
    [
        ("It contains milk, which you avoid. Please put it back.", HELD,
         [(Kind.INFORM, MOZZARELLA), (Kind.PUT_BACK, MOZZARELLA)]),
        ("You want something mild. The Alpenbrook Mild Gouda Slices 200 g cost $3.49.", SEEN,
         [(Kind.RECOMMEND, GOUDA)]),
        ("The mozzarella costs $1.99.", SPOKEN, [(Kind.INFORM, MOZZARELLA)]),
        ("The mozzarella is $1.99. The goat cheese is $3.99.", SEEN, [(Kind.COMPARE, MOZZARELLA)]),
        ("I'd take the goat cheese rather than the mozzarella.", SEEN,
         [(Kind.COMPARE, GOAT), (Kind.RECOMMEND, GOAT)]),
        ("We'll skip the mozzarella. How about the gouda?", SPOKEN, [(Kind.REJECT_ACK, None), (Kind.RECOMMEND, GOUDA)]),
        ("I'm sorry for suggesting the mozzarella.", SPOKEN, [(Kind.APOLOGISE, None)]),
        ("Mozzarella. Grab it.", SEEN, [(Kind.PICK_UP, MOZZARELLA)]),
        ("Got it, mild and under three dollars.", SEEN, [(Kind.OTHER, None)]),
        ("PICK ITEM: CASELVINO MOZZARELLA BALL 125 G.", SEEN, [(Kind.PICK_UP, MOZZARELLA)]),
        ("go 2 the cheese coolr", SEEN, [(Kind.NAVIGATE_PLACE, COOLER)]),
        ("put it bakc its spicy", HELD, [(Kind.PUT_BACK, MOZZARELLA), (Kind.INFORM, MOZZARELLA)]),
        ("Would you mind putting it back?", HELD, [(Kind.PUT_BACK, MOZZARELLA)]),
        ("Once you reach the cheese cooler, pick up the gouda.", SEEN,
         [(Kind.NAVIGATE_PLACE, COOLER), (Kind.PICK_UP, GOUDA)]),
        ("How sweet is that!", HELD, [(Kind.OTHER, None)]),
        ("For whom, and what for?", SEEN, [(Kind.ASK, Slot.RECIPIENT), (Kind.ASK, Slot.USE)]),
        ("It costs $1.99, a bit over your limit. Would that be alright?", HELD,
         [(Kind.INFORM, MOZZARELLA), (Kind.ASK, Slot.PRICE)]),
    ],
)  # fmt: skip
def test_turns(said, context, expected):
    assert sorted(acts(said, context), key=str) == sorted(expected, key=str)


CORPUS = Path(__file__).parents[2] / "corpus"
TURNS = ("turns.txt", "turns_more.txt")
SHORT = {
    "nav": "navigate_place", "rec": "recommend", "comp": "compare", "pick": "pick_up", "back": "put_back",
    "cart": "add_to_cart",
}  # fmt: skip


def _turns() -> Iterator[tuple[str, Context, list[tuple[str, ...]]]]:
    """Utterance, context and wanted key acts of every line of our files of turns, read as one."""
    goods: dict[str, tuple[str, ...]] = {}
    for line in (line for name in TURNS for line in (CORPUS / name).read_text("utf-8").splitlines()):
        if line.startswith("@"):
            name, _, listed = line[1:].partition(": ")
            goods[name] = tuple(listed.split("; "))
        elif not line.startswith("#"):
            where, acts_said, utterance = line.split(" | ", 2)
            name, *minds = where.strip().split("/")
            known = (*goods[name], *goods["places"])
            mind = {key: _full(part, known) for key, _, part in (mind.partition("=") for mind in minds)}
            context = Context(goods[name], goods["places"], mind.get("held"), tuple({mind["m"]} if "m" in mind else ()))
            yield utterance, context, [_key(act, known) for act in acts_said.split(" + ") if act != "-"]


def _key(act: str, known: Sequence[str]) -> tuple[str, ...]:
    kind, _, value = act.partition(":")
    kind = SHORT.get(kind, kind)
    plain = kind in {"ask", "move"} or value in set(Heading)
    known = known[::-1] if kind == "navigate_place" else known
    parts = [value] if kind == "navigate_place" else value.split(",")
    return (kind, *sorted(part if plain else _full(part, known) for part in parts if part))


def _full(part: str, known: Sequence[str]) -> str:
    return next(name for name in known if part.lower() in name.lower())


def test_accuracy_on_our_own_turns(measuring):
    right = total = 0
    for utterance, context, wanted in _turns():
        found = [measuring.key_of(act.kind, measuring.fields_of(act)) for act in understand(utterance, context).acts]
        right += sorted({key for key in found if key[0] != Kind.OTHER}, key=str) == sorted(set(wanted), key=str)
        total += 1
    assert total >= 1400
    assert right / total >= 0.96


@pytest.mark.parametrize(
    ("name", "half", "bar"),
    [("paraphrases.txt", "development_speakers", 0.85), ("paraphrases_plain.txt", "development", 0.97)],
)
def test_accuracy_on_paraphrases_of_the_development_turns(measuring, name, half, bar):
    entries = measuring.read_corpus(half)
    lines = (CORPUS / name).read_text("utf-8").splitlines()
    pairs = [line.split(" | ", 1) for line in lines if not line.startswith("#")]
    right = sum(measuring.understood(entries[int(number)] | {"utterance": said}) for number, said in pairs)
    assert len(pairs) >= 150
    assert right / len(pairs) >= bar
