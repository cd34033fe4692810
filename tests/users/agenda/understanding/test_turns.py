"""Longer turns, in many people's styles: what each sentence does depends on those around it."""

import pytest

from siturec_gym.users.agenda.understanding import Context, Kind, Slot, understand

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
