"""A headless Chromium and pages to look at: a report of two runs, and one episode that was really played."""

import json
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

# Without selenium these tests cannot even be read; ``make test-browser`` installs it.
collect_ignore_glob = [] if find_spec("selenium") else ["test_*.py"]
WIDE, NARROW = (1280, 900), (420, 800)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a network: every request that leaves the machine would fail, and is logged."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium")
    arguments = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--proxy-server=127.0.0.1:9",
    )
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def open_page(browser) -> Callable[..., Any]:
    """Open a file at a window size; afterwards nothing was requested but the file, and nothing was complained of."""

    def show(path: Path, size: tuple[int, int] = WIDE, at: str = "") -> Any:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == NARROW}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        for kind in ("browser", "performance"):
            browser.get_log(kind)
        browser.get("about:blank")
        browser.get(f"{path.as_uri()}{at}")
        return browser

    return show


@pytest.fixture
def outside_requests(browser) -> Callable[[], list[str]]:
    """Addresses asked for since the last look that are neither files nor inside the page."""

    def look() -> list[str]:
        messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("file:", "data:", "about:"))]

    return look


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory) -> Path:
    """Six episodes of the heuristic assistant in the Supermarket, judged by the offline judge's form of a line."""
    from siturec_gym.core.records import to_json
    from siturec_gym.evaluation.environments import make_env
    from siturec_gym.evaluation.episode import play
    from siturec_gym.judges.judgment import DIMENSIONS, SCORED, Judgment, to_line
    from siturec_gym.policies import make_assistant
    from siturec_gym.users import make_user

    folder = tmp_path_factory.mktemp("runs") / "run"
    folder.mkdir()
    env = make_env("SituRec-Supermarket-v0", moderator=None)
    tasks = [f"supermarket/{profile:02d}.1" for profile in range(1, 7)]
    players = ("heuristic",) * 4 + ("random",) * 2
    episodes = [
        play(env, make_assistant(name), make_user("agenda"), task, seed)
        for seed, (task, name) in enumerate(zip(tasks, players, strict=True))
    ]
    judgments = [
        Judgment(episode.task, 0, "offline", "0123456789", SCORED, None, dict.fromkeys(DIMENSIONS, 4))
        for episode in episodes
    ]
    names = {"assistant": "heuristic", "user": "agenda", "moderator": "rules"}
    manifest = {
        "scene": "supermarket", "slots": 6, "arguments": {"env": "SituRec-Supermarket-v0", "tasks": "six"},
        "roles": {role: {"name": name, "kind": "scripted"} for role, name in names.items()},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "episodes.jsonl").write_text("".join(to_json(episode) + "\n" for episode in episodes))
    (folder / "judgments.jsonl").write_text("".join(to_line(judgment) + "\n" for judgment in judgments))
    return folder


@pytest.fixture(scope="session")
def report_page(run_folder) -> Path:
    from siturec_gym.evaluation.report import PAGE, read_runs, report_files, write_files

    out = run_folder.parent / "report"
    write_files(out, report_files(read_runs([run_folder, run_folder])))
    return out / PAGE


@pytest.fixture(scope="session")
def episode_page(run_folder) -> Path:
    from siturec_gym.evaluation.report.viewing import view_page

    path = run_folder.parent / "episode.html"
    path.write_text(view_page(run_folder, "01.1")[1])
    return path
