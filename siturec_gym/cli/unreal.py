"""``siturec unreal``: stores served over UnrealCV's protocol, and stores in Unreal checked."""

import signal
import threading
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from siturec_gym.cli.options import SceneName, store_of
from siturec_gym.cli.unreal_check import check

app = typer.Typer(no_args_is_help=True)
app.command()(check)


@app.callback()
def group() -> None:
    """Unreal Engine through UnrealCV, and our stores served as if they were it.

    Example: siturec unreal serve --scene supermarket --port 9000
    """


@app.command()
def serve(
    scene: SceneName = "supermarket",
    port: Annotated[int, typer.Option(min=0, max=65535, help="TCP port; 0 takes a free one.")] = 9000,
    host: Annotated[str, typer.Option(help="Address to listen on; who reaches it may come in.")] = "127.0.0.1",
    socket: Annotated[Path | None, typer.Option(help="Listen on this Unix socket, too.")] = None,
    tcp: Annotated[bool, typer.Option(help="Listen on the TCP port; --no-tcp needs --socket.")] = True,
    width: Annotated[int, typer.Option(min=16, max=4096, help="Image width, pixels.")] = 640,
    height: Annotated[int, typer.Option(min=16, max=4096, help="Image height, pixels.")] = 480,
    preset: Annotated[str, typer.Option(help="rl (fast) or vlm (smoother).")] = "rl",
    multi: Annotated[bool, typer.Option("--multi", help="Many clients at once, each with a store of its own.")] = False,
) -> None:
    """Serve a store over UnrealCV's protocol until Ctrl-C.

    Example: siturec unreal serve --scene supermarket --port 9000
    """
    if not tcp and socket is None:
        raise ValueError("--no-tcp needs --socket")
    typer.echo(f"loading {scene} ...")  # before what takes long, the imports among it

    from siturec_gym.renderers.unrealcv.server.server import Server  # noqa: PLC0415  numba loads only to serve
    from siturec_gym.renderers.unrealcv.server.world import World  # noqa: PLC0415

    store = store_of(scene)
    server = Server(
        lambda: World(store, width, height, preset),
        port=port if tcp else None,
        host=host,
        socket_path=socket,
        multi=multi,
        report=_tell,
    )
    told_to_stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: told_to_stop.set())
    with server:
        places = [f"{host}:{server.port}"] * tcp + [str(path) for path in (socket,) if path is not None]
        typer.echo(f"serving {store.title} at {' and '.join(places)}; Ctrl-C ends it")
        told_to_stop.wait()
    typer.echo("stopped")


def _tell(line: str) -> None:
    """A line on the error stream; where nobody reads that any more, clients are served all the same."""
    with suppress(OSError):
        typer.echo(line, err=True)
