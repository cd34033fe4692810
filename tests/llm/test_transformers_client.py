"""Models in this process: tiny ones with random weights, loaded and asked as real ones are (S24)."""

import io
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from PIL import Image

from siturec_gym.core.errors import ContextOverflowError, DeterministicModelError
from siturec_gym.llm.cache import CachedClient
from siturec_gym.llm.clients import look_at
from siturec_gym.llm.loading import read_folder
from siturec_gym.llm.messages import ChatRequest, Decoding, ImagePart, Message
from siturec_gym.llm.names import ModelName
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.transformers_client import TransformersClient
from siturec_gym.policies.llm.sample import sample_schemas

pytestmark = pytest.mark.hf
ALL_12 = {"min_new_tokens": 12}
SHORT = Decoding(max_tokens=12, extra=ALL_12)
WARM = Decoding(temperature=1.0, top_p=0.95, max_tokens=12, extra=ALL_12)
CHOICE = {
    "type": "object",
    "properties": {"word": {"enum": ["left", "right"]}, "said": {"type": "string", "pattern": "^[a-z ]{1,20}$"}},
    "required": ["word", "said"],
    "additionalProperties": False,
}


def picture(shade, width=112, height=84):
    file = io.BytesIO()
    Image.fromarray(np.full((height, width, 3), shade, np.uint8)).save(file, "PNG")
    return ImagePart(file.getvalue())


def ask(*parts, decoding=SHORT, **fields):
    return ChatRequest((Message.of("system", "Be brief."), Message.of("user", *parts)), decoding, **fields)


@pytest.fixture(scope="module")
def text(tiny_folder):
    return TransformersClient(str(tiny_folder("text")))


@pytest.fixture(scope="module")
def vision(tiny_folder):
    return TransformersClient(str(tiny_folder("vision")))


@pytest.fixture
def copied(tiny_folder, tmp_path):
    """A copy of the text model's folder, to be broken."""
    shutil.copytree(tiny_folder("text"), tmp_path / "model")
    return tmp_path / "model"


def test_a_reply_follows_from_the_request_alone(text):
    warm = ask("Hello", decoding=WARM, seed=3)
    first = text.complete(warm)
    assert text.complete(warm) == first
    others = [text.complete(replace(warm, **change)).text for change in ({"trial": 1}, {"seed": 4})]
    assert len({first.text, *others}) == 3


def test_greedy_replies_are_the_same_in_every_trial(text):
    assert text.complete(ask("Hello", trial=1)) == text.complete(ask("Hello", trial=2))


def test_chance_of_the_rest_of_the_process_is_left_alone(text):
    import torch

    torch.manual_seed(5)
    before = torch.get_rng_state()
    text.complete(ask("Hello", decoding=WARM))
    assert torch.equal(torch.get_rng_state(), before)


def test_tokens_are_counted(text, tiny_folder):
    reply = text.complete(ask("Hello"))
    tokenizer = read_folder(str(tiny_folder("text"))).tokenizer
    prompt = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
    assert reply.usage.prompt_tokens == len(tokenizer(prompt)["input_ids"])
    assert (reply.usage.completion_tokens, reply.finish_reason) == (12, "length")


@pytest.mark.parametrize("decoding", [Decoding(max_tokens=900), Decoding(temperature=1.5, max_tokens=900)])
@pytest.mark.parametrize("kind", ["text", "vision"])
def test_replies_are_held_to_the_schemas_of_real_turns(request, kind, decoding):
    client = request.getfixturevalue(kind)
    for schema in (*sample_schemas(RoleSettings()), CHOICE):
        reply = client.complete(ask("Hello", decoding=decoding, schema=schema))
        assert reply.finish_reason == "stop"
        jsonschema.validate(json.loads(reply.text), schema)


def test_a_reply_that_its_limit_cuts_off_says_so(text):
    reply = text.complete(ask("Hello", decoding=Decoding(max_tokens=3), schema=CHOICE))
    assert (reply.finish_reason, reply.usage.completion_tokens) == ("length", 3)


