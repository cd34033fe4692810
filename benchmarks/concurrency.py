"""How long many episodes take whose roles wait for a model, against the ideal time.

    python benchmarks/concurrency.py [--episodes 64] [--latency 0.5] [--http | --models [--images N]] [--ray] [--json]

Both roles are scripted and wait for a model before each answer: a fake one, in this process or, with --http, behind a
real server that the real client asks. With --models both roles are language models, whose whole prompts go to that
server and whose replies are drawn from the schemas they send; --images tells how many views each prompt shows. All
episodes are begun at once. The ideal is the longest episode's own waiting, as if nothing but waiting took time; the
result should stay within 1.2 of it. With --ray, two Ray workers are held against one instead, with episodes one after
the other on each; they should reach 1.7.

Exits with 1 where the target is missed.
"""

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.environments import make_env, task_bank
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.player import Player
from siturec_gym.evaluation.roles import make_assistant_for, make_moderator_for, make_user_for
from siturec_gym.evaluation.slots import Slot, slots
from siturec_gym.evaluation.workers import Crew, play_all
from siturec_gym.llm import ChatClient, ChatRequest, Message, ScriptedClient
from siturec_gym.llm.endpoint import Endpoint
from siturec_gym.llm.openai_client import OpenAIClient

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from schema_reply import reply_to  # what the servers of the tests answer by

ENV = "SituRec-Supermarket-v0"
WITHIN = 1.2
GAIN = 1.7


@dataclass(frozen=True)
class Waiting:
    """A policy that asks a model before each answer and ignores what it says."""

    policy: Any
    client: ChatClient

    def initial_state(self, seed: int) -> Any:
        return self.policy.initial_state(seed)

    def step(self, observation: Any, state: Any) -> tuple[Any, Any]:
        question = Message.of("user", f"{observation['history']}\n{observation['marks']}")
        self.client.complete(ChatRequest((question,)))
        return self.policy.step(observation, state)


class WaitingPlayer:
    """Plays slots with roles that wait.

    Args:
        latency_s: What each answer takes, for a fake model in this process.
        url: Where a fake model is served instead.
        concurrency: Most requests underway there at once.
    """

    def __init__(self, latency_s: float, url: str | None, concurrency: int) -> None:
        self._client: ChatClient = client_of(url, concurrency) if url else FakeModel(latency_s)
        self._env = make_env(ENV, moderator=make_moderator_for("rules"))
        self._tasks = {task.id: task for task in task_bank(ENV)}

    def __call__(self, slot: Slot) -> EpisodeRecord:
        assistant = Waiting(make_assistant_for("heuristic", self._tasks[slot.task]), self._client)
        user = Waiting(make_user_for("agenda"), self._client)
        return play(self._env, assistant, user, slot.task, slot.seed)


@cache
def client_of(url: str, concurrency: int) -> ChatClient:
    """One client for all threads, as runs have it."""
    return OpenAIClient("fake", Endpoint(url, concurrency))


class FakeModel(ScriptedClient):
    """Always says the same, after a while."""

    def __init__(self, latency_s: float) -> None:
        super().__init__(lambda _: "I see.", latency_s=latency_s)


class _Handler(BaseHTTPRequestHandler):
    """Answers a chat request after ``latency_s``, by its schema where it sends one."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    latency_s = 0.0

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        begun = time.monotonic()
        form = json.loads(body).get("response_format")
        text = reply_to(form["json_schema"]["schema"], random.Random(zlib.crc32(body))) if form else "I see."
        reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()
        time.sleep(max(0.0, begun + self.latency_s - time.monotonic()))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


def _serve(latency_s: float, port: Any) -> None:
    _Handler.latency_s = latency_s
    server = _Server(("127.0.0.1", 0), _Handler)
    port.send(server.server_address[1])
    server.serve_forever()


@contextmanager
def served(latency_s: float) -> Iterator[str]:
    """The address of a fake model in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(latency_s, theirs), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.kill()


