"""Every interaction setting of S9 changes what the agenda user does."""

import pytest

from siturec_gym.core.actions import Tool

LEVELS = ("low", "medium", "high")
GUIDANCE = "Please go to the Milk & Butter Cooler."


@pytest.mark.parametrize("share", [0.6, 0.98])
def test_guidance_is_followed_with_the_given_probability(hearing, things, share):
    followed = 0
    for seed in range(400):
        user = hearing(settings={"navigation_following": share}, marks=[things["cooler"]], seed=seed)
        followed += user.hear(GUIDANCE).call.tool == Tool.MOVE_TO_FIXTURE
    assert followed / 400 == pytest.approx(share, abs=0.06)


def test_patience_decides_how_long_unhelpful_turns_are_borne(hearing):
    turns = []
    for level in LEVELS:
        user = hearing(settings={"patience": level})
        while not user.state.gone:
            user.hear(f"Let me think about that for moment number {len(user.replies)}.")
        turns.append(len(user.replies))
    assert turns[0] < turns[1] < turns[2]
    assert turns[0] >= 2


def test_patience_decides_how_many_questions_are_borne(hearing):
    """Even when each comes with guidance, and so none is asked for its own sake."""
    asked = []
    for level in LEVELS:
        user = hearing(settings={"patience": level})
        while not user.state.gone and len(user.replies) < 40:
            number = len(user.replies)
            user.hear(f"Please take {number} steps forward. What is your preference number {number}?")
        asked.append(len(user.replies))
    assert asked[0] < asked[1] < asked[2]


@pytest.mark.parametrize("talkativeness", LEVELS)
def test_a_vague_question_brings_up_less_than_a_precise_one(hearing, talkativeness):
    told = {"vague": 0, "precise": 0}
    questions = {
        "vague": "What else is important to you?",
        "precise": "Any wishes about nutrition, such as fat or sugar?",
    }
    for seed in range(120):
        for kind, question in questions.items():
            user = hearing(settings={"talkativeness": talkativeness}, seed=seed)
            user.hear("Hello! What are you looking for?")
            before = len(user.state.told)
            user.hear(question)
            told[kind] += len(user.state.told) > before
    assert told["precise"] == 120
    share = {"low": 0.5, "medium": 0.7, "high": 0.9}[talkativeness]
    assert told["vague"] / 120 == pytest.approx(share, abs=0.12)


def test_talkativeness_changes_words_a_turn(hearing):
    said = ["Hello! What are you looking for?", "What is your budget?", "Anything to avoid?", "Any preferences?"]
    means = []
    for level in LEVELS:
        words = 0
        for seed in range(10):
            user = hearing(settings={"talkativeness": level}, seed=seed)
            words += sum(len(user.hear(utterance).utterance.split()) for utterance in said)
        means.append(words / 40)
    assert means[0] * 1.3 < means[1]
    assert means[1] * 1.3 < means[2]


def test_explanation_seeking_changes_questions_before_a_purchase(hearing, things):
    questions = []
    for level in LEVELS:
        user = hearing(settings={"explanation_seeking": level}, held=things["milk"])
        user.hear("Have you decided?")
        while user.replies[-1].call.tool != Tool.ADD_TO_CART:
            user.hear("Hm.")
        questions.append(sum("?" in reply.utterance for reply in user.replies))
    assert questions == [0, 1, 2]


def test_explanations_already_given_are_not_asked_for(hearing, things):
    user = hearing(settings={"explanation_seeking": "medium"}, held=things["milk"])
    assert user.hear("It is lactose-free and costs $2.19.").call.tool == Tool.ADD_TO_CART


def test_price_sensitivity_asks_for_something_cheaper_near_the_budget(hearing, things):
    tools = []
    for level in LEVELS:
        user = hearing(settings={"price_sensitivity": level}, held={**things["milk"], "price": 2.8})
        tools.append(user.hear("Do you like it?").call.tool)
    assert tools == [Tool.ADD_TO_CART, Tool.ADD_TO_CART, Tool.IDLE]


