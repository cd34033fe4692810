"""How a model plays: ranges of its settings, and what a manifest keeps."""

import json

import pytest

from siturec_gym.llm.messages import Decoding
from siturec_gym.llm.roles.settings import RoleSettings


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"images": -1}, "images must be 0 or more, got -1"),
        ({"image_side": 27}, "image_side must be at least 28 pixels, got 27"),
        ({"context_tokens": 1023}, "context_tokens must be at least 1024, got 1023"),
        ({"utterance_chars": 0}, "utterance_chars must be from 1 to 512, got 0"),
        ({"utterance_chars": 513}, "utterance_chars must be from 1 to 512, got 513"),
        ({"reason_chars": 257}, "reason_chars must be from 1 to 256, got 257"),
    ],
)
def test_values_out_of_range_are_named(values, problem):
    with pytest.raises(ValueError, match=problem):
        RoleSettings(**values)


def test_a_manifest_keeps_every_setting():
    kept = json.loads(json.dumps(RoleSettings(decoding=Decoding(temperature=0.5, extra={"top_k": 5})).public()))
    assert kept["decoding"]["temperature"] == 0.5
    assert kept["decoding"]["extra"] == {"top_k": 5}
    assert (kept["images"], kept["image_side"], kept["context_tokens"]) == (1, 512, None)
