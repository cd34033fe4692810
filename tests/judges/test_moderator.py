"""The rule-based moderator (S24, SituRecBench B.3(4)) on lines labelled by hand, in many styles."""

import pytest

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.policy import ModeratorQuery
from siturec_gym.judges.moderator import make_moderator, rule_moderator

ASKING = "The Brook Oat Drink is on the shelf to your left. Would you like to try it?"
OFFERING = "Is there anything else I can help you with?"
CLOSING = "You're welcome! Enjoy your dinner and have a great day."

ENDS = (
    "Goodbye!",
    "bye",
    "Okay, bye then.",
    "Thanks for your help, but I give up.",
    "I'm giving up, nothing here suits me.",
    "Forget it.",
    "Ugh, forget it, this is a waste of my time",
    "Never mind. I'll shop somewhere else.",
    "nvm",
    "I'm leaving.",
    "I'm just going to leave without buying anything.",
    "I think I'll leave it at that for today. Thank you.",
    "That's all for today, thanks!",
    "That'll be all, thank you.",
    "I don't need any more help.",
    "I do not need your assistance anymore, thank you.",
    "No thanks, I'm good.",
    "No need, I'm all set.",
    "I'm done shopping.",
    "i'm done here",
    "I am done with this store!",
    "We're finished here.",
    "I'll manage on my own from here.",
    "No thank you, I'd rather look around by myself.",
    "I'll find something myself, thanks.",
    "Leave me alone please.",
    "Stop recommending things, I've had enough.",
    "I've had enough of this.",
    "Let's call it a day.",
    "I have to go now.",
    "gotta run, thx!",
    "I'll come back another time.",
    "Maybe another time.",
    "I'll try another supermarket instead.",
    "I won't buy anything today.",
    "I am not interested in buying anything anymore",
    "This is hopeless. I'm out of here.",
    "We're getting nowhere. I'm heading home.",
    "Have a nice day!",
    "See you later!",
    "I don't need anything else.",
    "Nothing else, thanks.",
    "I'm fed up with all these wrong suggestions, I'm off.",
    "There's no point continuing. Let's end this conversation.",
    "I was looking for oat milk, but never mind, I'm leaving.",
    "I wanted to compare two more, but honestly I can't be bothered. Bye.",
    "You have shown me three and none of them fits, so I'll go home empty-handed.",
    "I've got everything I need. Where is the checkout?",
    "Right, that's it for me. Take care!",
    "I'll do without, then.",
    "Sorry, I've lost patience. I am going to leave the store.",
    "No more suggestions please, I'm finished.",
)  # fmt: skip

GOES_ON = (
    "I'm in a hurry, so let's go.",
    "I'd rather keep my budget to myself for now.",
    "",
    "Hello!",
    "Hi, I'm looking for something for breakfast.",
    "No thanks, that one is too expensive. Anything cheaper?",
    "No, I don't want that one.",
    "No.",
    "Not interested in that one, do you have another brand?",
    "That's not what I need.",
    "I don't need anything sweet, just plain yoghurt.",
    "I'm done with this aisle, where should I go next?",
    "Is that all you have?",
    "Should I give up on dairy, what do you think?",
    "I'm not giving up yet, show me one more.",
    "Don't give up on me, keep going.",
    "If you can't find it, I'm leaving.",
    "Let me look at the label first.",
    "I'll take a closer look at it.",
    "Thanks! Where is it exactly?",
    "Thank you.",
    "Great, thanks. I'll walk over there.",
    "Okay.",
    "ok turning left now",
    "I can't see it from here.",
    "I'm lost, can you help me find the dairy cooler?",
    "Too salty for me. What else is there?",
    "I'll pass on this one.",
    "Forget the soup, let's look at the pasta instead.",
    "Never mind the price, is it vegan?",
    "Nothing here looks like oat milk.",
    "I gave up sugar last year, so something unsweetened.",
    "Bye the way, does it contain nuts?",
    "How much is it?",
    "I'd like to compare both before I go.",
    "One more thing before I leave: is there a smaller pack?",
    "I have to be home by six, so something quick to cook.",
    "I'm good with either brand, which is cheaper?",
    "Yes please, show me the way.",
    "My budget is 5 dollars.",
    "I need it for a quick weekday dinner.",
    "Hmm, let me think about it.",
    "I'm not sure, tell me more.",
    "Stop, I see it!",
    "I'll go to the shelf on the left.",
    "I want to leave room in the budget for dessert.",
    "It's finished with sea salt, right?",
    "We could come back to this one later, what about cheese?",
    "No thanks, I'm good with cow's milk but I need bread.",
    "I will put it back and keep looking.",
    "Leave it, I prefer the other one.",
    "That's everything I hoped for! I'll pick it up.",
    "Where is the exit of this aisle, I want to get to the freezers?",
    "I'll drop it and try the next one.",
    "Does that brand end with a vowel? I forgot the name.",
    "I don't want any nuts in it.",
    "Is the milk near the checkout?",
    "wait, what about the lactose free one",
    "This isn't it. Could you guide me again?",
    "You are getting me confused. Left or right?",
)  # fmt: skip

