"""``siturec catalog``: what the stores sell."""

import json
from collections import Counter
from typing import Annotated, Any

import typer

from siturec_gym.cli.options import SceneName, scene_source

app = typer.Typer()


@app.callback()
def group() -> None:
    """What the stores sell.

    Example: siturec catalog info
    """


@app.command()
def info(
    scene: SceneName = "supermarket",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:
    """Count a store's products, by department and category, with their prices.

    Example: siturec catalog info --scene home_furnishings
    """
    facts = _facts(scene)
    if as_json:
        typer.echo(json.dumps(facts, indent=2))
    else:
        _print_facts(facts)


def _facts(scene_name: str) -> dict[str, Any]:
    from siturec_gym.scenes import load_scene, load_scene_folder  # noqa: PLC0415  --help must not wait for the world

    source = scene_source(scene_name)
    scene = load_scene(source) if isinstance(source, str) else load_scene_folder(source)
    prices = [product.price for product in scene.products]
    departments: dict[str, Counter[str]] = {}
    for product in scene.products:
        departments.setdefault(product.department, Counter())[product.category] += 1
    return {
        "scene": scene.name,
        "products": len(scene.products),
        "items": len(scene.instances),
        "places": len(scene.navigation_targets),
        "tags": len({tag for product in scene.products for tag in product.tags}),
        "price": {"lowest": min(prices), "highest": max(prices)},
        "departments": {name: dict(sorted(categories.items())) for name, categories in sorted(departments.items())},
    }


def _print_facts(facts: dict[str, Any]) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    console = Console(highlight=False)
    price = facts["price"]
    console.print(
        f"[bold]{facts['scene']}[/]: {facts['products']} products, {facts['items']} items, {facts['places']} "
        f"navigation targets, {facts['tags']} tags, ${price['lowest']:.2f} to ${price['highest']:.2f}"
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("department")
    table.add_column("n", justify="right")
    table.add_column("categories")
    for name, categories in facts["departments"].items():
        listed = ", ".join(f"{category} {count}" for category, count in categories.items())
        table.add_row(name, str(sum(categories.values())), listed)
    console.print(table)
