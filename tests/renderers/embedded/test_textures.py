"""Packed mip chains and fitted lettering."""

import numpy as np
import pytest

from siturec_gym.renderers.embedded.layout import LEVELS, LOG2_HEIGHT, LOG2_WIDTH
from siturec_gym.renderers.embedded.lettering import fitted, ink_on, luminance, parse_color
from siturec_gym.renderers.embedded.materials import material
from siturec_gym.renderers.embedded.mips import pack_textures
from siturec_gym.renderers.embedded.printing import price_tag, sign


def level_of(textures, number, level):
    """(height + 1, width + 1, 4) bytes of one level, with its extra row and column."""
    row = textures.table[number]
    height, width = (1 << (int(row[log2]) - level) for log2 in (LOG2_HEIGHT, LOG2_WIDTH))
    words = textures.texels[row[level] : row[level] + (height + 1) * (width + 1)]
    return words.view(np.uint8).reshape(height + 1, width + 1, 4)


def test_levels_are_means_and_padded_by_their_own_start():
    image = np.random.default_rng(0).integers(0, 256, (32, 64, 3), np.uint8)
    flat = np.full((16, 16, 3), (10, 20, 30), np.uint8)
    textures = pack_textures([image, flat, image[::-1].copy()])
    assert textures.table[:, LEVELS].tolist() == [6, 5, 6]
    for number, picture in ((0, image), (2, image[::-1])):
        top = level_of(textures, number, 0)
        assert np.array_equal(top[:32, :64, :3], picture)
        assert np.array_equal(top[32, :64], top[0, :64])
        assert np.array_equal(top[:, 64], top[:, 0])
        half = level_of(textures, number, 1)[:16, :32, :3].astype(int)
        sums = picture.astype(int).reshape(16, 2, 32, 2, 3).sum(axis=(1, 3))
        assert np.array_equal(half, (sums + 2) // 4)
    assert (level_of(textures, 1, 4)[..., :3] == (10, 20, 30)).all()


def test_sides_must_be_powers_of_two():
    with pytest.raises(ValueError, match="powers of two, received 24"):
        pack_textures([np.zeros((16, 24, 3), np.uint8)])


@pytest.mark.parametrize("text", ["Milk", "Whole Milk Lactose-Free", "A B C D E F G H I J"])
@pytest.mark.parametrize("box", [(40, 40), (120, 20), (30, 90)])
def test_fitted_text_stays_in_its_box(text, box):
    size, lines = fitted(text, *box)
    assert " ".join(lines) == text
    assert size >= 6
    assert size == 6 or len(lines) * size * 1.12 <= box[1]


def test_larger_boxes_give_larger_text():
    assert fitted("Potato Chips", 200, 60)[0] > fitted("Potato Chips", 100, 30)[0]


@pytest.mark.parametrize("ground", ["#000000", "#ffffff", "#c62828", "#f6c915", "#808080"])
def test_ink_can_be_read_on_any_ground(ground):
    color = parse_color(ground)
    for wish in (None, color, (200, 200, 0)):
        assert abs(luminance(ink_on(color, wish)) - luminance(color)) > 90


def test_unknown_material():
    with pytest.raises(ValueError, match="no material 'velvet'; there are wall,"):
        material("velvet")


def test_tags_and_signs_differ_by_what_they_say(tiny_scene):
    tags = {price_tag(product).tobytes() for product in tiny_scene.catalog}
    assert len(tags) == len(tiny_scene.catalog)
    size = (2.4, 0.7)
    assert not np.array_equal(sign("Aisle 1: Milk", size), sign("Aisle 2: Milk", size))
    assert sign("Aisle 1: Milk", size).shape == (128, 512, 3)
