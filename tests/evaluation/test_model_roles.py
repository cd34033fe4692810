"""Runs whose assistant and user are models at an endpoint (S24)."""

import base64
import io
import json
import random
import re
from dataclasses import replace

import pytest
from chat_server import ChatServer
from PIL import Image
from schema_reply import reply_to

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.core.errors import ContextOverflowError, TransientModelError
from siturec_gym.core.seeding import role_seed
from siturec_gym.evaluation import model_facts, player
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.player import Player, views_for
from siturec_gym.evaluation.run_store import read_episodes, read_manifest
from siturec_gym.evaluation.runner import plan, plan_rest, run
from siturec_gym.evaluation.slots import Slot
from siturec_gym.llm import Decoding, ScriptedClient
from siturec_gym.llm.clients import ModelFacts
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.text import bounded_text
from siturec_gym.llm.structured import Asker
from siturec_gym.policies import make_assistant
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.users import make_user
from siturec_gym.users.llm import LLMUser

CONFIG = RunConfig("SituRec-HomeFurnishings-v0", "llm:tiny", "llm:tiny", "llm:tiny", tasks="0:1")
OVER = json.dumps({"reason": "enough", "over": "yes"})


def script(number, body):
    """Whatever the schema allows; the moderator ends the first episode it is asked about."""
    schema = body["response_format"]["json_schema"]["schema"]
    return OVER if "over" in schema["properties"] else reply_to(schema, random.Random(number))


@pytest.fixture
def server(server):
    server.script = script
    return server


@pytest.fixture
def models(server):
    return ModelSettings(base_url=server.url, timeout_s=5.0)


def pictures(body):
    parts = [
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    ]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in urls]


def test_all_roles_are_played_by_models_that_see(tmp_path, server, models):
    config = replace(CONFIG, settings={"user.image_side": 64, "assistant.map_image": False})
    summary = run(plan(config, models), tmp_path / "run")
    (episode,) = read_episodes(tmp_path / "run")
    assert (episode.status, episode.end_reason, len(episode.turns)) == ("complete", "moderator_ended", 1)
    assert {role: used["requests"] for role, used in summary["usage"].items()} == {
        "assistant": 1,
        "user": 1,
        "moderator": 1,
    }
    seen = [[max(picture.size) for picture in pictures(body)] for body in server.bodies]
    assert seen == [[512], [64], []]
    assert episode.turns[0].assistant.utterance
    assert episode.turns[0].usage["user_prompt_tokens"] == 11


def test_settings_and_prompts_of_each_role_stand_in_the_manifest(tmp_path, server, models):
    config = replace(CONFIG, settings={"assistant.temperature": 0.7, "user.images": 0, "moderator.seed": 4})
    run(plan(config, models), tmp_path / "run")
    manifest = read_manifest(tmp_path / "run")
    roles = manifest["roles"]
    assert manifest["arguments"]["settings"] == config.settings
    assert [roles[role]["decoding"]["temperature"] for role in roles] == [0.7, 0.0, 0.0]
    assert roles["moderator"]["decoding"]["seed"] == 4
    assert len({role["prompt_hash"] for role in roles.values()}) == 3
    assert {(role["kind"], role["model"]) for role in roles.values()} == {("model", "tiny")}
    sent = {name: [body.get(name) for body in server.bodies] for name in ("temperature", "seed")}
    assert sent["temperature"] == [0.7, 0.0, 0.0]
    assert [seed is None for seed in sent["seed"]] == [True, True, False]
    assert not pictures(server.bodies[1])


def test_the_length_of_a_context_is_asked_for_once_and_then_part_of_the_run(tmp_path, server, models):
    server.described = {"max_model_len": 30_000}
    config = replace(CONFIG, settings={"user.context_tokens": 20_000})
    run(plan(config, models), tmp_path / "run")
    server.described = {"max_model_len": 40_000}
    kept = plan_rest(tmp_path / "run").config.settings
    assert kept == {"assistant.context_tokens": 30_000, "user.context_tokens": 20_000}


def test_a_context_too_small_for_the_first_turn_is_one_line_before_anything_is_sent(server, models):
    server.described = {"max_model_len": 8192}
    with pytest.raises(ContextOverflowError, match=r"^assistant 'tiny' has too small a context .* leaves 6144 beside"):
        plan(CONFIG, models)
    assert server.bodies == []


