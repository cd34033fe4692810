"""What the rules hear (C.1, Preference Alignment and Non-repetition), against utterances labelled by hand."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym import assets
from siturec_gym.metrics.dialogue import NOTHING_HEARD, Facts, Heard, Reader, breaks, similarity, words_of

LABELS = (
    "vegan", "vegetarian", "gluten-free", "lactose-free", "organic", "spicy", "sweet", "salted", "unsalted", "crunchy",
    "no added sugar", "low-fat", "high-protein", "family size", "for children", "breaded", "smoked", "milk", "nuts",
    "egg", "peanuts", "strawberry", "chicken", "chili", "unscented", "microwaveable", "free-range",
    "sour cream and onion",
)  # fmt: skip

QUESTIONS = [
    ("What is your budget?", "budget"),
    ("How much would you like to spend at most?", "budget"),
    ("Is there a price you want to stay under?", "budget"),
    ("Great. Do you have a price range in mind? The milk is on your left.", "budget"),
    ("Please tell me your budget.", "budget"),
    ("It costs $3.49, which is within your budget. Shall we take it?", ""),
    ("Which of the two fits your budget?", ""),
    ("How much is it? I will look it up.", ""),
    ("What are you looking for today?", "category"),
    ("Hello! How can I help you today?", "category"),
    ("What kind of product do you have in mind?", "category"),
    ("Welcome! Tell me, what brings you to the store today?", "category"),
    ("What do you think of this one?", ""),
    ("What do you see in front of you?", ""),
    ("What will you use it for?", "use"),
    ("How are you planning to use it?", "use"),
    ("What is the occasion?", "use"),
    ("What is it made of? Let me check.", ""),
    ("Who is it for?", "recipient"),
    ("Is it for you or for someone else?", "recipient"),
    ("How many do you need?", "quantity"),
    ("How many steps away is the shelf?", ""),
    ("Is there anything you want to avoid?", "avoid"),
    ("Do you have any allergies?", "avoid"),
    ("Are there ingredients you don't want in it?", "avoid"),
    ("It contains no allergens. Shall we put it in your cart?", ""),
    ("Do you have any other preferences?", "needs"),
    ("What else matters to you?", "needs"),
    ("Is there anything else I should know about what you need?", "needs"),
    ("Could you turn left and tell me what you see?", ""),
    ("Would you like to pick it up for a closer look?", ""),
    ("What is your budget, and is there anything you want to avoid?", "budget avoid"),
    ("I would avoid that aisle. It is crowded.", ""),
    ("Which room is it for?", "room"),
    ("Where would you put it?", "room"),
    ("Where is the shelf from where you stand?", ""),
    ("Do you have a favorite color?", "colour"),
    ("What material do you prefer?", "material"),
    ("Any particular style?", "style"),
    ("What size do you need?", "size"),
    ("How big is the shelf in front of you?", ""),
]

ANSWERS = [
    ("I'd like to spend $4 at most.", "budget"),
    ("My budget is 3.50 dollars.", "budget"),
    ("Up to $10.", "budget"),
    ("As for the price, I would like to stay within $2 if we can.", "budget"),
    ("Five dollars at most.", "budget"),
    ("This is too expensive for me, my budget is $6. I'll put it back.", "budget"),
    ("Is it within my budget of $4?", ""),
    ("I can see one for $2.99 over there.", ""),
    ("I'm looking for some pasta for dinner with friends.", "category use"),
    ("Could you help me find some rice for a homemade curry?", "category use"),
    ("I came in for some bread today.", "category"),
    ("I need something for sandwiches at lunch.", "use"),
    ("Sorry, I'm looking for it now.", ""),
    ("Wait, I haven't found what I need yet.", ""),
    ("I'd like something vegan.", ""),
    ("It's for my household.", "recipient"),
    ("It's for a birthday party.", "use"),
    ("Just one is enough.", "quantity"),
    ("It's for you to decide.", ""),
    ("Okay, I'm heading to the Milk Cooler.", ""),
    ("I need a lamp for the living room.", "category use room"),
    ("I'd like something gray.", "colour"),
    ("Something made of oak, please.", "material"),
    ("I prefer a modern one.", "style"),
    ("I'd like something modern.", "style"),
    ("I want something compact.", "size"),
    ("I can see a red sofa.", ""),
]

CONSTRAINTS = [
    ("It should be something vegan.", "vegan", ""),
    ("I'd like something without gluten.", "gluten-free", ""),
    ("I need it to be lactose free.", "lactose-free", ""),
    ("Something with no added sugar, please.", "no added sugar", ""),
    ("I'd like something high in protein.", "high-protein", ""),
    ("I want organic, free-range ones.", "organic free-range", ""),
    ("Please nothing spicy.", "", "spicy"),
    ("I don't want anything that tastes of strawberry.", "", "strawberry"),
    ("Nothing hot or spicy.", "", "spicy"),
    ("I'm allergic to nuts.", "", "nuts"),
    ("No eggs or peanuts, please.", "", "egg peanuts"),
    ("I don't want anything in a family size.", "", "family size"),
    ("This one is too sweet for me.", "", "sweet"),
    ("It is vegan.", "", ""),
    ("Is it vegan?", "", ""),
    ("I don't mind if it is salted.", "", ""),
    ("I'm not sure about organic.", "", ""),
    ("It is not sweet enough.", "", ""),
    ("I'd like something crunchy.", "crunchy", ""),
    ("I'd like something crunchy rather than sweet.", "crunchy", "sweet"),
    ("I need something for children.", "", ""),
    ("I'd like some crunchy peanuts.", "", ""),
    ("I can't see the vegan one from here, so let me look around for it.", "", ""),
    ("I don't see the Organic Milk.", "", ""),
    ("It matters to me that we find something vegan, if the store has it.", "vegan", ""),
    ("I'm looking for some chicken.", "", ""),
    ("Not spicy, but vegan please.", "vegan", "spicy"),
    ("That won't do, I need something vegetarian.", "vegetarian", ""),
    ("From what you say I'd rather not, because I don't want anything smoked.", "", "smoked"),
    ("I'd like something without salt.", "unsalted", ""),
    ("Nothing breaded, smoked or salted.", "", "breaded smoked salted"),
]

CLOSINGS = [
    ("No preference.", True),
    ("That's all.", True),
    ("I have no preference there.", True),
    ("You know everything that matters to me now.", True),
    ("That doesn't matter to me.", True),
    ("Nothing comes to mind right now.", False),
    ("Nothing else right now.", False),
    ("Okay, I'll do that.", False),
    ("I don't see it here.", False),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(json.loads(assets.read_asset("rewards/dialogue.json")), LABELS)


def words(text: str) -> set[str]:
    """Labels of a table row; those of several words are found whole."""
    found = {label for label in LABELS if " " in label and label in text}
    for label in found:
        text = text.replace(label, "")
    return found | set(text.split())


@pytest.mark.parametrize(("utterance", "slots"), QUESTIONS)
def test_questions_are_heard_and_statements_are_not(reader, utterance, slots):
    assert reader.asked(utterance) == set(slots.split())


@pytest.mark.parametrize(("utterance", "slots"), ANSWERS)
def test_what_a_reply_answers(reader, utterance, slots):
    assert reader.listen(NOTHING_HEARD, frozenset(), utterance).answered == set(slots.split())


@pytest.mark.parametrize(("utterance", "wanted", "unwanted"), CONSTRAINTS)
def test_what_a_reply_asks_for_and_rules_out(reader, utterance, wanted, unwanted):
    heard = reader.listen(NOTHING_HEARD, frozenset(), utterance)
    assert (heard.wanted, heard.unwanted) == (words(wanted), words(unwanted))


@pytest.mark.parametrize(
    ("utterance", "wanted", "unwanted"),
    [
        ("I'd like something in walnut for the study.", ["walnut"], []),
        ("Nothing red, please.", [], ["red"]),
        ("It's too large for my room.", [], ["large"]),
        ("I don't want anything on wheels.", [], ["on wheels"]),
        ("Something modern and foldable.", ["foldable", "modern"], []),
    ],
)
def test_what_a_reply_in_the_home_store_asks_for_and_rules_out(utterance, wanted, unwanted):
    labels = ("walnut", "red", "large", "on wheels", "modern", "foldable")
    store = Reader(json.loads(assets.read_asset("rewards/dialogue.json")), labels)
    heard = store.listen(NOTHING_HEARD, frozenset(), utterance)
    assert (sorted(heard.wanted), sorted(heard.unwanted)) == (wanted, unwanted)


def test_threads_may_share_a_reader_whose_memory_runs_over(reader, monkeypatch):
    monkeypatch.setattr("siturec_gym.metrics.dialogue._REMEMBERED", 2)
    questions = [utterance for utterance, _ in QUESTIONS]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(reader.asked, questions * 40))
    assert found == [set(slots.split()) for _, slots in QUESTIONS] * 40


@pytest.mark.parametrize(("utterance", "closes"), CLOSINGS)
def test_a_closing_reply_answers_the_open_question_of_its_turn(reader, utterance, closes):
    heard = reader.listen(NOTHING_HEARD, frozenset(("needs",)), utterance)
    assert heard.answered == ({"needs"} if closes else set())


@pytest.mark.parametrize(
    ("utterance", "budget"),
    [
        ("My budget is $4.50.", 4.5),
        ("Up to 10 dollars.", 10.0),
        ("Five dollars at most.", 5.0),
        ("I like the $7 one, but I want to spend $5 at most.", 5.0),
        ("I want to spend $1,250 at most, no more.", 1250.0),
        ("My budget is $40, and it should be vegan.", 40.0),
        ("It costs $3.", None),
        ("I see three of them.", None),
    ],
)
def test_stated_budgets(reader, utterance, budget):
    assert reader.listen(NOTHING_HEARD, frozenset(), utterance).budget == budget


def test_the_last_word_on_a_label_and_on_the_budget_counts(reader):
    heard = NOTHING_HEARD
    for utterance in ("I want something vegan.", "My budget is $4.", "No, nothing vegan after all.", "Up to $6."):
        heard = reader.listen(heard, frozenset(), utterance)
    assert (heard.wanted, heard.unwanted, heard.budget) == (frozenset(), {"vegan"}, 6.0)


@pytest.mark.parametrize(
    ("heard", "broken"),
    [
        (Heard(), False),
        (Heard(budget=2.49), False),
        (Heard(budget=2.48), True),
        (Heard(unwanted=frozenset(("spicy",))), False),
        (Heard(unwanted=frozenset(("milk",))), True),
        (Heard(wanted=frozenset(("vegan",))), True),
        (Heard(wanted=frozenset(("organic",)), budget=5.0), False),
    ],
)
def test_which_constraints_a_product_breaks(heard, broken):
    assert breaks(Facts(2.49, frozenset(("organic", "milk"))), heard) is broken


def test_repetition_by_hand(reader):
    """Five words of six are shared by both sentences of six: 2 * 5 / 12 = 0.83, below 0.9."""
    left, right = words_of("Please turn left about 90 degrees."), words_of("Please turn right about 90 degrees!")
    assert similarity(left, right) == pytest.approx(10 / 12)
    assert not reader.repeats(right, [left])
    assert reader.repeats(words_of("please turn LEFT, about 90 degrees"), [right, left])
    assert not reader.repeats(words_of("All right."), [words_of("All right.")])
    assert not reader.repeats(left, [])


@given(data=st.data())
def test_the_short_cut_by_length_changes_nothing(reader, data):
    vocabulary = st.sets(st.sampled_from([f"w{number}" for number in range(24)]), min_size=3).map(frozenset)
    words, other = data.draw(vocabulary), data.draw(vocabulary)
    near = frozenset([*sorted(words)[1:], "w99"]) if data.draw(st.booleans()) else other
    assert reader.repeats(words, [near]) == (similarity(words, near) >= 0.9)


TEXT = st.text(alphabet="abc ,.?!$9'", max_size=40)


@given(one=TEXT, other=TEXT)
def test_similarity_is_a_symmetric_share(one, other):
    a, b = words_of(one), words_of(other)
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, a) == (1.0 if a else 0.0)


@given(text=st.text(alphabet=st.characters(max_codepoint=0x7F), max_size=80))
def test_any_text_can_be_read_and_is_read_alike_twice(text):
    fresh = Reader(json.loads(assets.read_asset("rewards/dialogue.json")), LABELS)
    first = (fresh.asked(text), fresh.listen(NOTHING_HEARD, frozenset(("needs",)), text))
    assert (fresh.asked(text), fresh.listen(NOTHING_HEARD, frozenset(("needs",)), text)) == first


def test_the_rules_name_no_label_that_no_catalog_could_have():
    rules = json.loads(assets.read_asset("rewards/dialogue.json"))
    assert set(rules) >= {"slots", "closing", "negators", "wanted_labels", "absences", "other_words"}
    for slot in rules["slots"].values():
        assert slot["asked"]
