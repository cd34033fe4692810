"""Chance that belongs to a request: the same request draws the same, another one draws otherwise."""

import numpy as np

from siturec_gym.core.seeding import generator
from siturec_gym.llm.cache import cache_key
from siturec_gym.llm.messages import ChatRequest


def chance_of(model: str, request: ChatRequest, purpose: str) -> np.random.Generator:
    """A generator that depends on the model, on all of the request (its seed and trial too) and on ``purpose``."""
    return generator(request.seed, purpose, cache_key("", model, request))


def sampling_seed(model: str, request: ChatRequest) -> int:
    """The seed that a reply is drawn with, 0 or more and below 2**31: one of its own for each turn and trial."""
    return int(chance_of(model, request, "sampling").integers(2**31))