def test_a_limit_that_workers_could_not_keep_is_one_line_before_anything_is_written(tmp_path, models):
    planned = plan(CONFIG, replace(models, concurrency=2))
    with pytest.raises(ValueError, match="a concurrency of 2 is too little for 3 workers"):
        run(planned, tmp_path / "run", 3)
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_at_a_server_that_tells_more_than_the_first(tmp_path, server, models):
    run(plan(CONFIG, models), tmp_path / "run")
    server.described = {"max_model_len": 40_000}
    assert plan_rest(tmp_path / "run").config == CONFIG


def test_each_role_may_have_an_endpoint_and_a_key_of_its_own(tmp_path, server, models, monkeypatch):
    other = ChatServer()
    other.script = script
    monkeypatch.setenv("OPENAI_API_KEY", "usual")
    monkeypatch.setenv("OTHER_KEY", "special")
    apart = replace(models, urls=(("user", other.url),), keys=(("user", "OTHER_KEY"),))
    try:
        run(plan(CONFIG, apart), tmp_path / "run")
    finally:
        other.stop()
    assert [headers["authorization"] for headers in server.headers] == ["Bearer usual"] * 2
    assert [headers["authorization"] for headers in other.headers] == ["Bearer special"]
    manifest = (tmp_path / "run" / "manifest.json").read_text()
    assert "special" not in manifest
    assert json.loads(manifest)["models"]["keys"] == {"user": "OTHER_KEY"}


def test_with_the_cache_a_second_run_sends_nothing_at_all(tmp_path, server, models):
    server.described = {"max_model_len": 30_000}
    cached = replace(models, cache=str(tmp_path / "cache"))
    run(plan(CONFIG, cached), tmp_path / "one")
    asked = len(server.bodies), server.listed
    summary = run(plan(CONFIG, cached), tmp_path / "two")
    assert (len(server.bodies), server.listed) == asked
    assert summary["usage"] == {role: {"cache_hits": 1} for role in ("assistant", "user", "moderator")}
    one, two = (read_episodes(tmp_path / name)[0].turns[0] for name in ("one", "two"))
    assert (one.assistant, one.user) == (two.assistant, two.user)
    run(plan(replace(CONFIG, trials=2), cached), tmp_path / "three")
    assert len(server.bodies) == asked[0] + 3


def test_every_role_is_asked_with_the_seed_and_trial_of_its_episode(tmp_path, monkeypatch):
    """They are in the cache's key: without them one trial would be given another one's replies."""

    def reply(request):
        return OVER if "over" in request.schema["properties"] else reply_to(request.schema, random.Random(1))

    clients = {role: ScriptedClient(reply) for role in ("assistant", "user", "moderator")}
    monkeypatch.setattr(player, "askers_of", lambda *_: {role: Asker(client) for role, client in clients.items()})
    play = Player(replace(CONFIG, settings={"assistant.images": 0, "user.images": 0}), tmp_path)
    for slot in (Slot("home_furnishings/01.1", 0, 41), Slot("home_furnishings/01.1", 3, 42)):
        play(slot)
    asked = {role: [(request.seed, request.trial) for request in client.requests] for role, client in clients.items()}
    acting = {role: [(role_seed(41, role), 0), (role_seed(42, role), 3)] for role in ("assistant", "user")}
    assert asked == acting | {"moderator": [(41, 0), (42, 3)]}


def test_a_model_that_reads_text_alone_gets_no_images_and_the_run_says_so(monkeypatch):
    monkeypatch.setattr(model_facts, "facts_of", lambda *_: ModelFacts(context_tokens=60_000, sees=False))
    asked_for = {"assistant.temperature": 1.0}
    settings = plan(replace(CONFIG, settings=asked_for)).config.settings
    told = {f"{role}.{name}": value for role in ("assistant", "user")
            for name, value in (("context_tokens", 60_000), ("images", 0))}  # fmt: skip
    assert settings == asked_for | told
    with pytest.raises(ValueError, match=r"--set user\.images: 'tiny' reads text alone"):
        plan(replace(CONFIG, settings={"user.images": 1}))


