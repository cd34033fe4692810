"""The reply's schema in two small stores, so that the prompt hash covers every form that it can take."""

from typing import Any

from siturec_gym.core.text import dump_lines
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.policies.llm.outlook import read_outlook
from siturec_gym.policies.llm.schema import reply_schema

_PRODUCT = {"product": "P1", "name": "p", "department": "d", "category": "c", "tags": [], "price": 1, "brand": "b"}
_PLACE = {"form": "", "x": 0, "y": 0, "yaw_deg": 0, "size_m": [1, 1], "sign": ""}
_KINDS = {
    ("move_to_fixture", "pick_up_item", "drop_item"): (("1", "fixture", ["nearest", "front"]),),
    ("move_to_store", "move_to_area", "check_item", "do_not_add_to_cart"): (
        ("1", "store", ["outside_doorway"]),
        ("1a", "area", []),
    ),
}


def sample_schemas(settings: RoleSettings) -> list[dict[str, Any]]:
    """For a store of fixtures and one of areas: with one product in view, and for one who is not told what is."""
    schemas = []
    for tools, places in _KINDS.items():
        lines = [{"place": id_, "kind": kind, "name": id_, "approaches": sides} for id_, kind, sides in places]
        marks = [{"handle": line["place"], **line} for line in lines]
        product = {"handle": "A", "kind": "product", "name": "p", "reachable": True}
        seen = {
            "catalog": dump_lines([_PRODUCT]),
            "location_index": dump_lines([{**_PLACE, **line, "approaches": {}} for line in lines]),
            "tools": dump_lines([{"tool": tool} for tool in tools]),
            "marks": dump_lines([*marks, product]),
            "held": "",
            "recommendations_left": 1,
        }
        schemas += [
            reply_schema(read_outlook(seen | blind), settings) for blind in ({}, {"place_index": dump_lines(lines)})
        ]
    return schemas
