"""A clause in its context, with the phrases found in it: what the rules of the next modules look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from siturec_gym.users.agenda.understanding.claims import claims_in
from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.lexicon import cue, load_patterns, load_words
from siturec_gym.users.agenda.understanding.meaning import Attribute, Claim, Context, Kind, Slot
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT, UNKNOWN

Matches = Mapping[str, tuple[int, int]]
_LONGEST_SAID_NAME = 6
_VERBS = cue("verbs")
_QUESTIONS = {slot: f"ask:{slot}" for slot in Slot}


@dataclass(frozen=True, eq=False)
class Reading:
    """One clause as it is read.

    Attributes:
        matches: Label -> span of its first phrase in ``text``.
        context: Of what the listener has in mind, that which matters to the clause.
        named_before: The product named last in the same utterance.
    """

    clause: Clause
    matches: Matches
    context: Context
    named_before: str | None

    @cached_property
    def text(self) -> str:
        """The words as patterns see them, each after one space."""
        return " " + " ".join(spoken(self.clause.words))

    @cached_property
    def words(self) -> frozenset[str]:
        """The clause's words as a set."""
        return frozenset(self.clause.words)

    @cached_property
    def products(self) -> list[str]:
        """Products named, known or not."""
        return self.clause.named(PRODUCT, UNKNOWN)

    @cached_property
    def places(self) -> list[str]:
        """Places named."""
        return self.clause.named(PLACE)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What is said of a product."""
        said = {mark: said for mark, _, said in reversed(self.clause.names)}
        claims = claims_in(self.clause.words)
        return tuple(replace(c, value=said[c.value]) if c.value in said else c for c in claims)

    def claims_a(self, attribute: Attribute) -> bool:
        """Whether a claim of this kind is made."""
        return any(claim.attribute is attribute for claim in self.claims)

    def has(self, name: str) -> bool:
        """Whether a word of this cue occurs."""
        return bool(cue(name) & self.words)

    def does(self, kind: Kind) -> bool:
        """Whether a phrase of this kind occurs."""
        return kind in self.matches

    def asks(self, slot: Slot) -> bool:
        """Whether a phrase of this slot occurs."""
        return _QUESTIONS[slot] in self.matches

    def starts(self, name: str, count: int) -> bool:
        """Whether a word of this cue is among the first ``count``."""
        return bool(cue(name) & set(self.clause.words[:count]))

    def referred(self, *, to_held: bool = True) -> str | None:
        """What "it" means: named before, held, or spoken of last."""
        held = self.context.held if to_held else None
        return self.named_before or held or self.spoken_of()

    def spoken_of(self) -> str | None:
        """The product spoken of last before this utterance."""
        return self.context.mentioned[-1] if self.context.mentioned else None

    def negated(self, label: str) -> bool:
        """Whether "do not", "no need to" or the like stands right before the phrase."""
        before = self.text[: self.matches[label][0]].split()[-4:]
        polite = "mind" in before or self.text[self.matches[label][0] :].startswith(" mind")
        polite |= bool({"wonder", "wondering"} & self.words)
        if self.clause.first == "why" or "not only" in " ".join(before) or polite:
            return False
        return (
            bool(cue("negated") & set(before))
            or before[-3:] == ["no", "need", "to"]
            or before[-2:] == ["instead", "of"]
        )

    def name_after(self, label: str) -> str | None:
        """The noun phrase after a phrase, for a product that is no known name."""
        said: list[str] = []
        for word in self.text[self.matches[label][1] :].split():
            if word in cue("stops") or word[0] == "@":
                break
            said.append(word)
        while said and said[0] in cue("determiners"):
            said = said[1:]
        if not said or all(word in load_words().everyday for word in said):
            return None
        return " ".join(said[:_LONGEST_SAID_NAME])


def reading_of(clause: Clause, context: Context, named_before: str | None) -> Reading:
    """A clause as it is read in a context; what was read before is remembered."""
    spoken_of = tuple(name for _, name, _ in clause.names if name in context.mentioned)
    mind = Context(held=context.held, mentioned=(*spoken_of, *context.mentioned[-1:]), asked=context.asked)
    return _read(clause, mind, named_before)


@lru_cache(maxsize=8192)
def _read(clause: Clause, mind: Context, named_before: str | None) -> Reading:
    return Reading(clause, find_matches(clause), mind, named_before)


def spoken(words: Sequence[str]) -> tuple[str, ...]:
    """Words with amounts of money as @m, as patterns want them; without the price between a name and its verb."""
    said = ["@m" if word[0] == "$" else word for word in words]
    for at in range(len(said) - 3, 0, -1):
        if (
            said[at] in {"at", "for"}
            and said[at + 1] == "@m"
            and said[at - 1][0] == "@"
            and said[at + 2] in _VERBS | {"be"}
        ):
            del said[at : at + 2]
    return tuple(said)


def find_matches(clause: Clause) -> Matches:
    """Labels of all phrases in the clause."""
    return _matches(spoken(clause.words))


@lru_cache(maxsize=8192)
def _matches(words: tuple[str, ...]) -> Matches:
    return load_patterns().matches(words)