@pytest.mark.parametrize("role", ["assistant", "user", "moderator"])
def test_a_dead_endpoint_of_any_role_is_one_line_that_names_it(server, models, role):
    dead = "http://127.0.0.1:9/v1"
    with pytest.raises(TransientModelError, match=f"{dead} cannot be reached") as raised:
        plan(CONFIG, replace(models, urls=((role, dead),)))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("settings", "views"),
    [
        ({"assistant.images": 0, "user.images": 0}, {}),
        ({"user.images": 0}, {"image_size": (512, 384)}),
        ({"user.image_side": 896}, {"image_size": (896, 672)}),
        ({"user.image_side": None}, {"image_size": (640, 480)}),
        ({"assistant.image_side": 64, "user.image_side": 28}, {"image_size": (320, 240)}),
        ({"user.image_side": 9999}, {"image_size": (1920, 1440)}),
    ],
)
def test_views_are_drawn_only_for_models_that_look_and_as_large_as_they_want(settings, views):
    drawn = views_for(replace(CONFIG, settings=settings))
    assert drawn == (views and {"images": True, "som": True, "preset": "vlm"} | views)


def test_no_views_are_drawn_for_a_moderator():
    assert views_for(replace(CONFIG, assistant="heuristic", user="agenda")) == {}


@pytest.mark.parametrize("in_environment", [False, True])
def test_a_user_that_is_a_model_lives_in_gymnasiums_form(server, monkeypatch, in_environment):
    import gymnasium

    monkeypatch.setenv("OPENAI_BASE_URL", server.url if in_environment else "http://127.0.0.1:9/v1")
    address = {} if in_environment else {"base_url": server.url}
    env = gymnasium.make(CONFIG.env, user="llm:tiny", user_config=address, moderator="none")
    assistant = make_assistant("llm:tiny", base_url=server.url)
    observation, _ = env.reset(seed=3)
    action, _ = assistant.step(observation, assistant.initial_state(3))
    observation, _, _, _, info = env.step(env.unwrapped.encode_action(action))
    assert "error" not in info
    assert observation["turn"] == 1
    assert [bool(pictures(body)) for body in server.bodies] == [True, True]
    env.close()


def test_a_user_whose_model_does_not_answer_is_found_when_the_environment_is_made(server):
    import gymnasium

    server.stop()
    with pytest.raises(TransientModelError, match=f"^{server.url} cannot be reached: ") as caught:
        gymnasium.make(CONFIG.env, user="llm:tiny", user_config={"base_url": server.url})
    assert "\n" not in str(caught.value)


def test_an_endpoint_lost_later_is_named_without_what_it_says(server):
    env = home_furnishings_v0.gym_env(images=False, user="llm:tiny", user_config={"base_url": server.url})
    observation, _ = env.reset(seed=3)
    server.script = lambda number, body: (400, json.dumps({"error": {"message": body["messages"][0]["content"]}}), {})
    heuristic = make_assistant("heuristic")
    action, _ = heuristic.step(observation, heuristic.initial_state(3))
    info = env.step(env.encode_action(action))[-1]
    assert info["error"] == f"the simulated user gave no action: DeterministicModelError at {server.url}"
    assert "answered 400" in env.episode_record().error


@pytest.mark.parametrize(("make", "role"), [(make_user, "user"), (make_assistant, "assistant")])
def test_a_policy_made_by_name_plays_by_the_settings_that_it_was_given(server, make, role):
    env = home_furnishings_v0.env(images=False)
    env.reset(seed=1)
    settings = RoleSettings(Decoding(temperature=0.3), utterance_chars=7)
    policy = make("llm:tiny", base_url=server.url, settings=settings)
    request = policy.request(env.observe(role), policy.initial_state(1))
    assert request.decoding.temperature == 0.3
    assert request.schema["properties"]["utterance"] == bounded_text(7)


@pytest.mark.parametrize(("make", "role"), [(make_user, "user"), (make_assistant, "assistant")])
def test_other_options_of_a_model_are_one_clear_line(make, role):
    with pytest.raises(ValueError, match=rf"{role} 'llm:tiny' does not take the options \['colour'\]"):
        make("llm:tiny", colour=1)


@pytest.mark.parametrize("facade", [supermarket_v0, home_furnishings_v0])
@pytest.mark.parametrize("cls", [LLMAssistant, LLMUser])
def test_no_prompt_tells_a_limit_of_turns_since_environments_may_have_another(facade, cls):
    role, texts = "assistant" if cls is LLMAssistant else "user", []
    for limit in (3, 20, 50):
        env = facade.env(images=False, max_cycles=limit)
        env.reset(seed=1)
        policy = cls(Asker(ScriptedClient(())), RoleSettings(images=0))
        request = policy.request(env.observe(role), policy.initial_state(1))
        texts.append("".join(message.text for message in request.messages))
    assert not re.search(r"\b(\d+|twenty) turns", texts[0])
    assert texts[0] == texts[1] == texts[2]
