"""How long the prompts of roles are that language models play, and what an episode of them takes.

    python benchmarks/prompt_tokens.py [--tasks 5] [--tokenizer FILE]

Scripted roles play the first tasks of each store; in every turn the request that a model would be sent is made and
measured. FILE counts its tokens: a tokenizer.json (package tokenizers) or a tekken.json (package mistral-common). A
server adds the few tokens of its chat form. Pictures are told apart, for their tokens depend on the model.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


class Beside:
    """A scripted policy; what a model would be asked in its place is measured."""

    def __init__(self, scripted: Any, model: Any, measure: Callable[[ChatRequest], None]) -> None:
        self._scripted, self._model, self._measure = scripted, model, measure

    def initial_state(self, seed: int) -> tuple[Any, Any]:
        return self._scripted.initial_state(seed), self._model.initial_state(seed)

    def step(self, observation: Any, state: tuple[Any, Any]) -> tuple[Any, tuple[Any, Any]]:
        self._measure(self._model.request(observation, state[1]))
        action, after = self._scripted.step(observation, state[0])
        return action, (after, state[1])


class Tally:
    """Sums over requests."""

    def __init__(self, count: Count | None) -> None:
        self._count = count
        self.sums: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()

    def add(self, request: ChatRequest) -> None:
        found = {"characters": sum(len(message.text) for message in request.messages), "requests": 1}
        found["static_characters"] = len(request.messages[0].text)
        found["pictures"] = sum(isinstance(part, ImagePart) for message in request.messages for part in message.parts)
        found["schema_characters"] = len(json.dumps(request.schema))
        if self._count:
            found["tokens"] = sum(self._count(message.text) for message in request.messages)
        self.sums.update(found)
        self.longest |= Counter(found)

    def told(self, episodes: int) -> dict[str, Any]:
        """Means of a request, the longest request, and means of an episode."""
        requests = self.sums["requests"]
        return {
            "request": {name: round(value / requests) for name, value in self.sums.items() if name != "requests"},
            "longest": {name: value for name, value in self.longest.items() if name != "requests"},
            "episode": {name: round(self.sums[name] / episodes, 1) for name in ("requests", "characters", "tokens")},
        }


def measured(env_id: str, tasks: int, count: Count | None) -> dict[str, Any]:
    """What the first ``tasks`` tasks of a store take."""
    env = make_env(env_id, moderator=rule_moderator, images=True, som=True, image_size=(512, 384), preset="vlm")
    tallies = {role: Tally(count) for role in ("assistant", "user")}
    models = {cls_role: cls(Asker(ScriptedClient([]))) for cls_role, cls in
              (("assistant", LLMAssistant), ("user", LLMUser))}  # fmt: skip
    for seed, task in enumerate(task_bank(env_id).tasks[:tasks]):
        scripted = {"assistant": make_assistant("heuristic"), "user": make_user("agenda")}
        watched = {role: Beside(scripted[role], models[role], tallies[role].add) for role in tallies}
        play(env, watched["assistant"], watched["user"], task.id, seed, 0)
    return {role: tally.told(tasks) for role, tally in tallies.items()}


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
