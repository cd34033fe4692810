"""Learns what single sentences do from our own labelled turns, for where the parser's phrases find nothing.

    python benchmarks/understanding_guesses.py

Reads the phrases, turns and development halves under ``tests/users`` (never the held-out ones) and writes
``siturec_gym/users/agenda/understanding/lexicon/guesses.json``: log odds of naive Bayes, in hundredths of a nat.
The same files give the same bytes.
"""

import importlib.util
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import understanding as measuring

from siturec_gym.users.agenda.understanding import Context
from siturec_gym.users.agenda.understanding.clauses import clauses
from siturec_gym.users.agenda.understanding.guessing import signs
from siturec_gym.users.agenda.understanding.names import index_of
from siturec_gym.users.agenda.understanding.text import corrected, tokenise

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests" / "users" / "agenda" / "understanding"
WEIGHTS = ROOT / "siturec_gym" / "users" / "agenda" / "understanding" / "lexicon" / "guesses.json"
_RAREST = 3
_SMOOTHING = 1.5
_PRIOR_SHARE = 0.5


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TESTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _labelled() -> Iterator[tuple[str, Context, list[str]]]:
    """Utterance, context and classes of everything that may be learnt from."""
    phrases, turns = _module("test_understand"), _module("test_turns")
    for acts, said in phrases._own_phrases():
        held = phrases.HELD if any("held" in act for act in acts) else None
        yield said, Context(phrases.DAIRY, phrases._places(), held), [_of_key(key) for key in phrases._keys(acts)]
    for said, context, keys in turns._turns():
        yield said, context, [_of_key(key) for key in keys]
    for half in ("development", "development_speakers"):
        entries = measuring.read_corpus(half)
        for entry in entries:
            yield entry["utterance"], measuring.context_of(entry), _of_entry(entry)
        name = "paraphrases.txt" if half != "development" else "paraphrases_plain.txt"
        for line in (measuring.CORPUS / name).read_text("utf-8").splitlines():
            if not line.startswith("#"):
                number, said = line.split(" | ", 1)
                yield said, measuring.context_of(entries[int(number)]), _of_entry(entries[int(number)])


def _of_key(key: tuple[str, ...]) -> str:
    return f"{key[0]}:{key[1]}" if key[0] in {"ask", "move"} else key[0]


def _of_entry(entry: dict[str, Any]) -> list[str]:
    keys = [measuring.key_of(act["kind"], act) for act in entry["acts"]]
    return [_of_key(key) for key in keys if key[0] != "other"]


def _sentences(said: str, context: Context) -> list[list[str]]:
    words, capitals = tokenise(said)
    mentions = index_of(context).mentions(words, capitals)
    in_names = {words[at] for mention in mentions for at in range(mention.start, mention.end)}
    parts = clauses(corrected(words, in_names), mentions)
    numbers = dict.fromkeys(part.sentence for part in parts)
    return [[word for part in parts if part.sentence == number for word in part.words] for number in numbers]


def learn() -> dict[str, Any]:
    """The weights, from every turn of one sentence and at most one act."""
    lines: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    for said, context, classes in _labelled():
        sentences = _sentences(said, context)
        if len(sentences) != 1 or len(classes) > 1:
            continue
        name = classes[0] if classes else "other"
        lines[name] += 1
        for sign in signs(sentences[0]):
            seen[sign] += 1
            together[sign, name] += 1
    total, names = sum(lines.values()), sorted(lines)
    kept = sorted(sign for sign, count in seen.items() if count >= _RAREST)

    def weight(sign: str, name: str) -> int:
        share = seen[sign] / total
        likely = (together[sign, name] + _SMOOTHING * share) / (lines[name] + _SMOOTHING)
        return round(100 * math.log(likely / share))

    def told(sign: str) -> list[int]:
        known = [number for number, name in enumerate(names) if together[sign, name]]
        return [part for number in known for part in (number, weight(sign, names[number]))]

    prior = [round(100 * _PRIOR_SHARE * math.log(lines[name] / total)) for name in names]
    absent = [round(100 * math.log(_SMOOTHING / (lines[name] + _SMOOTHING))) for name in names]
    return {"classes": names, "prior": prior, "absent": absent, "words": {sign: told(sign) for sign in kept}}


def main() -> int:
    text = json.dumps(learn(), ensure_ascii=True, separators=(",", ":")).replace('],"', '],\n"')
    WEIGHTS.write_text(text + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
