"""Handles said aloud, over a corpus of labelled utterances and over what nobody should ever be masked for (S14)."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest

from siturec_gym.core.handles import PlaceKey, assign_handles
from siturec_gym.wrappers.spoken_handles import MASK, SpokenHandles

HERE = Path(__file__).parent
BRACED = re.compile(r"\{(\w+)\}")
SUPERMARKET = tuple(PlaceKey(f"F{number}", "fixture") for number in range(29))
HOME = (
    *(PlaceKey(f"S{number}", "store") for number in range(7)),
    *(PlaceKey(f"A{number}", "area", f"S{number % 7}") for number in range(24)),
)


@dataclass(frozen=True)
class Line:
    role: str
    places: tuple[PlaceKey, ...]
    products: int
    text: str
    spans: frozenset[tuple[int, int]]

    @property
    def known(self) -> Callable[[str], bool]:
        handles = assign_handles(self.role, self.places, [f"P{number}" for number in range(self.products)])
        return handles.entity_of.__contains__


def line_of(written: str) -> Line:
    head, _, braced = written.partition(" | ")
    role, *where, products = head.split()
    spans, text, taken = set(), "", 0
    for found in BRACED.finditer(braced):
        text += braced[taken : found.start()]
        spans.add((len(text), len(text) + len(found[1])))
        text += found[1]
        taken = found.end()
    text += braced[taken:]
    return Line(role, HOME if where else SUPERMARKET, int(products), text, frozenset(spans))


def corpus(name: str) -> list[Line]:
    lines = (HERE / f"{name}.txt").read_text().splitlines()
    return [line_of(line) for line in lines if line[0] != "#"]


CORPUS = corpus("spoken_handles")
SETS = {
    "development": [line for line in CORPUS if crc32(line.text.encode()) % 2],
    "held out": [line for line in CORPUS if not crc32(line.text.encode()) % 2],
    "more": corpus("spoken_handles_more"),
    "unseen": corpus("spoken_handles_unseen"),
}
WANTED = {"development": (0.98, 0.98), "held out": (0.98, 0.98), "more": (0.98, 0.98), "unseen": (0.95, 0.75)}
"""Precision and recall. The first two sets are the bar; the last shows what speech of a new kind would meet."""


def heard(line: Line) -> frozenset[tuple[int, int]]:
    mentions = SpokenHandles(line.role).heard(line.text, line.known)
    return frozenset((mention.start, mention.end) for mention in mentions)


def test_the_corpus_is_large_and_speaks_for_both_roles() -> None:
    assert len(CORPUS) >= 240
    for half in (SETS["development"], SETS["held out"]):
        assert len(half) > 150
        for role in ("assistant", "user"):
            spoken = sum(len(line.spans) for line in half if line.role == role)
            silent = sum(not line.spans for line in half if line.role == role)
            assert spoken > 40
            assert silent > 40


@pytest.mark.parametrize("name", SETS)
def test_precision_and_recall(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    results = [(heard(line), line) for line in SETS[name]]
    right = sum(len(found & line.spans) for found, line in results)
    found, labelled = sum(len(found) for found, _ in results), sum(len(line.spans) for _, line in results)
    precision, recall = right / found, right / labelled
    with capsys.disabled():
        print(f"\nspoken handles, {name}: {len(results)} utterances, {labelled} handles,", end=" ")
        print(f"precision {precision:.1%}, recall {recall:.1%}")
    wrong = [
        (line.text, [line.text[a:b] for a, b in sorted(found ^ line.spans)])
        for found, line in results
        if found != line.spans
    ]
    assert precision >= WANTED[name][0], wrong
    assert recall >= WANTED[name][1], wrong


def spoken_text(role: str, text: str, products: int = 12) -> str:
    return SpokenHandles(role, {"P012"}).masked(text, line_of(f"{role} {products} | x").known, 512)


@pytest.mark.parametrize(
    ("role", "text", "masked"),
    [
        ("assistant", "Take item C, it is $5.", f"Take item {MASK}, it is $5."),
        ("assistant", "C and D, or (E)?", f"{MASK} and {MASK}, or ({MASK})?"),
        ("assistant", "I like P012 best.", f"I like {MASK} best."),
        ("assistant", "P013 is not in this store.", "P013 is not in this store."),
        ("user", "Is 7 vegan? I need 2 bottles.", f"Is {MASK} vegan? I need 2 bottles."),
        ("user", "", ""),
    ],
)
def test_only_the_handle_is_masked(role: str, text: str, masked: str) -> None:
    assert spoken_text(role, text) == masked


@pytest.mark.parametrize("role", ["assistant", "user"])
@pytest.mark.parametrize(
    "word",
    ["I", "a", "2 bottles", "$5", "aisle 3", "7 UP", "vitamin B", "2%", "1 L", "size 4", "3 meters", "90 degrees"],
)
def test_words_prices_and_quantities_are_left_alone(role: str, word: str) -> None:
    for text in (f"I want {word}.", f"Is it {word}?", f"So {word} it is, and {word} too."):
        assert spoken_text(role, text) == text


def test_a_name_of_the_other_side_means_nothing() -> None:
    assert spoken_text("user", "C looks good, K too.") == "C looks good, K too."
    assert spoken_text("assistant", "AF looks good.") == "AF looks good."


def test_a_handle_that_stands_for_nothing_counts_only_when_named() -> None:
    assert spoken_text("assistant", "K is cheaper.", products=3) == "K is cheaper."
    assert spoken_text("assistant", "Item K is cheaper.", products=3) == f"Item {MASK} is cheaper."


def test_a_masked_text_stays_within_its_limit() -> None:
    text = "Take item C. " + "x" * 490
    assert len(SpokenHandles("assistant").masked(text, line_of("assistant 9 | x").known, 505)) == 505


def test_an_unknown_role() -> None:
    with pytest.raises(ValueError, match="cashier"):
        SpokenHandles("cashier")


def test_what_scripted_assistants_say_is_never_touched() -> None:
    listening = SpokenHandles("assistant")
    known = line_of("assistant 24 | x").known
    corpus = sorted((HERE.parent / "users" / "corpus").glob("*.jsonl"))
    texts = [json.loads(line)["utterance"] for file in corpus for line in file.read_text().splitlines()]
    touched = [text for text in texts if listening.heard(text, known)]
    assert len(texts) > 800
    assert len(touched) <= 2, touched
