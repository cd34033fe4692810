"""The report in Chromium: it fits the window, its links open what they lead to, nothing is fetched."""

import pytest
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [(1280, 900), (420, 800)], ids=["wide", "narrow"])
def test_the_page_fits_the_window_and_asks_for_nothing(open_page, outside_requests, report_page, size) -> None:
    browser = open_page(report_page, size)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    assert outside_requests() == []
    assert browser.get_log("browser") == []


def test_plots_are_drawn_and_no_text_leaves_them(open_page, report_page) -> None:
    browser = open_page(report_page)
    spilling = browser.execute_script("""
        return [...document.querySelectorAll("figure svg")].flatMap((svg) => {
          const paper = svg.getBoundingClientRect();
          return [...svg.querySelectorAll("text")].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < paper.left - 1 || box.right > paper.right + 1;
          }).map((text) => text.textContent);
        });""")
    assert spilling == []
    assert len(browser.find_elements(By.CSS_SELECTOR, "figure svg")) >= 7


def test_a_link_to_a_turn_opens_the_conversation_there(open_page, report_page) -> None:
    browser = open_page(report_page)
    link = browser.find_element(By.CSS_SELECTOR, ".signs a")
    target = link.get_attribute("hash")
    assert not browser.find_element(By.CSS_SELECTOR, target).is_displayed()
    browser.execute_script("arguments[0].click()", link)
    turn = browser.find_element(By.CSS_SELECTOR, target)
    assert turn.is_displayed()
    assert 0 <= turn.rect["y"] - browser.execute_script("return scrollY") < 900


def test_an_address_with_a_turn_opens_there_at_once(open_page, report_page) -> None:
    browser = open_page(report_page)
    target = browser.find_element(By.CSS_SELECTOR, ".signs a").get_attribute("hash")
    assert open_page(report_page, at=target).find_element(By.CSS_SELECTOR, target).is_displayed()


def test_published_rows_can_be_put_away(open_page, report_page) -> None:
    browser = open_page(report_page)
    row = browser.find_element(By.CSS_SELECTOR, "tbody.published tr:nth-child(2)")
    assert row.is_displayed()
    browser.find_element(By.CSS_SELECTOR, ".toggle input").click()
    assert not row.is_displayed()
    assert browser.find_element(By.CSS_SELECTOR, "tbody.ours tr:nth-child(2)").is_displayed()


def test_a_page_that_asks_for_something_would_be_noticed(open_page, outside_requests, tmp_path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<img src="http://127.0.0.1:9/picture.png">')
    open_page(page)
    assert outside_requests() == ["http://127.0.0.1:9/picture.png"]


def test_the_markup_has_no_error(report_page) -> None:
    import html5lib

    parser = html5lib.HTMLParser()
    parser.parse(report_page.read_text())
    assert parser.errors == []