LATER_ENDS = (
    "I appreciate the effort, but none of this works for me. I'm going to stop here.",
    "Honestly I'm tired of walking around. I'm calling it quits.",
    "Thank you, but I'll take my business elsewhere.",
    "It doesn't look like you have what I want. I'll be on my way.",
    "I don't think this store has it. I'll head out.",
    "ok im leaving",
    "That's enough, I'm going home.",
    "I'm sorry, but I'm no longer interested.",
    "You can stop helping me now.",
    "I no longer need help.",
    "No more, please. Goodbye.",
    "Let's stop here.",
    "I quit.",
    "I'm out.",
    "Thanks anyway, I'll look somewhere else.",
    "I'd rather shop alone, thank you.",
    "We can end this here.",
    "I decided not to buy anything after all. Have a good one!",
    "I'm not going to find it here. I'll try online.",
    "Well, that didn't work out. See you next time.",
    "This has taken too long and I really must be going.",
    "No luck today, so I'll stop looking.",
    "I'm wrapping up my shopping trip without a purchase.",
    "I surrender, you win. Bye-bye.",
    "Please don't follow me any longer, I can do this alone.",
    "My patience is gone. I'm leaving the store now.",
    "I can't find anything suitable, so I'll leave without buying.",
    "It's time for me to go.",
    "I think we're done.",
    "Thanks, but I don't want any more recommendations.",
)  # fmt: skip

LATER_GOES_ON = (
    "I'm heading to the freezer aisle now.",
    "I'm going to the left.",
    "I'm leaving this aisle and turning right.",
    "I'm off to the dairy cooler.",
    "Let me stop here and look around.",
    "I'll stop at the shelf and check the label.",
    "I quit eating gluten, so it must be gluten free.",
    "Can we leave the cereal and look at snacks?",
    "That's all I know about it, can you tell me the allergens?",
    "All good, what's next?",
    "I'm done looking at this shelf. Let me turn around.",
    "I have to go left, right?",
    "Not that one. I'd like something without nuts.",
    "That's it! That is the one I was looking for. Let me pick it up.",
    "I'm good at following directions, lead on.",
    "Thanks, I'm walking to the shelf.",
    "I see it now, thank you!",
    "Thanks for the tip. Moving forward.",
    "It has too much sugar. I'm putting it back.",
    "No. It has milk in it and I'm allergic.",
    "That's over my budget.",
    "I only have 4 dollars, so no.",
    "Don't need help finding it, I see it already. Picking it up next.",
    "I'll try that brand.",
    "I don't want to buy anything with palm oil.",
    "I won't take anything above 5 dollars.",
    "None of these is vegan. What else do you have?",
    "I give up meat during Lent, so vegetarian please.",
    "I've had enough chocolate flavours, something fruity?",
    "Not for me, thanks.",
    "I'd rather not.",
    "Do you need anything else from me?",
    "Go on.",
    "Hmm.",
    "I'll wait here while you check.",
    "Perfect, that matches what I want.",
    "I'll take it.",
    "I'd like to get going, where do I start?",
    "Could you stop suggesting frozen stuff? I want fresh.",
    "There is nothing on this shelf. I'll walk further.",
)  # fmt: skip

PAIRS = (
    (OFFERING, "No, thank you.", True),
    (OFFERING, "No.", True),
    (OFFERING, "I'm good, thanks.", True),
    (OFFERING, "Not really.", True),
    (OFFERING, "Yes, I still need bread.", False),
    (OFFERING, "No, wait, do you have rice?", False),
    (OFFERING, "No, I don't want anything spicy.", False),
    (OFFERING, "No, nothing with nuts.", False),
    ("Shall I keep looking for alternatives?", "nope", True),
    (ASKING, "No, thank you.", False),
    (ASKING, "Not really.", False),
    (ASKING, "Nope.", False),
    ("Hi, how are you today?", "I'm fine, thanks.", False),
    (CLOSING, "Thanks!", True),
    (CLOSING, "Thank you so much, you too!", True),
    (CLOSING, "Great, thanks.", True),
    (CLOSING, "Hold on, where do I pay attention to the expiry date?", False),
    (CLOSING, "I still want to see the other freezer.", False),
    (ASKING, "Thanks!", False),
)


def verdict(user: str, assistant: str = ASKING, call: ToolCall | None = None) -> bool:
    return rule_moderator(ModeratorQuery((), assistant, user, call or ToolCall(Tool.IDLE)))


@pytest.mark.parametrize("line", ENDS + LATER_ENDS)
def test_the_user_clearly_ends_it(line: str) -> None:
    assert verdict(line)


@pytest.mark.parametrize("line", GOES_ON + LATER_GOES_ON)
def test_the_user_goes_on(line: str) -> None:
    assert not verdict(line)


@pytest.mark.parametrize(("assistant", "user", "over"), PAIRS)
def test_what_the_assistant_said_decides_small_words(assistant: str, user: str, over: bool) -> None:
    assert verdict(user, assistant) is over


def test_inspecting_never_ends_an_interaction() -> None:
    assert not verdict("That's all, bye!", call=ToolCall(Tool.PICK_UP_ITEM, target="P001"))


def test_walking_off_with_closing_words_of_both_is_still_exploring() -> None:
    move = ToolCall(Tool.MOVE_FORWARD, distance_m=2.0)
    assert not verdict("Thanks!", CLOSING, move)
    assert verdict("Goodbye.", CLOSING, move)


def test_any_text_gets_a_verdict() -> None:
    for text in ("???", "\u00e9\u4e2d\u6587", "-" * 600, "a, b; c. d! e? f\n\n", "'" * 40):
        assert verdict(text) is False


def test_names_of_moderators() -> None:
    assert make_moderator("none") is None
    assert make_moderator("rules") is rule_moderator
    with pytest.raises(ValueError, match=r"unknown moderator 'judge'.*rules, none"):
        make_moderator("judge")
