"""Accuracy and speed of the agenda user's understanding on both halves of the labelled corpora.

    python benchmarks/understanding.py [--development] [--mistakes] [--json]

An utterance counts as understood when its key acts equal the label's as a set: the kind of each act with its slot,
product, place or direction. Names outside the context are compared loosely. The "speakers"
files hold longer turns of further speakers. Only the development halves were tuned on; ``--mistakes`` lists those of
the development halves only: the held-out halves are for measuring. Claims (price, labels, ingredients) are measured
apart, over the utterances that label some.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from siturec_gym.users.agenda.understanding import Act, Context, Kind, Slot, understand

CORPUS = Path(__file__).parent.parent / "tests" / "users" / "corpus"
HALVES = ("development", "held_out", "development_speakers", "held_out_speakers")
_LOOSE = 75.0
_ROUNDS = 5


def read_corpus(half: str) -> list[dict[str, Any]]:
    lines = (CORPUS / f"{half}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def context_of(entry: dict[str, Any]) -> Context:
    raw = entry.get("context", {})
    lists = {key: tuple(raw.get(key, ())) for key in ("products", "places", "mentioned", "known_places")}
    return Context(**lists, held=raw.get("held"), asked=tuple(Slot(slot) for slot in raw.get("asked", ())))


def key_of(kind: str, fields: dict[str, Any]) -> tuple[Any, ...]:
    """The part of an act that counts: kind, then slot, names or direction."""
    product, place, direction = fields.get("product"), fields.get("place"), fields.get("direction")
    if kind == Kind.ASK:
        return (kind, fields.get("slot"))
    if kind == Kind.NAVIGATE_PLACE:
        return (kind, place or product)
    if kind == Kind.MOVE:
        return (kind, direction)
    if kind == Kind.LOOK:
        return (kind, product or place or direction)
    if kind == Kind.COMPARE:
        return (kind, *sorted(name or "" for name in (product, fields.get("other"))))
    if kind in {Kind.PICK_UP, Kind.PUT_BACK, Kind.ADD_TO_CART, Kind.RECOMMEND, Kind.INFORM}:
        return (kind, product)
    return (kind,)


def fields_of(act: Act) -> dict[str, Any]:
    return {name: getattr(act, name) for name in ("slot", "product", "other", "place", "direction")}


def same(label: tuple[Any, ...], found: tuple[Any, ...], names: frozenset[str]) -> bool:
    if label[0] != found[0] or len(label) != len(found):
        return False
    return all(_same_part(a, b, label[0], names) for a, b in zip(label[1:], found[1:], strict=True))


def _same_part(label: Any, found: Any, kind: str, names: frozenset[str]) -> bool:
    if label is None and kind not in {Kind.ASK, Kind.MOVE}:
        return True
    if label == found or found is None or label is None:
        return bool(label == found)
    if label in names or found in names or kind in {Kind.ASK, Kind.MOVE}:
        return False
    return fuzz.token_set_ratio(str(label).lower(), str(found).lower()) >= _LOOSE


def understood(entry: dict[str, Any]) -> bool:
    """Whether the key acts of an entry are found, no more and no less."""
    context = context_of(entry)
    held = () if context.held is None else (context.held,)
    names = frozenset((*context.products, *context.mentioned, *held, *context.places, *context.known_places))
    wanted = list(dict.fromkeys(key_of(act["kind"], act) for act in entry["acts"] if act["kind"] != Kind.OTHER))
    acts = understand(entry["utterance"], context).acts
    found = list(dict.fromkeys(key_of(act.kind, fields_of(act)) for act in acts if act.kind != Kind.OTHER))
    matched = all(any(same(label, key, names) for key in found) for label in wanted)
    return matched and all(any(same(label, key, names) for label in wanted) for key in found)


def accuracy(half: str) -> tuple[int, float]:
    """How many utterances a half of the corpus holds, and the share understood."""
    entries = read_corpus(half)
    return len(entries), sum(map(understood, entries)) / len(entries)


def claims_of(claims: Any) -> set[tuple[str, str]]:
    """Attribute and value of claims; a label such as "nut-free" is the same as being free from it."""
    pairs = {(str(attribute), str(value).lower().replace("-", " ")) for attribute, value in claims}
    return {
        ("free_from", v.removesuffix(" free")) if a == "label" and v.endswith(" free") else (a, v) for a, v in pairs
    }


def claims_shares(half: str) -> dict[str, float | None]:
    """Over the entries that label a claim: how many there are, the share of labelled claims found and of those found
    that are labelled; None where there is nothing to share."""
    count = labelled = found = hit = right = 0
    for entry in read_corpus(half):
        wanted = claims_of(claim for act in entry["acts"] for claim in act.get("claims", ()))
        if not wanted:
            continue
        acts = understand(entry["utterance"], context_of(entry)).acts
        said = claims_of((claim.attribute, claim.value) for act in acts for claim in act.claims)
        count, labelled, found = count + 1, labelled + len(wanted), found + len(said)
        hit += sum(any(_same_claim(claim, other) for other in said) for claim in wanted)
        right += sum(any(_same_claim(claim, other) for other in wanted) for claim in said)
    return {"count": count, "found": hit / labelled if labelled else None, "right": right / found if found else None}


def _same_claim(first: tuple[str, str], second: tuple[str, str]) -> bool:
    return first[0] == second[0] and (first == second or fuzz.token_set_ratio(first[1], second[1]) >= _LOOSE)


def _milliseconds(entries: list[dict[str, Any]]) -> float:
    """Time of one utterance not heard before."""
    inputs = [(entry["utterance"], context_of(entry)) for entry in entries]
    started = time.perf_counter()
    for _ in range(_ROUNDS):
        understand.cache_clear()
        for utterance, context in inputs:
            understand(utterance, context)
    return (time.perf_counter() - started) / _ROUNDS / len(inputs) * 1e3


def _percent(share: float | None) -> str:
    return "\u2014" if share is None else f"{share:.1%}"


def _list_mistakes(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        if understood(entry):
            continue
        print(f"\n{entry['utterance']!r}  held={entry.get('context', {}).get('held')!r} ({entry.get('style')})")
        print("   wanted", [key_of(act["kind"], act) for act in entry["acts"]])
        acts = understand(entry["utterance"], context_of(entry)).acts
        print("   found ", [key_of(act.kind, fields_of(act)) for act in acts])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mistakes", action="store_true", help="list the mistakes of the development half")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    parser.add_argument("--development", action="store_true", help="measure the development halves only")
    options = parser.parse_args()
    halves = tuple(half for half in HALVES if "held_out" not in half) if options.development else HALVES
    figures: dict[str, float | None] = {}
    for half in halves:
        figures[f"{half}_count"], figures[half] = accuracy(half)
    claims = {half: claims_shares(half) for half in halves}
    figures |= {f"{half}_claims_{name}": share for half, shares in claims.items() for name, share in shares.items()}
    if options.mistakes:
        _list_mistakes(read_corpus("development") + read_corpus("development_speakers"))
    figures["ms_per_utterance"] = _milliseconds(read_corpus("development"))
    if options.json:
        print(json.dumps(figures))
    else:
        for half in halves:
            print(f"{half:21s} {figures[half]:6.1%} of {figures[f'{half}_count']} utterances")
        for half, shares in claims.items():
            print(
                f"claims in {half}: {_percent(shares['found'])} of those made are found, "
                f"{_percent(shares['right'])} of those found were made ({shares['count']} utterances)"
            )
        print(f"time                  {figures['ms_per_utterance']:.3f} ms an utterance not heard before")
    return 0


if __name__ == "__main__":
    sys.exit(main())
