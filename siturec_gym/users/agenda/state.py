"""What the shopper keeps in mind from turn to turn."""

from typing import NamedTuple

from siturec_gym.users.agenda.understanding import Claim, Slot


class AgendaState(NamedTuple):
    """The memory of one episode, a value; a tuple, because a turn changes it half a dozen times.

    Attributes:
        seed: Source of every draw.
        told: Keys of the details told so far, in order.
        pending: Questions heard that still want an answer.
        asked: What the shopper asked about last.
        mentioned: Product names heard or held, latest last.
        places: Place names seen or heard of.
        claims: Product name -> what was said of it.
        rejected: Products turned down, with the kind of reason.
        target: The product that the shopper is after.
        destination: The place that the shopper is making for.
        searched: Turns spent looking for the target or the destination.
        explained: Explanations heard about the target.
        questions: Questions asked about the held product.
        haggled: Whether something cheaper was asked for already.
        annoyance: Unhelpful turns borne, less the helpful ones.
        interrogated: Turns of questions in a row without any help.
        questioned: Questions heard in all.
        heard: What the assistant said before, for noticing repetition.
        tried_alone: Products inspected unasked.
        view: The marks of the turn before, to notice being stuck.
        walked: Whether the last call was a walk.
        gone: Whether the shopper has given up.
    """

    seed: int
    told: tuple[str, ...] = ()
    pending: tuple[Slot, ...] = ()
    asked: tuple[Slot, ...] = ()
    mentioned: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    claims: tuple[tuple[str, tuple[Claim, ...]], ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    target: str | None = None
    destination: str | None = None
    searched: int = 0
    explained: int = 0
    questions: int = 0
    haggled: bool = False
    annoyance: float = 0.0
    interrogated: int = 0
    questioned: int = 0
    heard: tuple[str, ...] = ()
    tried_alone: int = 0
    view: str = ""
    walked: bool = False
    gone: bool = False

    def claims_about(self, product: str | None) -> tuple[Claim, ...]:
        """Everything said of a product so far."""
        return next((claims for name, claims in self.claims if name == product), ())

    def why_rejected(self, product: str | None) -> str | None:
        """The kind of reason for which a product was turned down, None if it was not."""
        return next((reason for name, reason in self.rejected if name == product), None)