def test_a_schema_that_cannot_be_held_to_is_one_line(text):
    with pytest.raises(DeterministicModelError, match="a reply cannot be held to its schema: "):
        text.complete(ask("Hello", schema={"type": "string", "pattern": "(?=a)b"}))


def test_images_are_seen_and_take_their_tokens(vision):
    plain = vision.complete(ask("Hello"))
    dark, *others = (vision.complete(ask("Hello", picture(shade))) for shade in (0, 90, 170, 255))
    assert any(other.text != dark.text for other in others)
    # 112 x 84 pixels are 4 x 3 patches of 28; a token opens and one closes each picture.
    assert dark.usage.prompt_tokens == plain.usage.prompt_tokens + 12 + 2
    two = vision.complete(ask("Hello", picture(0), picture(0, width=56)))
    assert two.usage.prompt_tokens == dark.usage.prompt_tokens + 6 + 2


def test_a_template_that_takes_parts_alone_loses_no_text(tiny_folder, tmp_path):
    shutil.copytree(tiny_folder("vision"), tmp_path / "model")
    parts = "{% for m in messages %}{% for p in m.content %}{{ p.text if p.type == 'text' }}{% endfor %}{% endfor %}"
    (tmp_path / "model/chat_template.jinja").write_text(parts)
    client = TransformersClient(str(tmp_path / "model"))
    words = len(client._reader.tokenizer("Be brief.Hello")["input_ids"])
    assert client.complete(ask("Hello")).usage.prompt_tokens == words


def test_a_text_model_is_not_shown_images(text):
    with pytest.raises(DeterministicModelError, match="reads text alone: set the role's images=0"):
        text.complete(ask("Hello", picture(0)))


def test_what_is_longer_than_the_context_is_refused_before_anything_is_generated(text, monkeypatch):
    def never(**_):
        raise AssertionError("generated")

    monkeypatch.setattr(text._loaded.model, "generate", never)
    with pytest.raises(ContextOverflowError, match=r"a reply of up to 32768 is longer than its context of 32768"):
        text.complete(ask("Hello", decoding=Decoding(max_tokens=32768)))
    with pytest.raises(ContextOverflowError, match="longer than its context"):
        text.complete(ask("word " * 40_000, decoding=Decoding(max_tokens=None)))


def test_threads_get_what_they_would_get_alone(text):
    requests = [ask("Hello", decoding=WARM, seed=seed) for seed in range(8)]
    alone = [text.complete(request) for request in requests]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(text.complete, requests)) == alone


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("OutOfMemoryError", "ran out of memory"),
        ("AcceleratorError", "failed: the device"),
        ("x", "failed: the device"),
    ],
)
def test_what_fails_while_generating_is_one_line(text, monkeypatch, error, words):
    import torch

    def fail(**_):
        kind = getattr(torch, error, RuntimeError)
        raise kind("CUDA out of memory. Tried to allocate" if "Memory" in error else "the device\nis lost")

    monkeypatch.setattr(text._loaded.model, "generate", fail)
    with pytest.raises(DeterministicModelError, match=words) as raised:
        text.complete(ask("Hello"))
    assert "\n" not in str(raised.value)


def test_settings_of_the_library_can_be_given_and_others_are_refused(text):
    five = Decoding(max_tokens=40, extra={"max_new_tokens": 5, "min_new_tokens": 5})
    reply = text.complete(ask("Hello", decoding=five))
    assert reply.usage.completion_tokens == 5
    with pytest.raises(DeterministicModelError, match="extra has no setting 'colour'"):
        text.complete(ask("Hello", decoding=Decoding(extra={"colour": 1})))


