"""The script that ticks all boxes of a column, in a real browser without a server."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import browsers

SCRIPT = Path(__file__).resolve().parents[4] / "templates" / "static" / "select.js"
ROW = (
    "<tr><th>Ana</th><td><input type=checkbox name=member></td><td><input type=checkbox name=pool></td></tr>"
)
ALL = "<th><label data-scripted hidden><input type=checkbox data-select-column>All</label></th>"
PAGE = f"<table><thead><tr><th>Player</th>{ALL}{ALL}</tr></thead><tbody>{ROW * 3}</tbody></table>"


def test_one_tick_selects_a_column_and_shows_when_all_are_selected():
    with sync_playwright() as playwright:
        chromium = browsers.launch(playwright)
        page = chromium.new_page()
        page.set_content(PAGE)
        page.add_script_tag(path=SCRIPT)
        of_members, of_pool = page.locator("[data-select-column]").all()
        of_pool.check()
        assert page.locator("[name=pool]:checked").count() == 3
        assert page.locator("[name=member]:checked").count() == 0
        page.locator("[name=pool]").first.uncheck()
        assert not of_pool.is_checked()
        for box in page.locator("[name=member]").all():
            box.check()
        assert of_members.is_checked()
        of_members.uncheck()
        assert page.locator("[name=member]:checked").count() == 0
        chromium.close()
