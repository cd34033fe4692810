"""A.3: rows of goods in display areas, on a small area whose positions are worked out by hand."""

from typing import Any

import pytest

from siturec_gym.catalog import Appearance, Catalog, Product
from siturec_gym.core.errors import DataError
from siturec_gym.scenes.displays import displayed_items
from siturec_gym.scenes.placement import place_instances

SIZES = {"P001": (1.0, 0.5, 0.8), "P002": (0.4, 0.4, 0.5), "P003": (0.2, 0.1, 0.3)}
CATALOG = Catalog(
    Product(id_, id_, "d", "c", (), 1.0, (i, 0, 40), Appearance("sofa", size, ("#ffffff",)), {})
    for i, (id_, size) in enumerate(SIZES.items())
)


def layout(*rows: dict[str, Any], yaw: float = 90.0, instances: int = 1) -> dict[str, Any]:
    """An area 4 m wide and 2 m deep around (10, 5): its back is 1 m behind the centre."""
    area = {
        "id": "A01", "name": "Corner", "kind": "area", "store": "S1", "segmentation_color": [1, 2, 3],
        "center_m": [10.0, 5.0], "yaw_deg": yaw, "size_m": [4.0, 2.0, 0.0], "sign": "Corner",
        "approaches": {"fixed": [10.0, 6.5, -90.0, 0.0]}, "display": list(rows),
    }  # fmt: skip
    shelf = {"id": "X1", "box_m": [9.0, 4.0, 0.0, 11.0, 4.5, 0.6]}
    return {"instances": instances, "places": [area], "structures": [shelf]}


def row(*products: str, line: Any = ((-1.0, 0.2), (1.0, 0.2)), on: str = "floor", **more: Any) -> dict[str, Any]:
    return {"line": line, "on": on, "products": list(products), **more}


def test_a_lone_item_stands_in_the_middle_with_its_back_on_the_line() -> None:
    (item,) = displayed_items(layout(row("P001")), CATALOG)
    assert item["position_m"] == [10.0, 4.0 + 0.2 + 0.25, 0.0]
    assert item["yaw_deg"] == 90.0
    assert (item["place"], item["side"], item["level"]) == ("A01", "front", 0)


def test_items_share_the_length_with_equal_gaps_from_the_shoppers_left() -> None:
    first, second, third = displayed_items(layout(row("P001", "P002", "P003")), CATALOG)
    # 2 m less 1.6 m of goods leave two gaps of 0.2 m; the shopper looks south, so that left is east
    assert [item["position_m"][0] for item in (first, second, third)] == pytest.approx([10.5, 9.6, 9.1])


@pytest.mark.parametrize(("yaw", "front"), [(0.0, 0.0), (90.0, 90.0), (-90.0, -90.0), (180.0, -180.0)])
def test_goods_face_as_their_area_does(yaw: float, front: float) -> None:
    (item,) = displayed_items(layout(row("P001"), yaw=yaw), CATALOG)
    assert item["yaw_deg"] == front


def test_a_line_towards_the_back_faces_right_and_one_back_to_the_left_faces_the_back() -> None:
    right, away = displayed_items(
        layout(row("P001", line=((-1.5, 1.8), (-1.5, 0.4))), row("P001", line=((1.0, 1.9), (-1.0, 1.9)))), CATALOG
    )
    # facing north, a shopper's right is west
    assert right["yaw_deg"] == -180.0
    assert right["position_m"] == [10.0 + 1.5 - 0.25, 4.0 + 1.1, 0.0]
    assert away["yaw_deg"] == -90.0
    assert away["position_m"] == [10.0, 4.0 + 1.9 - 0.25, 0.0]


def test_a_turned_item_keeps_its_box_before_the_line() -> None:
    (item,) = displayed_items(layout(row("P001", turn_deg=90.0)), CATALOG)
    assert item["yaw_deg"] == -180.0
    assert item["position_m"] == [10.0, 4.0 + 0.2 + 0.5, 0.0]


def test_goods_stand_on_structures_and_on_goods_hang_on_walls_and_from_rails() -> None:
    items = displayed_items(
        layout(
            row("P002", on="X1"),
            row("P003", on="P002"),
            row("P003", on="wall", height_m=1.4),
            row("P002", on="rail", height_m=2.5),
        ),
        CATALOG,
    )
    assert [item["position_m"][2] for item in items] == [0.6, 1.1, 1.4, 2.0]
    assert [item["level"] for item in items] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (row("P009"), "A01 displays 'P009', which is no product"),
        (row("P001", on="X9"), "A01 displays P001 on 'X9', which is not there"),
        (row("P001", "P001", "P002"), "A01: P001, P001, P002 leave gaps"),
        (row("P001", line=((0.0, 0.0), (0.0, 0.0))), "a row of P001 has no length"),
    ],
)
def test_what_cannot_be_displayed_is_said(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        displayed_items(layout(entry), CATALOG)


def test_the_number_of_instances_is_checked() -> None:
    rows = row("P001", "P002", "P003")
    assert [e["id"] for e in place_instances(layout(rows, instances=3), CATALOG)] == ["I0001", "I0002", "I0003"]
    with pytest.raises(DataError, match="the areas display 3 items where 5 are to be placed"):
        place_instances(layout(rows, instances=5), CATALOG)
    with pytest.raises(DataError, match="products stocked nowhere: P003"):
        place_instances(layout(row("P001", "P002"), instances=2), CATALOG)