def test_variables_of_the_chat_template_can_be_set_and_reasoning_is_kept_apart(copied, monkeypatch):
    template = copied / "chat_template.jinja"
    template.write_text(template.read_text() + "{% if thinks %}<think>\n{% endif %}")
    client = TransformersClient(str(copied))
    thinking = replace(SHORT, extra=ALL_12 | {"chat_template_kwargs": {"thinks": True}})
    reply = client.complete(ask("Hello", decoding=thinking, schema=CHOICE))
    assert reply.text == ""
    assert reply.reasoning
    said = client._reader.tokenizer.encode(' I look around.</think>{"word":"left","said":"go"}')
    end = client._loaded.end_tokens[0]

    def written(input_ids, logits_processor, **_):
        """Draws what is wanted, as long as the guide lets it."""
        import torch

        for token in (*said, end):
            scores = logits_processor[0](input_ids, torch.zeros(1, 8192))
            assert torch.isfinite(scores[0, token])
            input_ids = torch.cat([input_ids, torch.tensor([[token]])], 1)
        return input_ids

    monkeypatch.setattr(client._loaded.model, "generate", written)
    reply = client.complete(ask("Hello", decoding=thinking, schema=CHOICE))
    assert (reply.reasoning, reply.text) == ("I look around.", '{"word":"left","said":"go"}')


def test_a_model_is_loaded_once_for_all_who_name_its_folder(text, tiny_folder, monkeypatch):
    folder = tiny_folder("text")
    monkeypatch.chdir(folder.parent)
    near = TransformersClient("./text")
    assert near._loaded is text._loaded
    assert near.model == "hf:./text"


def test_a_folder_tells_what_its_model_can_do_without_being_loaded(tiny_folder):
    facts = [look_at(ModelName("hf", str(tiny_folder(kind)))) for kind in ("text", "vision")]
    assert [(told.context_tokens, told.sees) for told in facts] == [(32768, False), (32768, True)]
    assert facts[0].fingerprint != facts[1].fingerprint


def test_a_model_trained_further_in_the_same_folder_is_another_one(copied, text, tmp_path):
    import torch
    from transformers import AutoModelForCausalLM

    before = read_folder(str(copied)).fingerprint
    assert before == text.fingerprint
    cached = CachedClient(TransformersClient(str(copied)), tmp_path / "cache", "user")
    assert [cached.complete(ask("Hello")).usage.cache_hits for _ in range(2)] == [0, 1]
    model = AutoModelForCausalLM.from_pretrained(copied)
    with torch.no_grad():
        model.model.layers[1].mlp.down_proj.weight.add_(0.01)
    model.save_pretrained(copied)
    assert read_folder(str(copied)).fingerprint != before
    later = CachedClient(TransformersClient(str(copied)), tmp_path / "cache", "user")
    assert later.complete(ask("Hello")).usage.cache_hits == 0


def test_numbers_may_be_of_another_kind(tiny_folder):
    import torch

    half = TransformersClient(str(tiny_folder("vision")), "cpu", "bfloat16")
    assert half._loaded.model.dtype is torch.bfloat16
    assert (
        half.complete(ask("Hello", picture(90), schema=CHOICE, decoding=Decoding(max_tokens=60))).finish_reason
        == "stop"
    )
    with pytest.raises(ValueError, match="unknown dtype 'int4'; choose from auto, bfloat16"):
        TransformersClient(str(tiny_folder("text")), "cpu", "int4")


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(DeterministicModelError, match="'/nowhere/model' is no folder that holds a model"):
        TransformersClient("/nowhere/model")
    with pytest.raises(DeterministicModelError, match="holds no model that can be read"):
        look_at(ModelName("hf", str(tmp_path)))


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("chat_template.jinja", None, "has no chat template: take the model's chat or instruct form"),
        ("model.safetensors", None, r"holds no weights \(\*.safetensors\)"),
        ("model.safetensors", b"cut off", "cannot be loaded to cpu: "),
        ("config.json", b'{"model_type": "wishful"}', "holds no model that can be read: "),
        ("config.json", b"{", "holds no model that can be read: "),
        ("tokenizer.json", b"{}", "holds no model that can be read: "),
    ],
)
def test_a_broken_folder_is_one_line(copied, file, content, words):
    (copied / file).unlink() if content is None else (copied / file).write_bytes(content)
    with pytest.raises(DeterministicModelError, match=words) as raised:
        TransformersClient(str(copied), "cpu")
    assert "\n" not in str(raised.value)
    assert str(copied) in str(raised.value)


def test_a_device_that_is_not_there_is_one_line(tiny_folder):
    with pytest.raises(DeterministicModelError, match="cannot be loaded to cuda:7: "):
        TransformersClient(str(tiny_folder("text")), "cuda:7")
