"""Every finished episode into a run folder, whatever plays it (docs/recording.md)."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from siturec_gym import assets
from siturec_gym.core.errors import RunError
from siturec_gym.core.records import EpisodeRecord, to_json
from siturec_gym.core.storage.episodes import EPISODES, MANIFEST, read_manifest
from siturec_gym.core.storage.files import append_line, cut_partial_line, pretty, write_whole
from siturec_gym.core.storage.frames import FrameStore
from siturec_gym.core.storage.lock import RunLock
from siturec_gym.wrappers.base import SituatedWrapper

KIND = "recording"
_ASSISTANT = "assistant"


class RecordEpisode(SituatedWrapper):
    """Appends each episode that comes to its end to ``episodes.jsonl`` of a run folder, as ``siturec run`` does.

    Before and after: the same observations, actions and rewards. An episode is written, and on disk (fsync), before
    anything else is asked of the environment: at the latest with the next ``observe``, ``last``, ``step``, ``reset`` or
    ``close``. What outer wrappers note in its last turn, such as reward terms, is in it. Episodes that are left before
    their end are not kept. The n-th episode of a task is its trial n - 1.

    One process writes to a folder at a time: give each environment of a vector its own. A folder that already
    holds a recording of the same store and data is continued; a line that a crash cut off is taken away first.

    Args:
        env: The raw environment.
        folder: Where to write; made if missing.
        frames: Whether the picture at the start of each turn is kept; None: if the environment makes images.

    Raises:
        ValueError: Frames are asked for and the environment makes no images.
        RunError: The folder holds something else, is in use, or cannot be written.

    >>> import tempfile
    >>> from siturec_gym import supermarket_v0
    >>> folder = tempfile.mkdtemp()
    >>> env = RecordEpisode(supermarket_v0.raw_env(images=False), folder)
    >>> env.reset(seed=7)
    >>> env.fail("nobody plays")
    >>> env.close()
    >>> sorted(path.name for path in Path(folder).iterdir() if path.suffix)
    ['episodes.jsonl', 'manifest.json']
    """

    STAGE: ClassVar[str] = "RecordEpisode"

    def __init__(self, env: Any, folder: str | Path, *, frames: bool | None = None) -> None:
        super().__init__(env)
        makes_images = "rgb" in env.observation_space(_ASSISTANT).spaces
        if frames and not makes_images:
            raise ValueError("frames: the environment makes no images; build it with images=True or set frames=False")
        self.folder = Path(folder)
        self._lock, self._trials = _opened(self.folder, env.scene.name)
        self._save = FrameStore(self.folder).save if frames or (frames is None and makes_images) else None
        self._frames: dict[int, str] = {}
        self._due = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode; see the raw environment."""
        self._write()
        self.env.reset(seed=seed, options=options)
        self._frames = {}

    def observe(self, agent: str) -> dict[str, Any]:
        """What ``agent`` sees now."""
        self._write()
        return super().observe(agent)

    def step(self, action: Any) -> None:
        """Take the selected agent's move; see the raw environment."""
        self._write()
        over = self._over
        if self._save and not over and self.env.agent_selection == _ASSISTANT:
            turn = self.unwrapped.episode.turn
            if turn not in self._frames:
                self._frames[turn] = self._save(self.env.observe(_ASSISTANT)["rgb"])
        super().step(action)
        self._due = self._over and not over

    def fail(self, error: str) -> None:
        """End the episode because a role could not act."""
        over = self._over
        self.env.fail(error)
        self._due = self._due or not over

    def set_state(self, snapshot: Any) -> None:
        """Go back to, or over to, the moment at which ``snapshot`` was taken; frames before it are not kept."""
        self._write()
        self.env.set_state(snapshot)
        self._frames = {}

    def episode_record(self, trial: int = 0) -> EpisodeRecord:
        """What is kept of the episode, with the hashes of its frames."""
        record = super().episode_record(trial)
        if not self._frames:
            return record
        return replace(record, turns=tuple(replace(turn, frame=self._frames.get(turn.turn)) for turn in record.turns))

    def close(self) -> None:
        """Write what is due, let others use the folder, close the renderer."""
        self._write()
        self._lock.release()
        super().close()

    @property
    def _over(self) -> bool:
        return self.unwrapped.episode.end is not None

    def _write(self) -> None:
        if self._due:
            task = self.unwrapped.episode.task.id
            append_line(self.folder / EPISODES, to_json(self.episode_record(self._trials[task])))
            self._due = False
            self._trials[task] += 1


def _opened(folder: Path, scene: str) -> tuple[RunLock, Counter[str]]:
    """The lock on a folder that is new or holds a recording of ``scene``, and how often each task is in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"run folder '{folder}' cannot be used: {error.strerror}") from error
    lock = RunLock(folder)
    try:
        return lock, _continued(folder, scene)
    except BaseException:  # a folder that is not used must not stay locked, whatever stops its opening
        lock.release()
        raise


def _continued(folder: Path, scene: str) -> Counter[str]:
    path, now = folder / EPISODES, _manifest(scene)
    if not (folder / MANIFEST).exists():
        if any(not entry.name.startswith(".") for entry in folder.iterdir()):
            raise RunError(f"run folder '{folder}' is not empty; choose another or remove it")
        write_whole(folder / MANIFEST, pretty(now))
        path.touch()
        return Counter()
    kept = read_manifest(folder)
    for name in ("kind", "scene", "data"):
        if kept.get(name) != now[name]:
            raise RunError(f"run folder '{folder}' holds something else: its {name} is not that of this recording")
    cut_partial_line(path)
    with path.open(encoding="utf-8") as lines:
        return Counter(str(json.loads(line)["task"]) for line in lines)


def _manifest(scene: str) -> Mapping[str, Any]:
    """What the folder says of itself. The roles are not known here: whoever drives the environment plays them."""
    env = f"SituRec-{''.join(word.title() for word in scene.split('_'))}-v0"
    return {
        "format": 1,
        "kind": KIND,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"siturec-gym": metadata.version("siturec-gym")},
        "data": {name: str(entry["sha256"]) for name, entry in assets.manifest().items()},
        "scene": scene,
        "arguments": {"env": env},
        "roles": {role: {"name": "recorded", "kind": "recorded"} for role in (_ASSISTANT, "user")},
    }
