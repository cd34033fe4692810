"""How well a user that a model plays keeps to its part: the flags that its turns carry."""

from collections.abc import Sequence

from siturec_gym.evaluation.report.figures import RunFigures, figure_cell
from siturec_gym.evaluation.report.tables import Row, Table
from siturec_gym.users.llm.ledger import (
    BOUGHT_UNSUITABLE,
    EMPTY_REPLY,
    ENDED_EARLY,
    INVALID_REPLY,
    LEAKED_PROFILE,
    ROLE_INVERSION,
    TWO_DETAILS,
)
from siturec_gym.wrappers.role_handles import SPOKE_HANDLE

BREACHES = {
    TWO_DETAILS: "Told two details",
    LEAKED_PROFILE: "Leaked its profile",
    ROLE_INVERSION: "Spoke as staff",
    ENDED_EARLY: "Left early",
    BOUGHT_UNSUITABLE: "Bought a misfit",
    SPOKE_HANDLE["user"]: "Said a label",
    EMPTY_REPLY: "Empty reply",
    INVALID_REPLY: "No usable reply",
}
"""What each flag is called in the table."""


def discipline_table(runs: Sequence[RunFigures]) -> Table:
    """Share of turns with each of the user's flags, for the runs in which a model plays the user."""
    names = tuple(BREACHES.values())
    caption = "The simulated user's discipline, share of its turns"
    table = Table("user_discipline", caption, names, ("%",) * len(names), (0,) * len(names))
    for run in runs:
        if run.run.has_model_user:
            cells = tuple(map(figure_cell, run.flag_shares(tuple(BREACHES))))
            table.rows.append(Row(run.run.label, cells, "run", run.scene.title, run.run.user))
    return table
