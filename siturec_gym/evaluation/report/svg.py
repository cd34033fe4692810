"""A drawing as SVG, for the page and for editing."""

from html import escape

from siturec_gym.evaluation.report.drawing import PAPER, Box, Disc, Drawing, Label, Path, Shape

FONT = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


def to_svg(drawing: Drawing) -> str:
    """One SVG element that needs nothing from outside."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {drawing.height}" '
        f'width="{drawing.width}" height="{drawing.height}" role="img" font-family="{FONT}">'
        f"<title>{escape(drawing.title)}</title>"
    )
    ground = f'<rect width="{drawing.width}" height="{drawing.height}" fill="{PAPER}"/>'
    return "\n".join([head, ground, *(_element(shape) for shape in drawing.shapes), "</svg>"])


def _element(shape: Shape) -> str:
    if isinstance(shape, Path):
        return _path(shape)
    if isinstance(shape, Disc):
        place = f'cx="{_n(shape.center[0])}" cy="{_n(shape.center[1])}" r="{_n(shape.radius)}"'
        return _with_hint("circle", f"{place} {_paint(shape.fill, shape.stroke)}", shape.hint)
    if isinstance(shape, Box):
        (x, y), (width, height) = shape.corner, shape.size
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        crisp = 'shape-rendering="crispEdges"'  # no seams between cells that touch
        return _with_hint("rect", f"{place} {_paint(shape.fill, shape.stroke)} {crisp}", shape.hint)
    return _label(shape)


def _path(shape: Path) -> str:
    name = "polyline" if shape.fill is None else "polygon"
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
    look = _paint(shape.fill, shape.stroke) + f' stroke-width="{_n(shape.width)}" stroke-linejoin="round"'
    if shape.dash:
        look += f' stroke-dasharray="{" ".join(map(_n, shape.dash))}"'
    if shape.opacity < 1.0:
        look += f' fill-opacity="{_n(shape.opacity)}"'
    return _with_hint(name, f'points="{points}" {look}', shape.hint)


def _label(shape: Label) -> str:
    weight = ' font-weight="600"' if shape.bold else ""
    place = f'x="{_n(shape.at[0])}" y="{_n(shape.at[1])}" dy="0.35em" text-anchor="{shape.anchor}"'
    return f'<text {place} font-size="{_n(shape.size)}" fill="{shape.color}"{weight}>{escape(shape.text)}</text>'


def _paint(fill: str | None, stroke: str | None) -> str:
    return f'fill="{fill or "none"}"' + (f' stroke="{stroke}"' if stroke else "")


def _with_hint(name: str, attributes: str, hint: str) -> str:
    return f"<{name} {attributes}><title>{escape(hint)}</title></{name}>" if hint else f"<{name} {attributes}/>"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
