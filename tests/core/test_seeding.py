"""Random streams by seed and name: the same everywhere, apart from each other (S10)."""

import hashlib
import subprocess
import sys

from siturec_gym.core.seeding import draws, generator


def draw(*parts: int | str) -> list[int]:
    seed, *names = parts
    return generator(int(seed), *names).integers(0, 2**31, 4).tolist()


def test_equal_names_give_equal_streams() -> None:
    assert draw(7, "user", 3) == draw(7, "user", 3)


def test_every_part_matters() -> None:
    streams = [draw(7, "user", 3), draw(8, "user", 3), draw(7, "assistant", 3), draw(7, "user", 4), draw(7, 3, "user")]
    assert len({tuple(stream) for stream in streams}) == len(streams)


def test_another_process_draws_the_same() -> None:
    code = (
        "from siturec_gym.core.seeding import generator;print(generator(42, 'user', 1).integers(0, 2**31, 4).tolist())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for hash_seed in ("1", "2")
    ]
    assert told == [str(draw(42, "user", 1))] * 2


def test_draws_are_uniform_and_depend_on_seed_and_names_alone() -> None:
    """First number by hand: the first 8 bytes of SHAKE-128 over the names, little-endian, upper 53 bits."""
    numbers = draws(1000, 3, "agenda", 7)
    assert numbers == draws(1000, 3, "agenda", 7)
    assert numbers[:5] == draws(5, 3, "agenda", 7)
    first = int.from_bytes(hashlib.shake_128(b"3\x1fagenda\x1f7").digest(8), "little") >> 11
    assert numbers[0] == first / 2**53
    assert all(0 <= number < 1 for number in numbers)
    assert abs(sum(numbers) / 1000 - 0.5) < 0.03
    assert draws(1, 3, "a", "b") != draws(1, 3, "ab") != draws(1, 4, "ab")
