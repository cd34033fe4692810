"""Imports point upward in the list of parts, and private goals cannot leak by import."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "siturec_gym"
FACADES = ("situated_store", "supermarket_v0", "home_furnishings_v0", "realworldshop_v0")
ORDER = (
    ("core",), ("assets",), ("llm",), ("metrics",), ("catalog",), ("retrieval",), ("scenes",), ("tasks",), ("world",),
    ("renderers",), ("policies",), ("users",), ("judges",), ("envs",), ("wrappers",), FACADES, ("evaluation",),
    ("training",), ("human_eval",), ("cli",),
)  # fmt: skip
LEVEL = {part: level for level, parts in enumerate(ORDER) for part in parts}
FORBIDDEN = {
    "policies": {"tasks", "users", "envs"},
    "metrics": set(LEVEL) - {"core", "metrics"},
    "envs": {"llm", "policies", "users", "judges"},
}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem != "__init__")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_parts(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "siturec_gym" else [module]
        for name in names:
            head, _, rest = name.partition(".")
            if head == "siturec_gym" and rest:
                yield rest.split(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_stands_above_it(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"{part} has no place in the order of parts"
    for other in imported_parts(path):
        if other == "__version__":
            continue
        assert LEVEL[other] <= LEVEL[part], f"{part} may not import {other}"
        assert other not in FORBIDDEN.get(part, set()), f"{part} may never import {other}"


def test_the_check_sees_late_and_dotted_imports(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def f():\n    from siturec_gym import users\n    import siturec_gym.envs.situated.env\n")
    assert list(imported_parts(module)) == ["users", "envs"]
