"""S15: a spoken recommendation of a specific item is heard, whatever the annotation says."""

import json
from pathlib import Path
from typing import Any

import pytest

from siturec_gym.envs.situated.references import Surroundings
from siturec_gym.envs.situated.spoken import SpokenRecommendations
from siturec_gym.scenes import load_scene

CORPUS = Path(__file__).parent / "corpus"

HEARD = [
    "I recommend the Alder Whole Milk 1 L.",
    "I would strongly suggest Alder Whole Milk.",
    "How about the alder whole milk 1 l? It is fresh.",
    "You should try the Alder Whole Milk!",
    "The Alder Whole Milk 1 L is a great choice for breakfast.",
    "Why not take the Alder Whole Milk 1 L?",
    "My pick: Alder Whole Milk 1 L",
    "Hello! Alder Whole Milk 1 L would suit you well.",
    "Please pick up the Alder Whole Milk 1 L.",
]
NOT_HEARD = [
    "Hello! What are you looking for?",
    "Please walk to the Milk Shelf.",
    "The Alder Whole Milk 1 L costs $1.49.",
    "I would not recommend the Alder Whole Milk 1 L.",
    "I recommend something fresh.",
    "What about your budget? The Alder Whole Milk 1 L is on the left.",
    "",
]


@pytest.fixture
def listener(tiny_scene: Any) -> SpokenRecommendations:
    return SpokenRecommendations(tiny_scene.catalog)


@pytest.mark.parametrize("utterance", HEARD)
def test_recommendations_are_heard(listener: SpokenRecommendations, utterance: str) -> None:
    assert listener.heard(utterance) == ("P001",)


@pytest.mark.parametrize("utterance", NOT_HEARD)
def test_other_talk_is_not(listener: SpokenRecommendations, utterance: str) -> None:
    assert listener.heard(utterance) == ()


def corpus(name: str) -> list[tuple[str, str, str]]:
    lines = [line.split("\t") for line in (CORPUS / f"{name}.tsv").read_text("utf-8").splitlines()]
    return [(context, product, utterance) for context, product, utterance in lines]


@pytest.fixture(scope="module")
def judged() -> Any:
    """What is heard in an utterance of the corpus: names of products."""
    supermarket = load_scene("supermarket")
    listener = SpokenRecommendations(supermarket.catalog, [place.name for place in supermarket.navigation_targets])
    id_of = {product.name: product.id for product in supermarket.catalog}
    contexts = json.loads((CORPUS / "contexts.json").read_text("utf-8"))

    def hear(context: str, utterance: str) -> tuple[str, ...]:
        around = contexts[context]
        in_view, mentioned = ([id_of[name] for name in around.get(key, ())] for key in ("view", "mentioned"))
        surroundings = Surroundings(tuple(in_view), id_of.get(around.get("held", "")), tuple(mentioned))
        return tuple(supermarket.catalog.by_id[id_].name for id_ in listener.heard(utterance, surroundings))

    return hear


@pytest.mark.parametrize("name", ["development", "held_out"])
def test_precision_and_recall_on_the_corpus(name: str, judged: Any, capsys: pytest.CaptureFixture[str]) -> None:
    lines = corpus(name)
    heard = [(product, judged(context, utterance)) for context, product, utterance in lines]
    flagged = [product for product, names in heard if names]
    meant = [names for product, names in heard if product != "-"]
    precision = sum(product != "-" for product in flagged) / len(flagged)
    recall = sum(map(bool, meant)) / len(meant)
    with capsys.disabled():
        print(f"\nspoken recommendations, {name}: {len(lines)} lines, precision {precision:.1%}, recall {recall:.1%}")
    assert precision >= 0.95
    assert recall >= 0.95


def test_the_product_heard_is_the_one_meant(judged: Any) -> None:
    for name in ("development", "held_out"):
        for context, product, utterance in corpus(name):
            names = judged(context, utterance)
            assert product == "-" or not names or names == (product,), utterance


def test_the_corpus_is_large_and_its_halves_share_no_line() -> None:
    development, held_out = ({line[2] for line in corpus(name)} for name in ("development", "held_out"))
    assert len(held_out) >= 60
    assert len(development) + len(held_out) >= 120
    assert not development & held_out


def test_a_pronoun_means_what_is_in_the_hand_or_was_spoken_of(listener: SpokenRecommendations) -> None:
    said = "It is just right for you, please add it to your cart."
    assert listener.heard(said) == ()
    assert listener.heard(said, Surroundings(mentioned=("P001",))) == ("P001",)
    assert listener.heard(said, Surroundings(held="P002", mentioned=("P001",))) == ("P002",)
    assert listener.heard("Would you like to add it to your cart?", Surroundings(held="P002")) == ()
