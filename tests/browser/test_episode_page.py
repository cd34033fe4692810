"""An episode in Chromium: one turn at a time, by key, by button and by address; marks lie on the picture."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser


@pytest.fixture
def page(open_page, episode_page):
    return open_page(episode_page)


def press(browser, *keys: str) -> None:
    for key in keys:
        browser.find_element(By.TAG_NAME, "body").send_keys(key)


def shown(browser) -> list[str]:
    return [
        part.get_attribute("id")
        for part in browser.find_elements(By.CSS_SELECTOR, "section.turn")
        if part.is_displayed()
    ]


def current(browser) -> str:
    return browser.find_element(By.CSS_SELECTOR, "button[aria-current]").text


@pytest.mark.parametrize("size", [(1280, 900), (420, 800)], ids=["wide", "narrow"])
def test_the_page_fits_the_window_and_asks_for_nothing(open_page, outside_requests, episode_page, size) -> None:
    browser = open_page(episode_page, size)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    assert outside_requests() == []
    assert browser.get_log("browser") == []


def test_one_turn_is_shown_and_keys_go_through_them(page) -> None:
    assert shown(page) == ["turn-0"]
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert (shown(page), current(page)) == (["turn-2"], "2")
    press(page, Keys.ARROW_LEFT)
    assert shown(page) == ["turn-1"]
    press(page, Keys.END)
    assert (shown(page), current(page)) == (["turn-end"], "end")
    press(page, Keys.ARROW_RIGHT)
    assert shown(page) == ["turn-end"]
    press(page, Keys.HOME, Keys.ARROW_LEFT)
    assert shown(page) == ["turn-0"]


def test_view_and_arrow_on_the_map_belong_to_the_turn(page) -> None:
    press(page, Keys.ARROW_RIGHT)
    views = [view for view in page.find_elements(By.CSS_SELECTOR, "figure.view") if view.is_displayed()]
    arrows = [arrow for arrow in page.find_elements(By.CSS_SELECTOR, "path.turn") if arrow.is_displayed()]
    assert [part.get_attribute("data-turn") for part in views + arrows] == ["1", "1"]
    assert page.execute_script("return arguments[0].querySelector('img').naturalWidth", views[0]) == 640


def test_each_roles_own_image_can_be_looked_at(page) -> None:
    def looked_at() -> list[str]:
        images = page.find_elements(By.CSS_SELECTOR, ".view.now img")
        return [image.get_attribute("class") for image in images if image.is_displayed()]

    marks = page.find_element(By.CSS_SELECTOR, ".view.now .marks")
    assert (looked_at(), marks.is_displayed()) == (["view"], True)
    press(page, "a")
    assert (looked_at(), marks.is_displayed()) == (["assistant"], False)
    page.find_element(By.CSS_SELECTOR, 'button[data-look="user"]').click()
    press(page, Keys.ARROW_RIGHT)
    assert looked_at() == ["user"]
    press(page, "v")
    assert looked_at() == ["view"]


def test_buttons_and_addresses_go_to_turns_too(page, open_page, episode_page) -> None:
    page.find_element(By.CSS_SELECTOR, '[data-step="2"]').click()
    page.find_element(By.CSS_SELECTOR, '[data-go="1"]').click()
    assert shown(page) == ["turn-3"]
    assert page.current_url.endswith("#turn-3")
    assert shown(open_page(episode_page, at="#turn-2")) == ["turn-2"]


def test_marks_lie_inside_the_picture_and_can_be_switched_off(page) -> None:
    marks = [mark for mark in page.find_elements(By.CSS_SELECTOR, ".view.now .marks i") if mark.is_displayed()]
    assert marks
    picture = page.find_element(By.CSS_SELECTOR, ".view.now img.view").rect
    for mark in marks:
        assert picture["x"] - 3 <= mark.rect["x"]
        assert mark.rect["x"] + mark.rect["width"] <= picture["x"] + picture["width"] + 3
    press(page, "m")
    assert not any(mark.is_displayed() for mark in marks)
    press(page, "m")
    assert marks[0].is_displayed()


def test_the_private_goal_is_closed_until_it_is_asked_for(page) -> None:
    goal = page.find_element(By.CSS_SELECTOR, "#private dl")
    assert not goal.is_displayed()
    press(page, "p")
    assert goal.is_displayed()
    assert "only the simulated user knew" in page.find_element(By.CSS_SELECTOR, "#private summary").text


def test_keys_are_explained_and_rest_while_they_are(page) -> None:
    press(page, "?")
    assert page.find_element(By.ID, "keys").is_displayed()
    press(page, Keys.ESCAPE)
    assert not page.find_element(By.ID, "keys").is_displayed()


def test_in_a_narrow_window_the_turns_stay_within_reach(open_page, episode_page) -> None:
    browser = open_page(episode_page, (420, 800))
    forward = browser.find_element(By.CSS_SELECTOR, '[data-go="1"]')
    assert forward.rect["x"] + forward.rect["width"] <= 420
    forward.click()
    assert shown(browser) == ["turn-1"]


def test_the_markup_has_no_error(episode_page) -> None:
    import html5lib

    parser = html5lib.HTMLParser()
    parser.parse(episode_page.read_text())
    assert parser.errors == []
