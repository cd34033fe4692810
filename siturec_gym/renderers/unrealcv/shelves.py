"""What the server must have been told about things: their colours, and which items are off their shelves.

Kept here so that it can be told again. A new connection may reach the same store as before, whose state is then as it
was but for what the last commands did, or a store that knows nothing, which shows in its colours.
"""

import re
from collections.abc import Sequence

from siturec_gym.renderers.unrealcv.colors import BLACK, Color, Paint
from siturec_gym.renderers.unrealcv.link import Exchange
from siturec_gym.renderers.unrealcv.mapping import Objects
from siturec_gym.renderers.unrealcv.names import Names

_NUMBER = re.compile(r"\d+")


class LostStateError(Exception):
    """The server does not have the colours that it was given: it must be prepared before it is asked for a picture."""


class Shelves:
    """Colours and visibility of things, as wanted and as the server is known to have them.

    Args:
        objects: How commands are worded.
        names: Names on the wire.
        paints: The colours to be set.
    """

    def __init__(self, objects: Objects, names: Names, paints: Sequence[Paint]) -> None:
        self._objects = objects
        self._names = names
        self._colors = [(name, paint.color) for paint in paints for name in paint.objects]
        self._setup: list[str] = []
        self._done = 0
        self._touched: set[int] = set()
        self._there: set[int] | None = set()
        self.hidden: frozenset[int] = frozenset()

    def begin(self, others: Sequence[str] = (), more: Sequence[str] = ()) -> None:
        """Start to set the server up from nothing.

        Args:
            others: Names of what the mapping does not know; painted black, as the background is.
            more: Further commands of the setup.
        """
        paints = [*self._colors, *((name, BLACK) for name in others)]
        self._setup = [self.color_command(name, color) for name, color in paints]
        self._setup += [self._objects.show.format(object=name) for _, name in self._names.instances]
        self._setup += more
        self._done = 0

    def color_of(self, name: str) -> Color:
        """The colour that a thing has in the setup, black if none."""
        return dict(self._colors).get(name, BLACK)

    def color_command(self, name: str, color: Color) -> str:
        """Sets the colour of one thing."""
        red, green, blue = color
        return self._objects.color.format(object=name, r=red, g=green, b=blue)

    def pending(self, most: int) -> Sequence[str]:
        """The next commands of the setup, at most so many; none when all is done."""
        return self._setup[self._done : self._done + most]

    @property
    def carried_out(self) -> int:
        """How many commands of the setup the server has carried out."""
        return self._done

    def done(self, count: int) -> None:
        """So many of the pending commands were carried out."""
        self._done += count

    def show(self, object_id: int, visible: bool) -> None:
        """What an item should be; sent with the next batch."""
        self.hidden = self.hidden - {object_id} if visible else self.hidden | {object_id}
        self._touched |= {object_id}

    def commands(self) -> list[str]:
        """What makes the server show and hide what it should. Raises LostStateError while the setup is not done."""
        if self.pending(1):
            raise LostStateError
        unsure = self._touched if self._there is None else self._there ^ self.hidden
        patterns = {True: self._objects.hide, False: self._objects.show}
        return [patterns[id_ in self.hidden].format(object=self._names.of_object(id_)) for id_ in sorted(unsure)]

    def confirm(self) -> None:
        """The commands were carried out."""
        self._there = set(self.hidden)

    def renewed(self, exchange: Exchange) -> None:
        """There is a new connection: look whether the store behind it is the one that was set up."""
        self._there = None
        known = self._colors[: self._done]
        if known:
            samples = [known[0], known[len(known) // 2], known[-1]]
            replies = exchange([self._objects.color_of.format(object=name) for name, _ in samples])
            if [_color(str(reply)) for reply in replies] != [color for _, color in samples]:
                self._done = 0


def _color(text: str) -> Color:
    """The colour in ``(R=1,G=2,B=3,A=255)`` or any text with three numbers; ValueError for fewer."""
    numbers = [int(number) for number in _NUMBER.findall(text)]
    if len(numbers) < 3:
        raise ValueError(f"expected a colour, got {text[:80]!r}")
    return numbers[0], numbers[1], numbers[2]
