"""The ``siturec`` command: finds the subcommand's module, and turns every failure into one clear line."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

import typer

from siturec_gym.core.errors import RunInterruptedError, SituRecError

# A subcommand's module is imported only when it is asked for, so that --help stays fast. A module offers ``command``
# (one command) or ``app`` (a group of them).
COMMANDS = {
    "run": ("siturec_gym.cli.run", "Play episodes, print their results."),
    "report": ("siturec_gym.cli.report", "A page, tables and plots of runs."),
    "view": ("siturec_gym.cli.view", "One episode, turn by turn, as a page."),
    "export": ("siturec_gym.cli.export", "A run in a form for elsewhere."),
    "resume": ("siturec_gym.cli.resume", "Finish an interrupted run."),
    "judge": ("siturec_gym.cli.judge", "Score the dialogues of a run."),
    "prompts": ("siturec_gym.cli.prompts", "What models are asked."),
    "play": ("siturec_gym.cli.play", "Play one episode yourself."),
    "tasks": ("siturec_gym.cli.tasks", "Shopping tasks: build and check."),
    "scenes": ("siturec_gym.cli.scenes", "Stores: fill their shelves, check them."),
    "unreal": ("siturec_gym.cli.unreal", "Stores over UnrealCV's protocol."),
    "catalog": ("siturec_gym.cli.catalog", "What the stores sell."),
    "assets": ("siturec_gym.cli.assets", "Shipped data files; builds to fetch."),
    "doctor": ("siturec_gym.cli.doctor", "Tell what works on this machine."),
}
USAGE_ERROR = 2
FAILURE = 1
INTERRUPTED = 130


def main() -> None:
    """Entry point of ``siturec``: runs the command line and exits with its status."""
    sys.exit(run_command_line(sys.argv[1:]))


def run_command_line(arguments: Sequence[str]) -> int:
    """Carry out one command line.

    Returns:
        0 when it succeeded, 2 for a mistake in what was typed, 1 for anything else that failed, 130 after Ctrl-C.
    """
    try:
        status = typer.main.get_command(build_app(arguments)).main(
            list(arguments), prog_name="siturec", standalone_mode=False
        )
        if sys.stdout is not None:  # None where standard output was closed before the start
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    except RunInterruptedError as error:
        return _complain(str(error), INTERRUPTED)
    except SituRecError as error:
        return _complain(str(error), FAILURE)
    except ValueError as error:
        return _complain(str(error), USAGE_ERROR)
    except OSError as error:
        return _complain(_of_the_system(error), FAILURE)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _usage_error(error, arguments)
    if status == INTERRUPTED:
        return _complain("interrupted", INTERRUPTED)
    return status if isinstance(status, int) else 0


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """The command line with the subcommand that ``arguments`` name; the others as their one-line help only."""
    app = typer.Typer(
        add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
    )
    app.callback(invoke_without_command=True)(_root)
    asked = _asked(arguments)
    for name, (module, help_line) in COMMANDS.items():
        if name == asked:
            _mount(app, name, import_module(module))
        else:
            app.command(name, help=help_line)(_not_loaded)
    return app


def _asked(arguments: Sequence[str]) -> str | None:
    """The subcommand that a command line names, known or not."""
    return next((word for word in arguments if not word.startswith("-")), None)


def _mount(app: typer.Typer, name: str, module: ModuleType) -> None:
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name)(module.command)


def _not_loaded() -> None:
    raise AssertionError("a subcommand is loaded before it is carried out")


def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    """Situated shopping: environments, simulated shoppers and their evaluation.

    Example: siturec run --assistant heuristic --tasks 0:20 --out runs/demo
    """
    if version:
        from importlib.metadata import version as installed_version  # noqa: PLC0415  asked for rarely

        typer.echo(f"siturec-gym {installed_version('siturec-gym')}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _usage_error(error: Exception, arguments: Sequence[str]) -> int:
    """One line for a mistake in the command line itself, with the command whose --help says more."""
    message = error.format_message()  # type: ignore[attr-defined]
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(message, err=True)
        return USAGE_ERROR
    context, asked = getattr(error, "ctx", None), _asked(arguments)
    path = context.command_path if context else f"siturec {asked}" if asked in COMMANDS else "siturec"
    return _complain(f"{message.rstrip('.')}; see {path} --help", USAGE_ERROR)


def _of_the_system(error: OSError) -> str:
    """What the system refused, and for which file; after a refused output nothing more is tried at exit."""
    if error.filename is None and sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    where = "" if error.filename is None else f"'{error.filename}': "
    return f"{where}{error.strerror or error}"


def _complain(message: str, status: int) -> int:
    typer.echo(f"siturec: {' '.join(message.split())}", err=True)
    return status


if __name__ == "__main__":
    main()
