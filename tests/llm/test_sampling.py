"""Seeds of replies."""

from dataclasses import replace

from siturec_gym.llm.messages import ChatRequest, Decoding, Message
from siturec_gym.llm.sampling import sampling_seed

REQUEST = ChatRequest((Message.of("user", "Hello?"),), Decoding(seed=1), seed=5, trial=0)


def test_a_seed_belongs_to_all_of_a_request():
    others = [
        replace(REQUEST, trial=1),
        replace(REQUEST, seed=6),
        replace(REQUEST, decoding=Decoding(seed=2)),
        replace(REQUEST, messages=(Message.of("user", "Hello!"),)),
    ]
    seeds = [sampling_seed("tiny", request) for request in (REQUEST, *others)] + [sampling_seed("other", REQUEST)]
    assert len(set(seeds)) == len(seeds)
    assert sampling_seed("tiny", replace(REQUEST)) == seeds[0]
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_it_is_the_same_on_every_machine():
    assert sampling_seed("tiny", REQUEST) == 1806989831
