"""Makes tiny language models with random weights, for tests of whatever loads, serves or trains a real one.

A tokenizer is trained on this project's own text, so a prompt has about as many tokens as with a published model's. It
runs wherever torch and transformers are, by itself:

    python tests/support/tiny_models.py text|vision FOLDER [--seed 0]
"""

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ("siturec_gym/**/*.txt", "siturec_gym/**/wording.json", "siturec_gym/data/**/*.json", "docs/*.md")
LONGEST_TEXT = 400_000
VOCABULARY = 8192
POSITIONS = 32768
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
VISION_SPECIAL = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
SPLIT = r"\p{N}|[^\r\n\p{L}\p{N}]?\p{L}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+"
IMAGES = {
    "image_processor_type": "Qwen2VLImageProcessor",
    "processor_class": "Qwen2_5_VLProcessor",
    "patch_size": 14,
    "merge_size": 2,
    "temporal_patch_size": 2,
    "size": {"shortest_edge": 56 * 56, "longest_edge": 1280 * 28 * 28},
}
SPREAD = 0.15
"""Standard deviation of the weights: wide enough that what is read changes what is written."""

CHAT = """\
{%- for message in messages -%}
{%- if not loop.first and message.role == loop.previtem.role -%}
{{ raise_exception('roles must take turns') }}
{%- endif -%}
<|im_start|>{{ message.role }}
{% if message.content is string -%}
{{ message.content }}
{%- else -%}
{%- for part in message.content -%}
{%- if part.type == 'text' -%}
{{ part.text }}
{%- else -%}
<|vision_start|><|image_pad|><|vision_end|>
{%- endif -%}
{%- endfor -%}
{%- endif -%}
<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% endif -%}
"""


def own_texts() -> Iterator[str]:
    """This project's catalogues, tasks, prompts, wordings and docs."""
    for pattern in TEXTS:
        for path in sorted(ROOT.glob(pattern)):
            yield path.read_text(encoding="utf-8")[:LONGEST_TEXT]


def make_tokenizer() -> Any:
    """A byte-level BPE tokenizer with the special tokens and the chat form of Qwen's models."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    words = pre_tokenizers.Split(Regex(SPLIT), behavior="isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([words, pre_tokenizers.ByteLevel(False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    special = [*SPECIAL, *VISION_SPECIAL]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(own_texts(), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=special,
        model_max_length=POSITIONS,
        chat_template=CHAT,
    )


def _text_shape(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": VOCABULARY,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": POSITIONS,
        "initializer_range": SPREAD,
        "tie_word_embeddings": True,
        "bos_token_id": tokenizer.pad_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
    }


def make_text_model(folder: Path, seed: int = 0) -> None:
    """A Qwen2 of half a million random weights, saved with its tokenizer."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    tokenizer = make_tokenizer()
    torch.manual_seed(seed)
    Qwen2ForCausalLM(Qwen2Config(**_text_shape(tokenizer))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_vision_model(folder: Path, seed: int = 0) -> None:
    """A Qwen2.5-VL of random weights, saved with its tokenizer and what prepares images for it."""
    import torch
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    tokenizer = make_tokenizer()
    token = tokenizer.convert_tokens_to_ids
    vision = {
        "depth": 2,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_heads": 2,
        "out_hidden_size": 64,
        "fullatt_block_indexes": [1],
        "initializer_range": SPREAD,
    }
    rope = {"rope_type": "default", "rope_theta": 1_000_000.0, "mrope_section": [4, 6, 6]}
    config = Qwen2_5_VLConfig(
        text_config=_text_shape(tokenizer) | {"rope_parameters": rope},
        vision_config=vision,
        tie_word_embeddings=True,
        image_token_id=token("<|image_pad|>"),
        video_token_id=token("<|video_pad|>"),
        vision_start_token_id=token("<|vision_start|>"),
        vision_end_token_id=token("<|vision_end|>"),
        eos_token_id=tokenizer.eos_token_id,
    )
    torch.manual_seed(seed)
    Qwen2_5_VLForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(IMAGES, indent=2))


MAKERS = {"text": make_text_model, "vision": make_vision_model}


def main() -> None:
    """Makes one model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=MAKERS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    MAKERS[asked.kind](asked.folder, asked.seed)


if __name__ == "__main__":
    main()
