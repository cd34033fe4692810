"""A recorded episode played again shows what was there."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from siturec_gym.core.pose import Pose
from siturec_gym.evaluation.report.replay import IMAGE_SIZE, replay

ENV = "SituRec-Supermarket-v0"


def test_every_turn_comes_out_as_recorded(played_episodes) -> None:
    for episode in played_episodes:
        moments = replay(ENV, episode, images=False)
        assert len(moments) == len(episode.turns) + 1
        assert all(moment.as_recorded for moment in moments)
        assert moments[-1].cart == episode.cart
        for moment, turn in zip(moments, episode.turns, strict=False):
            seen = {entity.entity_id for entity in moment.seen}
            assert seen == {*turn.visible.places, *turn.visible.products}


def test_an_item_taken_is_in_hand_until_it_is_bought(played_episodes) -> None:
    bought = next(episode for episode in played_episodes if episode.cart)
    moments = replay(ENV, bought, images=False)
    assert bought.cart[0] in {moment.held for moment in moments}
    assert moments[0].held is moments[-1].held is None


def test_views_are_drawn(played_episodes) -> None:
    short = replace(played_episodes[0], turns=played_episodes[0].turns[:1])
    moments = replay(ENV, short)
    assert {Image.open(io.BytesIO(image)).size for image in moments[0].images.values()} == {IMAGE_SIZE}
    assert list(moments[0].images) == ["view", "assistant", "user"]
    assert len(set(moments[0].images.values())) == 3


def test_a_record_that_cannot_have_happened_is_noticed(played_episodes) -> None:
    episode = played_episodes[0]
    moved = replace(episode.turns[1], visible=replace(episode.turns[1].visible, pose=Pose(1.0, 1.0, 0.0)))
    moments = replay(ENV, replace(episode, turns=(episode.turns[0], moved, *episode.turns[2:])), images=False)
    assert [moment.as_recorded for moment in moments][:2] == [True, False]


def test_an_unknown_environment_is_a_clear_mistake(played_episodes) -> None:
    with pytest.raises(ValueError, match="unknown environment 'Shop-v0'"):
        replay("Shop-v0", played_episodes[0])