def chosen_slots(episodes: int) -> tuple[Slot, ...]:
    """One slot for each of the first tasks; further trials where there are more episodes than tasks."""
    ids = [task.id for task in task_bank(ENV)]
    return slots(ids[:episodes], -(-episodes // len(ids)), seed=0)[:episodes]


def measure_threads(episodes: int, latency_s: float, url: str | None) -> dict[str, Any]:
    """All episodes at once; their time against the longest one's waiting."""
    list(play_all(chosen_slots(1), partial(WaitingPlayer, 0.0, None, 1)))  # compiles and loads what is loaded once
    played, figures = timed(episodes, partial(WaitingPlayer, latency_s, url, episodes))
    longest = max(len(episode.turns) for episode in played) * 2
    return figures | {"client": "http" if url else "in process"} | against(longest * latency_s, figures, latency_s)


def measure_models(episodes: int, latency_s: float, images: int) -> dict[str, Any]:
    """The same for roles that are models themselves; every request of an episode is waited for."""
    settings = {"assistant.images": images, "user.images": images}
    config = RunConfig(ENV, "llm:fake", "llm:fake", settings=settings)
    with tempfile.TemporaryDirectory() as folder, served(0.0) as quick, served(latency_s) as url:
        make = partial(Player, config, Path(folder))
        list(play_all(chosen_slots(1), partial(make, ModelSettings(quick))))
        played, figures = timed(episodes, partial(make, ModelSettings(url, concurrency=episodes)))
    asked = [int(episode.usage["assistant_requests"] + episode.usage["user_requests"]) for episode in played]
    figures |= {"client": "http", "images": images, "requests": sum(asked)}
    return figures | against(max(asked) * latency_s, figures, latency_s)


def timed(episodes: int, make_player: Any) -> tuple[list[EpisodeRecord], dict[str, Any]]:
    """So many episodes at once, and what they took."""
    wall, cpu = time.perf_counter(), time.process_time()
    played = [episode for _, episode in play_all(chosen_slots(episodes), make_player, Crew(threads=episodes))]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    failed = [episode.error for episode in played if episode.error]
    if failed:
        raise SystemExit(f"{len(failed)} episodes failed: {failed[0]}")
    turns = sum(len(episode.turns) for episode in played)
    return played, {"episodes": episodes, "turns": turns, "seconds": wall, "cpu_seconds": cpu}


def against(ideal: float, figures: dict[str, Any], latency_s: float) -> dict[str, Any]:
    ratio = figures["seconds"] / ideal
    return {
        "latency_s": latency_s, "ideal_seconds": ideal, "ratio": ratio, "target": WITHIN, "met": ratio <= WITHIN,
    }  # fmt: skip


def measure_ray(episodes: int, latency_s: float) -> dict[str, Any]:
    """One Ray worker against two, timed from the first episode to the last, so that starting is left out."""
    chosen = chosen_slots(episodes)
    seconds = {}
    for workers in (1, 2):
        times = []
        for _ in play_all(chosen, partial(WaitingPlayer, latency_s, None, 1), Crew(workers, 1, "auto")):
            times.append(time.perf_counter())
        seconds[workers] = (times[-1] - times[0]) / (len(times) - workers)
    gain = seconds[1] / seconds[2]
    return {
        "episodes": episodes, "latency_s": latency_s, "seconds_per_episode": seconds, "gain": gain, "target": GAIN,
        "met": gain >= GAIN,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--images", type=int, default=0)
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.ray:
        result = measure_ray(options.episodes, options.latency)
        words = f"two Ray workers: {result['gain']:.2f} times the speed of one (target {GAIN})"
    else:
        if options.models:
            result = measure_models(options.episodes, options.latency, options.images)
        else:
            with served(options.latency) if options.http else nullcontext() as url:
                result = measure_threads(options.episodes, options.latency, url)
        words = (
            f"{result['episodes']} episodes at once, {result['turns']} turns: {result['seconds']:.1f} s, ideal "
            f"{result['ideal_seconds']:.1f} s, ratio {result['ratio']:.3f} (target {WITHIN}); "
            f"{result['cpu_seconds']:.1f} s of computing in this process"
        )
    print(json.dumps(result, indent=2) if options.json else words)
    sys.exit(0 if result["met"] else 1)


if __name__ == "__main__":
    main()
