"""benchmarks/prompt_tokens.py: the figures that docs/serving.md and docs/assistants.md give."""

import importlib.util
import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from schema_reply import reply_to

from siturec_gym.evaluation.prompt_preview import Preview, previewed
from siturec_gym.llm.messages import ImagePart

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "prompt_tokens.py"
SUPERMARKET = "SituRec-Supermarket-v0"


@pytest.fixture(scope="module")
def tokens() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prompt_tokens", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def measured(tokens: ModuleType) -> dict[str, Any]:
    return tokens.measured(SUPERMARKET, 1, lambda text: len(text.split()))


def request_of(role: str, turn: int) -> Any:
    return previewed(Preview(role, SUPERMARKET, turn=turn))[1]


def test_a_requests_text_is_measured_without_its_pictures(measured):
    told, request = measured["assistant"], request_of("assistant", 0)
    system, asked = request.messages
    assert told["longest"]["static_characters"] == told["mean"]["static_characters"] == len(system.text)
    assert told["longest"]["static_tokens"] == len(system.text.split())
    assert told["mean"]["pictures"] == sum(isinstance(part, ImagePart) for part in asked.parts) == 2
    assert len(system.text) + len(asked.text) <= told["longest"]["characters"]


def test_what_repeats_is_what_two_requests_begin_with_alike(tokens):
    tally, one, other = tokens.Tally(None), request_of("user", 0), request_of("user", 1)
    for request in (one, one, other):
        tally.asked(request)
    first_picture = next(i for i, part in enumerate(one.messages[1].parts) if isinstance(part, ImagePart))
    lead = one.messages[0].text + "".join(part.text for part in one.messages[1].parts[:first_picture])
    assert tally.longest["repeated_characters"] == len(lead)
    assert 2 * len(lead) > tally.sums["repeated_characters"] >= len(lead) + len(one.messages[0].text)


@pytest.mark.parametrize("role", ["assistant", "user"])
def test_no_reply_is_longer_than_the_longest_that_its_schema_allows(tokens, role):
    schema = request_of(role, 2).schema
    longest = tokens.longest_value(schema)
    jsonschema.validate(longest, schema)
    most = len(json.dumps(longest))
    assert most > 400
    assert all(len(reply_to(schema, random.Random(seed))) < most for seed in range(50))


def test_the_longest_reply_by_hand(tokens):
    calls = [{"tool": "idle"}, {"tool": "turn", "direction": "right", "angle_deg": 180}]
    schema = {
        "type": "object",
        "properties": {
            "utterance": {"type": "string", "pattern": r"^[!#-\[\]-~][ !#-\[\]-~]{0,399}$"},
            "call": {"anyOf": [{"enum": calls}, {"type": "null"}, {"type": "boolean"}]},
            "ranking": {"type": "array", "items": {"enum": ["P1", "P222"]}, "maxItems": 3},
        },
    }
    longest = tokens.longest_value(schema)
    assert longest == {"utterance": "x" * 400, "call": calls[1], "ranking": ["P222"] * 3}


def test_replies_of_scripted_roles_are_measured_in_the_form_of_models(measured):
    for role, least in (("assistant", 100), ("user", 40)):
        told = measured[role]
        assert least < told["mean"]["reply_characters"] < told["longest"]["reply_characters"]
        assert told["longest"]["reply_characters"] < told["longest"]["possible_reply_characters"]
        assert told["episode"]["requests"] * told["mean"]["characters"] == pytest.approx(
            told["episode"]["characters"], rel=1e-3
        )


def test_it_prints_both_stores(tokens, monkeypatch, capsys):
    monkeypatch.setattr(tokens, "measured", lambda env_id, tasks, count: [env_id, tasks, count])
    monkeypatch.setattr(sys, "argv", ["prompt_tokens.py", "--tasks", "3"])
    tokens.main()
    printed = json.loads(capsys.readouterr().out)
    assert printed == {name: [name, 3, None] for name in (SUPERMARKET, "SituRec-HomeFurnishings-v0")}
