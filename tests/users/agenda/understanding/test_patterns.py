import pytest

from siturec_gym.users.agenda.understanding.patterns import PatternIndex, compile_pattern


def index(*lines: str) -> PatternIndex:
    return PatternIndex([compile_pattern(line, line, {"it": "it|that one"}) for line in lines])


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("how much", "so how much is it", True),
        ("how much", "how is it", False),
        ("(put|place) <it> [back|down] please", "place that one back please", True),
        ("(put|place) <it> [back|down] please", "place it please", True),
        ("(put|place) <it> [back|down] please", "place please", False),
        ("allerg%", "any allergies ?", True),
        ("turn ~ left", "turn a little left", True),
        ("turn ~ left", "turn a little bit more left", False),
        ("turn * left", "turn a little bit more left", True),
        ("^ left", "left please", True),
        ("^ left", "go left", False),
        ("left $", "go left", True),
        ("left $", "go left ?", True),
        ("left $", "left now", False),
    ],
)
def test_the_pattern_language(pattern, text, matches):
    assert bool(index(pattern).matches(text.split())) == matches


def test_spans_cover_the_phrase_with_its_leading_space():
    assert index("how much").matches(["so", "how", "much"]) == {"how much": (3, 12)}


@pytest.mark.parametrize("line", ["(a|b", "a)", "[a]", "* ~"])
def test_a_broken_line_is_named(line):
    with pytest.raises(ValueError, match="unmatched brackets or no certain word"):
        compile_pattern("ask", line, {})