def test_price_sensitive_shopper_takes_the_cheaper_offer(hearing, things):
    cheaper = {**things["carton"], "name": "Snowcap Lactose-Free Milk 1 L"}
    user = hearing(settings={"price_sensitivity": "high"}, held={**things["milk"], "price": 2.9}, marks=[cheaper])
    user.hear("Do you like it?")
    assert user.hear("How about the Snowcap Lactose-Free Milk for $1.99?").call.tool == Tool.DROP_ITEM


def test_substitute_willingness_lets_go_of_a_soft_label_only(hearing, things):
    whole = {**things["milk"], "tags": ["lactose-free"]}
    outcomes = {}
    for level in LEVELS:
        user = hearing(settings={"substitute_willingness": level}, held=whole)
        outcomes[level] = user.hear("Do you like it?").call.tool
    assert outcomes == {"low": Tool.DROP_ITEM, "medium": Tool.DROP_ITEM, "high": Tool.ADD_TO_CART}
    plain = {**things["milk"], "tags": ["low-fat"]}
    user = hearing(settings={"substitute_willingness": "high"}, held=plain)
    assert user.hear("Do you like it?").call.tool == Tool.DROP_ITEM


def test_medium_willingness_takes_a_substitute_after_a_disappointment(hearing, things):
    user = hearing(settings={"substitute_willingness": "medium"}, held={**things["milk"], "tags": ["lactose-free"]})
    user.hear("Do you like it?")
    user.held = {**things["milk"], "name": "Snowcap Milk 1 L", "tags": ["lactose-free"]}
    assert user.hear("And this one?").call.tool == Tool.ADD_TO_CART


def test_cautious_shopper_asks_before_picking_up(hearing, things):
    tools = {}
    for style in ("decisive", "cautious"):
        user = hearing(settings={"behavior_style": style}, marks=[things["carton"]])
        tools[style] = user.hear("Pick up the Cloverdell Lactose-Free Milk.").call.tool
    assert tools == {"decisive": Tool.PICK_UP_ITEM, "cautious": Tool.IDLE}


def test_decisive_shopper_asks_for_fewer_explanations(hearing, things):
    tools = []
    for style in ("practical", "decisive"):
        user = hearing(settings={"behavior_style": style, "explanation_seeking": "medium"}, held=things["milk"])
        tools.append(user.hear("Well?").call.tool)
    assert tools == [Tool.IDLE, Tool.ADD_TO_CART]


def _share(hearing, style, wanted, **kwargs):
    hits = 0
    for seed in range(120):
        user = hearing(settings={"behavior_style": style}, seed=seed, **kwargs)
        user.hear("Hello! What are you looking for?")
        hits += wanted(user, user.hear("Great, thank you for telling me."))
    return hits / 120


def test_explorer_looks_around_and_inspects_on_its_own(hearing, things):
    def active(user, reply):
        return reply.call.tool != Tool.IDLE

    marks = [{**things["carton"]}]
    assert _share(hearing, "explorer", active, marks=marks) > 0.2 + _share(hearing, "cautious", active, marks=marks)


def test_practical_shopper_volunteers_more_than_a_cautious_one(hearing):
    def volunteered(user, reply):
        return len(user.state.told) > len(user.states[-2].told)

    assert _share(hearing, "practical", volunteered) > 0.2 + _share(hearing, "cautious", volunteered)


def test_social_shopper_makes_more_small_talk(hearing):
    def words(user, reply):
        return len(reply.utterance.split()) / 100

    assert _share(hearing, "social", words) > 1.1 * _share(hearing, "explorer", words)


@pytest.mark.parametrize("trait", ["agreeableness", "neuroticism"])
def test_personality_colours_the_wording(hearing, trait):
    replies = {}
    for level in ("low", "high"):
        said = set()
        for seed in range(40):
            user = hearing(big_five={trait: level}, seed=seed)
            user.hear("Hello!")
            said.add(user.hear("What is your budget?").utterance)
        replies[level] = said
    assert replies["high"] - replies["low"]
