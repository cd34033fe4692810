"""S15: a spoken recommendation of a specific item is heard, whatever the annotation says."""

from typing import Any

import pytest

from siturec_gym.envs.situated.spoken import SpokenRecommendations

HEARD = [
    "I recommend the Alder Whole Milk 1 L.",
    "I would strongly suggest Alder Whole Milk.",
    "How about the alder whole milk 1 l? It is fresh.",
    "You should try the Alder Whole Milk!",
    "The Alder Whole Milk 1 L is a great choice for breakfast.",
    "Why not take the Alder Whole Milk 1 L?",
    "My pick: Alder Whole Milk 1 L",
    "Hello! Alder Whole Milk 1 L would suit you well.",
]
NOT_HEARD = [
    "Hello! What are you looking for?",
    "Please walk to the Milk Shelf.",
    "The Alder Whole Milk 1 L costs $1.49.",
    "I would not recommend the Alder Whole Milk 1 L.",
    "I recommend something fresh.",
    "What about your budget? The Alder Whole Milk 1 L is on the left.",
    "Please pick up the Alder Whole Milk 1 L.",
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
