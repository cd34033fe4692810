"""What the heuristic assistant takes from a shopper's words; labels and amounts read by a person."""

import pytest

from siturec_gym.policies.heuristic.hearing import Heard, understand
from siturec_gym.policies.heuristic.vocabulary import Vocabulary

# words, the topic that was asked about, labels wanted, labels not wanted
NEEDS = (
    ("I'm looking for some frozen fish for dinner.", "", {"frozen fish", "dinner"}, set()),
    ("Could you show me where the yogurt is?", "category", {"yogurt"}, set()),
    ("I need washing powder.", "", {"laundry detergent"}, set()),
    ("A loaf for the weekend, please.", "", {"bread"}, set()),
    ("Something for my cat.", "category", {"cat food"}, set()),
    ("We ran out of nappies.", "", {"diapers"}, set()),
    ("Do you have a plain, mild fish that cooks quickly?", "", {"plain", "mild", "quick-cook"}, set()),
    ("It should be gluten-free and mild.", "needs", {"gluten-free", "mild"}, set()),
    ("I have to eat gluten free.", "", {"gluten-free"}, set()),
    ("No lactose, please.", "avoid", {"lactose-free"}, set()),
    ("I can't digest lactose, so lactose-free only.", "", {"lactose-free"}, set()),
    ("It must be vegan.", "needs", {"vegan"}, set()),
    ("Nothing with meat, I'm vegetarian.", "", {"vegetarian"}, set()),
    ("Organic would be lovely.", "needs", {"organic"}, set()),
    ("I'd like it without added sugar.", "", {"no added sugar"}, set()),
    ("Something sugar-free.", "", {"sugar-free"}, set()),
    ("I prefer unscented products.", "", {"unscented"}, set()),
    ("Without any fragrance, please.", "avoid", {"unscented"}, set()),
    ("My skin is sensitive, so for sensitive skin please.", "", {"sensitive skin"}, set()),
    ("It's for my kids.", "use", set(), set()),
    ("It should suit children.", "needs", {"for children"}, set()),
    ("A big pack, family size.", "needs", {"family size"}, set()),
    ("Just one portion.", "needs", {"single serve"}, set()),
    ("I want decaf.", "", {"decaf"}, set()),
    ("Whole beans, because I grind them myself.", "needs", {"whole bean"}, set()),
    ("Free-range eggs, please.", "", {"free-range", "eggs"}, set()),
    ("Something crunchy.", "needs", {"crunchy"}, set()),
    ("Rich in protein, please.", "needs", {"high-protein"}, set()),
    ("It has to be low in fat.", "needs", {"low-fat"}, set()),
    ("With fluoride.", "needs", {"with fluoride"}, set()),
    ("I want it sliced already.", "", {"sliced"}, set()),
    ("Thin crust, please.", "needs", {"thin crust"}, set()),
    ("It should be kibble.", "needs", {"dry food"}, set()),
    ("I need something for a puppy.", "", {"for puppies"}, set()),
    ("Strawberry flavour would be nice.", "needs", {"flavour: strawberry"}, set()),
    ("Nothing breaded, please.", "avoid", set(), {"breaded"}),
    ("I don't want anything spicy.", "", set(), {"spicy"}),
    ("Please avoid added sugar and salt.", "avoid", set(), {"sweetened", "salted"}),
    ("Spicy things and nuts.", "avoid", set(), {"spicy", "nuts"}),
    ("I'm allergic to peanuts, soy or milk.", "", set(), {"peanuts", "soy", "milk"}),
    ("No nuts, milk or eggs.", "avoid", set(), {"nuts", "milk", "egg"}),
    ("Dairy is not for me.", "", set(), {"milk"}),
    ("Sesame doesn't agree with me.", "avoid", set(), {"sesame"}),
    ("Not smoked.", "avoid", set(), {"smoked"}),
    ("Anything but scented ones, I hate perfume.", "avoid", set(), {"scented"}),
    ("I'd rather not have chunky sauce.", "", set(), {"chunky"}),
    ("I can't have celery.", "", set(), {"celery"}),
    ("I don't like anything with mustard.", "avoid", set(), {"mustard"}),
    ("Keep it free of wheat, without wheat.", "", set(), {"wheat"}),
    ("Not salted but crunchy.", "", {"crunchy"}, {"salted"}),
    ("I don't want anything scented, but it should be good for sensitive skin.", "", {"sensitive skin"}, {"scented"}),
    ("No peanuts. It should be organic.", "", {"organic"}, {"peanuts"}),
    ("I'll pass because it's breaded.", "", set(), {"breaded"}),
    ("It isn't organic, so it's not for me.", "", {"organic"}, set()),
    ("Unfortunately this one contains milk.", "", set(), {"milk"}),
    ("That's too sweet for me.", "", set(), {"sweet"}),
    ("This is not vegan, I won't take it.", "", {"vegan"}, set()),
    ("I'd like something else, this one is spicy.", "", set(), {"spicy"}),
    ("I don't mind if it's spicy.", "avoid", set(), set()),
    ("It doesn't matter whether it's organic.", "needs", set(), set()),
    ("I'm on my way to the Chocolate & Cookies Shelf.", "", set(), set()),
    ("These big stores make me dizzy.", "", set(), set()),
)  # fmt: skip


