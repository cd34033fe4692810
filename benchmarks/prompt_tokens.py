"""How long the prompts of roles are that language models play, what of them repeats, and how long replies are.

    python benchmarks/prompt_tokens.py [--tasks 5] [--tokenizer FILE]

Scripted roles play the first tasks of each store; in every turn the request that a model would be sent is made and
measured. FILE counts its tokens: a tokenizer.json (package tokenizers) or a tekken.json (package mistral-common). A
server adds the few tokens of its chat form. Pictures are told apart, for their tokens depend on the model.

Of a request's text, "static" is the first message, and "repeated" what it has in common, from its start and up to the
first picture, with the request before: the most that a prefix cache can find. A "reply" is what the scripted role said
and did in the form of a model's reply; "possible_reply" is the longest that the schema of any turn allows.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Any

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.records import TurnRecord
from siturec_gym.evaluation.beside import Beside
from siturec_gym.evaluation.environments import ENVIRONMENTS, make_env, task_bank
from siturec_gym.evaluation.episode import play
from siturec_gym.judges.moderator import rule_moderator
from siturec_gym.llm import ChatRequest, ImagePart, ScriptedClient
from siturec_gym.llm.structured import Asker
from siturec_gym.policies import make_assistant
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.users import make_user
from siturec_gym.users.llm import LLMUser

Count = Callable[[str], int]


class Tally:
    """Sums over the requests and replies of a role."""

    def __init__(self, count: Count | None) -> None:
        self._count = count
        self._before = ""
        self.sums: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()

    def asked(self, request: ChatRequest) -> None:
        lead = _until_a_picture(request)
        found = self._lengths("", "".join(message.text for message in request.messages))
        found |= self._lengths("static_", request.messages[0].text)
        found |= self._lengths("repeated_", _shared(self._before, lead))
        found["pictures"] = sum(isinstance(part, ImagePart) for message in request.messages for part in message.parts)
        found["schema_characters"] = len(json.dumps(request.schema))
        self._before = lead
        self._add(found | {"requests": 1})
        self.longest |= Counter({"possible_reply_characters": len(json.dumps(longest_value(request.schema or {})))})

    def answered(self, reply: str) -> None:
        self._add(self._lengths("reply_", reply))

    def _lengths(self, name: str, text: str) -> dict[str, int]:
        return {f"{name}characters": len(text)} | ({f"{name}tokens": self._count(text)} if self._count else {})

    def _add(self, found: dict[str, int]) -> None:
        self.sums.update(found)
        self.longest |= Counter(found)

    def told(self, episodes: int) -> dict[str, Any]:
        """Means of a request and its reply, the longest ones, and means of an episode."""
        requests = self.sums["requests"]
        return {
            "mean": {name: round(value / requests) for name, value in self.sums.items() if name != "requests"},
            "longest": {name: value for name, value in self.longest.items() if name != "requests"},
            "episode": {name: round(self.sums[name] / episodes, 1) for name in ("requests", "characters", "tokens")},
        }


def _shared(one: str, other: str) -> str:
    """What two texts have in common from their start."""
    return "".join(mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _until_a_picture(request: ChatRequest) -> str:
    text = ""
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, ImagePart):
                return text
            text += part.text
    return text


_TEXTS = ["x" * length for length in range(1000, -1, -1)]


def longest_value(schema: dict[str, Any]) -> Any:
    """The value with the longest JSON that a schema of replies allows."""
    if "anyOf" in schema:
        return max(map(longest_value, schema["anyOf"]), key=lambda value: len(json.dumps(value)))
    if "const" in schema or "enum" in schema:
        return max(schema.get("enum", [schema.get("const")]), key=lambda value: len(json.dumps(value)))
    kind = schema["type"]
    if kind == "object":
        return {name: longest_value(part) for name, part in schema["properties"].items()}
    if kind == "array":
        return [longest_value(schema["items"])] * schema["maxItems"]
    if kind == "string":
        return next(text for text in _TEXTS if re.fullmatch(schema["pattern"], text))
    return {"null": None, "boolean": False}[kind]


def replies(turn: TurnRecord) -> dict[str, str]:
    """What the roles of a record said and did, in the form of a model's reply."""
    said, did = turn.assistant, turn.user
    put_forward = said.recommendation or said.navigation
    action = {"act": said.act} | (asdict(put_forward) if put_forward else {})
    assistant = {
        "ranking": said.ranking,
        "action": _given(action),
        "expected_user_action": _given(asdict(said.expected_user_action or ToolCall("idle"))),
        "utterance": said.utterance,
        "tool_calls": [],
    }
    user = {"utterance": did.utterance, "call": _given(asdict(did.tool_requested))}
    return {"assistant": json.dumps(assistant), "user": json.dumps(user)}


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "")}


def measured(env_id: str, tasks: int, count: Count | None) -> dict[str, Any]:
    """What the first ``tasks`` tasks of a store take."""
    env = make_env(env_id, moderator=rule_moderator, images=True, som=True, image_size=(512, 384), preset="vlm")
    tallies = {role: Tally(count) for role in ("assistant", "user")}
    asker = Asker(ScriptedClient([]))
    for seed, task in enumerate(task_bank(env_id).tasks[:tasks]):
        assistant = _watched(make_assistant("heuristic"), LLMAssistant(asker), tallies["assistant"])
        user = _watched(make_user("agenda"), LLMUser(asker), tallies["user"])
        for turn in play(env, assistant, user, task.id, seed, 0).turns:
            for role, reply in replies(turn).items():
                tallies[role].answered(reply)
    return {role: tally.told(tasks) for role, tally in tallies.items()}


def _watched(scripted: Any, model: Any, tally: Tally) -> Beside:
    return Beside(scripted, model, lambda observation, state: tally.asked(model.request(observation, state)))


def counter(file: Path) -> Count:
    """Counts the tokens of a text by a tokenizer's file."""
    if file.name.startswith("tekken"):
        from mistral_common.tokens.tokenizers.tekken import Tekkenizer  # noqa: PLC0415  only one of the two is needed

        tekken = Tekkenizer.from_file(file)
        return lambda text: len(tekken.encode(text, False, False))
    from tokenizers import Tokenizer  # noqa: PLC0415  only one of the two is needed

    tokenizer = Tokenizer.from_file(str(file))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=5)
    parser.add_argument("--tokenizer", type=Path)
    asked = parser.parse_args()
    count = counter(asked.tokenizer) if asked.tokenizer else None
    print(json.dumps({env_id: measured(env_id, asked.tasks, count) for env_id in ENVIRONMENTS}, indent=1))


if __name__ == "__main__":
    main()