def labels(heard: Heard, wanted: bool) -> set[str]:
    return {label for mention in heard.mentions if mention.wanted is wanted for label in mention.labels}


@pytest.mark.parametrize(("words", "asked", "wanted", "unwanted"), NEEDS, ids=[case[0] for case in NEEDS])
def test_needs_are_understood(
    words: str, asked: str, wanted: set[str], unwanted: set[str], vocabulary: Vocabulary
) -> None:
    heard = understand(words, asked, vocabulary)
    assert wanted <= labels(heard, True)
    assert unwanted <= labels(heard, False)
    assert not unwanted & labels(heard, True)
    if not wanted and not unwanted:
        assert not heard.mentions or asked == "use"


@pytest.mark.parametrize(
    ("words", "asked", "amount"),
    [
        ("I'd like to stay under $10.", "budget", 10.0),
        ("My budget is 7.50 dollars.", "", 7.5),
        ("eight dollars, tops", "budget", 8.0),
        ("At most $4.", "", 4.0),
        ("No more than 12 bucks.", "", 12.0),
        ("Around 6, I think.", "budget", 6.0),
        ("That's over my $10 limit, it costs $12.99.", "", 10.0),
        ("I need six pieces.", "needs", None),
        ("I'm in my 30s and cook a lot.", "needs", None),
    ],
)
def test_budgets_are_understood(words: str, asked: str, amount: float | None, vocabulary: Vocabulary) -> None:
    assert understand(words, asked, vocabulary).budget == amount


@pytest.mark.parametrize(
    ("words", "attribute"),
    [
        ("No, that's all.", "no_more"),
        ("I already told you everything.", "no_more"),
        ("Nothing comes to mind.", "no_more"),
        ("It's too expensive for me.", "too_dear"),
        ("That's above my budget.", "too_dear"),
        ("I don't want it.", "rejects"),
        ("It won't do, I'll put it back.", "rejects"),
        ("Perfect, I'll take it.", "accepts"),
        ("Good, I'm adding it to my cart.", "accepts"),
        ("I can't find the shelf.", "lost"),
        ("I give up. Goodbye.", "leaves"),
    ],
)
def test_attitudes_are_understood(words: str, attribute: str, vocabulary: Vocabulary) -> None:
    assert getattr(understand(words, "", vocabulary), attribute)


def test_not_taking_it_is_no_acceptance(vocabulary: Vocabulary) -> None:
    heard = understand("That's over my limit, so I can't take it.", "", vocabulary)
    assert heard.rejects
    assert not heard.accepts


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("How much does it cost?", "price"),
        ("Does it contain any allergens?", "allergens"),
        ("What does it taste like?", "flavour"),
        ("How is it packaged?", "packaging"),
        ("How many calories does it have?", "nutrition"),
        ("How big is the pack?", "size"),
        ("Where is that?", "place"),
        ("Is there something similar that costs less?", "cheaper"),
        ("How does it compare with the other one?", "compare"),
        ("Why do you say so?", "reason"),
    ],
)
def test_questions_are_understood(words: str, kind: str, vocabulary: Vocabulary) -> None:
    assert kind in understand(words, "", vocabulary).questions


def test_a_question_about_the_item_is_no_firm_need(vocabulary: Vocabulary) -> None:
    heard = understand("Is it vegan?", "", vocabulary)
    assert not heard.mentions
    assert [mention.labels for mention in heard.asked] == [("vegan",)]
    assert heard.asked[0].weight < 1.0
